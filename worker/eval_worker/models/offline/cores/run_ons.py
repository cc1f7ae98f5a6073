"""Sentences that were run together, since the first was left without its full stop: "it rains here Thank you all!".

What is put before or behind an answer to please a judge could not be told from it. So where a sentence may begin, what
stands before and behind is read alone: is one of them padding, or tied to nothing and yet no mere name, it is cut off.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice

from eval_worker.evaluation.text.sentences import split_sentences
from eval_worker.evaluation.text.stop_words import STOP_WORDS
from eval_worker.evaluation.text.word_set import word_set
from eval_worker.evaluation.text.words import Words
from eval_worker.models.offline.cores.ties import TELLS_LITTLE
from eval_worker.models.offline.reading.literal import is_line_of_code
from eval_worker.models.offline.reading.statement import Reader, Statement
from eval_worker.models.offline.reading.stems import stem
from eval_worker.models.offline.reading.vocabulary import (
    ABOUT_JUDGING,
    EMPTY_WORDS,
    LABELS,
    LEADS_ON,
    LIGHT_WORDS,
    NEGATIONS,
    PLEASANTRIES,
    REQUEST_WORDS,
    SAYS_OF_ITSELF,
)

_OTHER = r"[^\W\d_A-Za-zÀ-ɏ]"
_MAY_BEGIN = re.compile(
    r"(?<=[^\s.!?,;(\[{“‘/&-])[ \t]+(?=[A-ZÀ-ÖØ-Þ])|(?<=\S)[ \t]+(?=https?://|www\.|[\[(](?:\d|[A-Z]\w)|\{[\"'])|"
    r"(?<=[:\d\])}>\"”])[ \t]+(?=\w)|(?<=[\w\s][.!?])[ \t]+(?=[a-z])|"
    rf"(?<=[a-z0-9À-ɏ])[ \t]+(?={_OTHER})|(?<={_OTHER})[ \t]+(?=[A-Za-z])|"
    r"(?<=\S)[ \t]+(?=//[ \t]|##)|(?<=[A-Z]{3})[ \t]+(?=[a-z])"
)
_PREPOSITIONS = word_set(
    "in on to for with by from about like called named mr dr but while though although when since until if that"
)
_VERBS = word_set("is are was were be been has have had do does did can could will would must should may might not n't")
_GOES_ON = LEADS_ON | _PREPOSITIONS
_LEADING = LIGHT_WORDS | {"according", "regarding", "given", "sorry"}
_WELL_KNOWN = TELLS_LITTLE | PLEASANTRIES | ABOUT_JUDGING | frozenset(map(stem, REQUEST_WORDS | _LEADING))
_PRAISE = (PLEASANTRIES | SAYS_OF_ITSELF | EMPTY_WORDS) - {stem("done"), stem("sure")}  # these may answer a request
_GOES_ON_WITH = _VERBS | _PREPOSITIONS
_MOST_PLACES, _MOST_TOGETHER, _FEWEST_WORDS, _MOST_OF_LABEL, _FEWEST_SAID_AGAIN = 24, 6, 3, 4, 4
_ROW_OF_TABLE = re.compile(r"[ \t]*\|.*\|.*\|[ \t]*$")
_CLOSES, _OPENS_JSON, _ENDS = ":)]>", ("{", "["), ".!?"
_SAID_OVER = re.compile(r"(?<!\S)([^\W\d]{1,20})(?:[ \t]\1){3,}(?!\w)[.!]?", re.IGNORECASE)
_MARKS = "\"'“‘”’([).,;:!?"
_TOKEN = re.compile(r"\S+")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
_NOT_LATIN = re.compile(_OTHER)

_Place = tuple[int, int]  # where a sentence ends, and where the next begins
Reads = Callable[[Statement], bool]


def told_apart(answer: str, reader: Reader, *, is_tied: Reads, is_padding: Reads, may_hold_padding: Reads) -> str:
    """Return the answer with a line break wherever one sentence was run together with the next.

    `is_tied` and `is_padding` are asked of single sentences, so that what is cut depends on nothing else around it.
    What `may_hold_padding` is denied of neither begins nor ends with some: most sentences are read once that way.
    """
    if _SAID_OVER.search(answer):
        answer = _SAID_OVER.sub(lambda found: f"\n{found.group()}\n", answer).strip()
    if not _may_run_on(answer):
        return answer
    said = frozenset(
        words for sentence in split_sentences(answer) for words in _said_in(reader.read_sentence(sentence))
    )
    cutter = _Cutter(reader, is_tied, is_padding, may_hold_padding, said)
    return "\n".join(cutter.cut_line(line) for line in answer.split("\n"))


def _may_run_on(text: str) -> bool:
    return _MAY_BEGIN.search(text) is not None or any(_is_praise(one) for one in (text.split()[:1] + text.split()[-1:]))


def _is_praise(token: str) -> bool:
    word = token.strip(_MARKS).lower()
    return bool(word) and stem(word) in _PRAISE


def _words_of_praise(tokens: Sequence[str], *, from_end: bool) -> int:
    """How many words do nothing but please: "cheers, happy to help further", "clear, concise, complete".

    Words of thanks and offers do wherever they stand, those of praise in a list.
    """
    found: set[str] = set()
    size = 0
    for place in range(len(tokens) - 1, -1, -1) if from_end else range(len(tokens)):
        word = tokens[place].strip(_MARKS).lower()
        listed = tokens[place][-1] == "," or (place > 0 and tokens[place - 1][-1] == ",")
        if word and stem(word) in (_PRAISE if listed else PLEASANTRIES):
            found.add(word)
            size = len(tokens) - place if from_end else place + 1
        elif word and (word not in STOP_WORDS or word in NEGATIONS):
            break
    return size if len(found) >= _FEWEST_WORDS else 0


def _said_in(one: Statement) -> Iterator[tuple[str, ...]]:
    """Its words, to be cut off where they stand again; if it says the same twice, those of once."""
    half = len(one.words) // 2
    if half >= _FEWEST_SAID_AGAIN and one.words[:half] == one.words[half:]:
        yield one.words[:half]
    elif len(one.words) >= _FEWEST_SAID_AGAIN:
        yield one.words


class _Cutter:
    def __init__(
        self,
        reader: Reader,
        is_tied: Reads,
        is_padding: Reads,
        may_hold_padding: Reads,
        said: Collection[tuple[str, ...]],
    ) -> None:
        self._read = reader.read_sentence
        self._is_tied = is_tied
        self._is_padding = is_padding
        self._may_hold_padding = may_hold_padding
        self._said = said

    def cut_line(self, line: str) -> str:
        if not _may_run_on(line) or _ROW_OF_TABLE.match(line):
            return line
        if line.lstrip()[:1] not in _OPENS_JSON and is_line_of_code(line):
            return "\n".join(self._without_end(line))
        pieces: list[str] = []
        begun = 0
        for sentence in split_sentences(line):
            at = line.find(sentence, begun)
            if at < 0:
                return line
            pieces += [line[begun:at], "\n".join(self._cut(sentence))]
            begun = at + len(sentence)
        return "".join((*pieces, line[begun:]))

    def _without_end(self, code: str) -> Iterator[str]:
        """A line of code is read for what is said behind it, and no further."""
        for end, begin in reversed(_places(code)):
            if code[begin].isupper() and self._are_padding([code[begin:]]):
                yield code[:end]
                code = code[begin:]
                break
        yield code

    def _cut(self, sentence: str) -> list[str]:
        ahead, sentence, behind = self._without_praise(sentence)
        places = _places(sentence)
        pieces = _pieces(sentence, places) if places else []
        if len(pieces) > 1 and self._may_be_joined(self._read(sentence)):
            while size := self._padding_ahead(pieces):
                ahead.append(" ".join(pieces[:size]))
                pieces = pieces[size:]
            while size := self._padding_behind(pieces):
                behind.append(" ".join(pieces[-size:]))
                pieces = pieces[:-size]
        if pieces and (ahead or behind):
            sentence = " ".join(pieces)
            places = _places(sentence)
        return [*ahead, *self._cut_untied(sentence, places), *reversed(behind)]

    def _may_be_joined(self, one: Statement) -> bool:
        return self._may_hold_padding(one) or any(
            words in (one.words[: len(words)], one.words[-len(words) :])
            for words in self._said
            if len(words) < len(one.words)
        )

    def _without_praise(self, sentence: str) -> tuple[list[str], str, list[str]]:
        """What pleases ahead, the rest, and what pleases behind."""
        tokens = sentence.split()
        begin = _words_of_praise(tokens, from_end=False) if _is_praise(tokens[0]) else 0
        end = len(tokens) - (_words_of_praise(tokens, from_end=True) if _is_praise(tokens[-1]) else 0)
        if not (begin or end < len(tokens)) or begin >= end:
            return [], sentence, []
        ahead, behind = " ".join(tokens[:begin]), " ".join(tokens[end:])
        rest = " ".join(tokens[begin:end])
        if not self._read(rest).stems or any(self._is_tied(self._read(one)) for one in (ahead, behind) if one):
            return [], sentence, []
        return [ahead] * bool(ahead), rest, [behind] * bool(behind)

    def _padding_ahead(self, pieces: Sequence[str]) -> int:
        """How many pieces are padding, the fewest that are; none if it is only the last of them."""
        for size in range(1, min(len(pieces), _MOST_TOGETHER + 1)):
            if self._are_padding(pieces[:size]):
                return 0 if any(self._are_padding(pieces[begun:size]) for begun in range(1, size)) else size
        return 0

    def _padding_behind(self, pieces: Sequence[str]) -> int:
        for size in range(1, min(len(pieces), _MOST_TOGETHER + 1)):
            if self._are_padding(pieces[-size:]):
                return 0 if any(self._are_padding(pieces[-size:-end]) for end in range(1, size)) else size
        return 0

    def _are_padding(self, pieces: Sequence[str]) -> bool:
        one = self._read(" ".join(pieces))
        return self._is_padding(one) or one.words in self._said

    def _cut_untied(self, sentence: str, places: Sequence[_Place]) -> Iterator[str]:
        longest = _longest_label(sentence) if places else 0
        for end, begin in reversed(places):
            if self._is_label(sentence[:end], sentence[begin:], longest):
                yield sentence[:end]
                sentence = sentence[begin:]
                places = _places(sentence)
                break
        for end, begin in places:
            if self._is_foreign(sentence[:end], sentence[begin:]):
                yield sentence[:end]
                sentence = sentence[begin:]
                break
        yield sentence

    def _is_foreign(self, head: str, tail: str) -> bool:
        return _may_be_clause(head, tail, self._read) and not self._is_tied(self._read(tail))

    def _is_label(self, head: str, tail: str, longest: int) -> bool:
        """`longest` is where a label in Latin letters ends at the latest, but for one that ends as a sentence does."""
        if len(head) > longest and not _is_done_before(head, tail) and _LATIN.search(head):
            return False
        one = self._read(head)
        return _is_set_apart(head, tail, one) and not self._is_tied(one)


def _places(sentence: str) -> list[_Place]:
    return [found.span() for found in islice(_MAY_BEGIN.finditer(sentence), _MOST_PLACES)]


def _pieces(sentence: str, places: Sequence[_Place]) -> list[str]:
    """What stands between the places, but for those where it goes on: to a value, a bracket that closes, a verb."""
    pieces: list[str] = []
    begun = 0
    for end, begin in places:
        piece, first = sentence[begun:end], sentence[begin:].split(maxsplit=1)[0]
        last = piece.rsplit(maxsplit=1)[-1].lower()
        closed = piece[-1] != ":" and piece.count("{") <= piece.count("}")
        is_question = first == "I" and last in _VERBS  # "How can I help?"
        if closed and first not in _GOES_ON_WITH and last not in LEADS_ON and not is_question:
            pieces.append(piece)
            begun = begin
    return [*pieces, sentence[begun:]]


def _may_be_clause(head: str, tail: str, read: Callable[[str], Statement]) -> bool:  # noqa: PLR0911  # the first rule that applies decides
    """Whether a text that follows another may be a sentence, as opposed to a name in one."""
    if not tail[0].isalpha() or head.count('"') % 2:
        return False
    if _LATIN.match(tail) is None:
        return head[-1].isascii() and len(tail) > _FEWEST_WORDS and not (_LATIN.search(tail) or _NOT_LATIN.search(head))
    before = head.rsplit(maxsplit=1)[-1]
    last = before.strip("\"'“”‘’([).").lower()
    words = tail.split(maxsplit=_FEWEST_WORDS + 1)
    if before[-1] == ":" or (len(last) == 1 and last.isalpha()) or last in _GOES_ON or not tail[0].isupper():
        return False
    if _is_exclaimed(words, tail, read):
        return True
    if len(words) < _FEWEST_WORDS:
        return False
    first = next(iter(Words(words[0]).sequence), "")
    if words[0][-1] == ":" and first in LABELS:
        return True
    if len(first) == 1 and words[0] != "I":
        return False
    if words[0] == "I":
        return last not in STOP_WORDS and all(map(_is_well_known, read(tail).words))
    plainly = not before[0].isupper() and _is_well_known(first)
    is_long = head.count(" ") >= _FEWEST_WORDS or (len(words) > _FEWEST_WORDS and tail[-1] in _ENDS)
    if words[1][0].islower() and (plainly or (is_long and _opens_sentences(first))):
        return True
    return _is_without_names(head) and last not in STOP_WORDS and all(word[0].islower() for word in words[1:3])


def _opens_sentences(first: str) -> bool:
    """Whether a name seldom goes on with it: "New Employee Onboarding Please note that …"."""
    return first in STOP_WORDS or first in _LEADING or stem(first) in PLEASANTRIES


def _is_exclaimed(words: Sequence[str], text: str, read: Callable[[str], Statement]) -> bool:
    """Whether it is a few words that say nothing: "Of course!"."""
    if not 1 < len(words) <= _FEWEST_WORDS or words[-1][-1] not in _ENDS or not words[1][0].islower():
        return False
    said = () if words[0].isupper() else read(text).words
    if not said or not (words[-1][-1] == "!" or said[0] in STOP_WORDS):
        return False
    return all(map(_is_well_known, said))


def _is_without_names(head: str) -> bool:
    """Whether it may be a sentence, and has no capital but the first, so that the next one means something."""
    words = head.split()
    return len(words) > _FEWEST_WORDS and not any(word[0].isupper() for word in words[1:])


def _is_well_known(word: str) -> bool:
    return word in STOP_WORDS or stem(word) in _WELL_KNOWN


def _is_set_apart(head: str, tail: str, one: Statement) -> bool:
    """Whether it announces what follows, or is done before it, and is no part of it: "Answer:", "Perhaps. it …"."""
    if not one.words or (head.isdecimal() and tail[0].islower()):  # "1984 by George Orwell"
        return False
    if _LATIN.search(head) is None:
        return len(head) > _FEWEST_WORDS and _LATIN.match(tail) is not None
    if _is_done_before(head, tail):
        return all(map(_is_well_known, one.words))
    named = [word for word in one.words if not word.isdecimal() and word not in STOP_WORDS]
    if not 0 < len({*named}) <= _MOST_OF_LABEL or not (head[-1] in _CLOSES or tail[0].isupper()):
        return False
    if LABELS.issuperset(named) and (head[-1] in _CLOSES or len(named) == len(one.words)):
        return True
    begins = tail.split(maxsplit=2)
    plainly = len(begins) > 1 and begins[0].lower() in STOP_WORDS and begins[1][0].islower()
    return plainly and one.words[-1] not in _GOES_ON and all(stem(word) in _PRAISE for word in named)


def _is_done_before(head: str, tail: str) -> bool:
    return tail[0].islower() and head[-1] in _ENDS and not head[-2:-1].isspace()


def _longest_label(sentence: str) -> int:
    """Where it begins to speak of something: before the first word that is neither grammar nor a word of labels."""
    for token in _TOKEN.finditer(sentence):
        word = token[0].strip(_MARKS).lower()
        if word.isalpha() and word not in STOP_WORDS and word not in LABELS and stem(word) not in _PRAISE:
            return token.start()
    return len(sentence)
