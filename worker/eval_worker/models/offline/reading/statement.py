"""One sentence as the offline judges see it: its topic words, names, numbers, and whether it denies."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from eval_worker.evaluation.text.numbers_in_text import find_numbers, with_compounds_in_digits
from eval_worker.evaluation.text.sentences import split_sentences
from eval_worker.evaluation.text.stop_words import STOP_WORDS
from eval_worker.evaluation.text.words import Words
from eval_worker.models.offline.reading.stems import stem
from eval_worker.models.offline.reading.vocabulary import (
    ABOUT_JUDGING,
    LIGHT_WORDS,
    NEGATIONS,
    REQUEST_WORDS,
    UNSPACED_NEGATION,
)

_CAPITALISED = re.compile(r"[A-ZÀ-ÖØ-ÞА-Я](?<!\w.)[\w'’]*")  # the leading set finds the few places to look at
_ORNAMENTS = " \t\r\n=*_~#|-–—•👍✅😀😊🙂"
_OPENING = 8  # characters that may stand before a first word: quotes, brackets, a star
_COMMON_ENDING = re.compile(r"(?:ion|ing|ment|ness|ity|ly|ies|[^s]s|ism|ology)$")


@dataclass(frozen=True)  # without slots: of most sentences that are read nobody asks for names and numbers
class Statement:
    """`stems` are in order and distinct; `surface` gives the word that each came from.

    `subjects` are the stems that link one sentence to another: no numbers, since they fit anything, and nothing that
    judges are talked to with.
    """

    text: str
    words: tuple[str, ...]
    stems: tuple[str, ...]
    subjects: tuple[str, ...]
    surface: dict[str, str]
    negated: bool

    @property
    def is_question(self) -> bool:
        return self.text.rstrip(_ORNAMENTS).endswith(("?", "？", "؟"))

    @cached_property
    def numbers(self) -> frozenset[str]:
        return frozenset(find_numbers(with_compounds_in_digits(self.text), self.words))

    @property
    def names(self) -> frozenset[str]:
        """The stems of words that are capitalised inside it."""
        return self._names[0]

    @property
    def initial(self) -> str | None:
        """The stem of its first word, where that may be a name."""
        return self._names[1]

    @cached_property
    def _names(self) -> tuple[frozenset[str], str | None]:
        return _names(self.text, self.surface)


@dataclass(frozen=True)
class _Claim(Statement):
    """What a fragment says together with the query: the words of both, the numbers of the fragment."""

    joined: Statement
    own: Statement

    @cached_property
    def numbers(self) -> frozenset[str]:
        return self.own.numbers

    @cached_property
    def _names(self) -> tuple[frozenset[str], str | None]:
        initial = self.own.initial
        return self.joined.names | (frozenset({initial}) if initial else frozenset[str]()), None


class Reader:
    """Reads each sentence once: the texts of an interaction and of its cores have most of theirs in common.

    It belongs to the analysis of one interaction and holds what that one read, so its room is bounded by the texts.
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[str, Statement] = {}

    def read(self, text: str) -> list[Statement]:
        return [self.read_sentence(sentence) for sentence in split_sentences(text)]

    def read_sentence(self, sentence: str) -> Statement:
        statement = self._known.get(sentence)
        if statement is None:
            statement = self._known[sentence] = read_statement(sentence)
        return statement


def read_statement(text: str) -> Statement:
    words = Words(with_compounds_in_digits(text))
    content = [word for word in words.content() if word not in LIGHT_WORDS]
    surface = dict(zip(map(stem, content), content, strict=True))
    if len(surface) < len(content):  # of a stem that comes again the first word is named
        surface = surface | dict(zip(map(stem, reversed(content)), reversed(content), strict=True))
    negated = not NEGATIONS.isdisjoint(words.sequence) or (
        words.unspaced and UNSPACED_NEGATION.search(text) is not None
    )
    return Statement(
        text=text,
        words=tuple(words.sequence),
        stems=tuple(surface),
        subjects=_subjects(surface),
        surface=surface,
        negated=negated,
    )


def claim_of(query: Statement, fragment: str) -> Statement:
    """Query and fragment as one claim: "Paris." says that the capital of France is Paris."""
    said = re.sub(r"^\W+", "", fragment.strip())
    joined = read_statement(f"{query.text.rstrip('?？ ')} : {said}")
    own = read_statement(said)
    return _Claim(
        text=said,
        words=joined.words,
        stems=joined.stems,
        subjects=joined.subjects,
        surface=joined.surface,
        negated=query.negated,
        joined=joined,
        own=own,
    )


def _subjects(stems: Iterable[str]) -> tuple[str, ...]:
    return tuple([stem for stem in stems if stem not in ABOUT_JUDGING and not stem[0].isdecimal()])


def _names(text: str, surface: dict[str, str]) -> tuple[frozenset[str], str | None]:
    """Capitalised words; the sentence's first word apart, since any word may stand there."""
    names: set[str] = set()
    initial: str | None = None
    for match in _CAPITALISED.finditer(text):
        word = match.group().lower().removesuffix("'s").removesuffix("’s")
        if word in STOP_WORDS or stem(word) not in surface:
            continue
        if match.start() > _OPENING or text[: match.start()].strip("\"'“‘([* "):
            names.add(stem(word))
        elif not _COMMON_ENDING.search(word) and word not in REQUEST_WORDS:
            initial = stem(word)
    return frozenset(names), initial


@dataclass(frozen=True, slots=True)
class Capitals:
    """The stems that some text has capitalised inside a sentence, as its first word, and otherwise."""

    inside: frozenset[str]
    initial: frozenset[str]
    plain: frozenset[str]


def capitals_in(statements: Iterable[Statement]) -> Capitals:
    inside: set[str] = set()
    initial: set[str] = set()
    plain: set[str] = set()
    for one in statements:
        inside.update(one.names)
        if one.initial:
            initial.add(one.initial)
        plain.update(one.surface.keys() - {*one.names, one.initial} if one.names or one.initial else one.surface)
    return Capitals(frozenset(inside), frozenset(initial), frozenset(plain))


def names_by(*found: Capitals) -> frozenset[str]:
    """Every stem that is a name in these texts: capitalised inside a sentence, or only ever seen capitalised."""
    inside = frozenset[str]().union(*(one.inside for one in found))
    initial = frozenset[str]().union(*(one.initial for one in found))
    return inside | initial.difference(*(one.plain for one in found))
