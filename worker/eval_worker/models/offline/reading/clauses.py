"""Texts cut into clauses, each with what it speaks of and whether it denies it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from eval_worker.evaluation.text.words import Words
from eval_worker.models.offline.reading.dates import Date, TimeOfDay, find_dates, find_times
from eval_worker.models.offline.reading.quantities import Quantity, ascii_digits, find_quantities
from eval_worker.models.offline.reading.stems import stem
from eval_worker.models.offline.reading.vocabulary import LIGHT_WORDS, NEGATIONS, UNSPACED_NEGATION

_MOST_CLAUSES, _MOST_NUMBERS = 500, 16  # of a text, and of a clause
_CUT = re.compile(
    r"[;，；：、،؛]\s*|[:,]\s+|\s+[-–—]+\s+|(?<=\S)[()]\s*|(?<!anything)(?<!everything)(?<!nothing)\s+(?=(?:but|however|although|though|because|while|whereas|without|"
    r"rather than|instead of|as opposed to|and not|sondern|aber|mais|sino|pero|но|а не)\b)",
    re.IGNORECASE,
)
_CONTRASTED = re.compile(
    r"^(?:rather than|instead of|as opposed to|unlike|statt|au lieu de|en vez de|вместо|而不是)", re.IGNORECASE
)
_DENIES_NOTHING = re.compile(
    r"\b(?:no doubt|without (?:a |any )?doubt|not only|none other than|no (?:more|later|less|fewer|earlier) than|"
    r"not (?:more|later|less|fewer|earlier) than|not to mention|whether or not|no problem|nothing but|no\. ?(?=\d)|"
    r"not just)",
    re.IGNORECASE,
)
_DENIED_BY = re.compile(
    r"\b(?:any\w+|every\w+|all) (?:but|except)\b|\bfree (?:of|from)\b|\black(?:s|ed|ing)?\b|"
    r"\b(?:false|wrong|incorrect|untrue|a myth|falsch|faux|falso|неверно)\b|\b(?:fails?|failed|refuses?|refused) to\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """`stems` are its topic words, in order, with the word that each came from; numbers stand apart from them."""

    text: str
    sentence: int
    words: tuple[str, ...]
    stems: dict[str, str]
    quantities: tuple[Quantity, ...]
    dates: tuple[Date, ...]
    times: tuple[TimeOfDay, ...]
    negated: bool

    @property
    def is_empty(self) -> bool:
        return not (self.stems or self.quantities or self.dates or self.times)


def read_clauses(sentences: Iterable[str]) -> list[Clause]:
    """The clauses of these sentences that have a word in them, in order; so many that comparing them stays quick."""
    pieces = ((piece, number) for number, sentence in enumerate(sentences) for piece in _pieces(ascii_digits(sentence)))
    return [read_clause(piece, number) for piece, number in islice(pieces, _MOST_CLAUSES)]


def _pieces(sentence: str) -> Iterable[str]:
    """Cut at commas and the like, though not inside a date or a number."""
    whole = (*find_dates(sentence), *find_times(sentence), *find_quantities(sentence))
    inside = {place for one in whole for place in range(one.start + 1, one.end)}
    start = 0
    for match in _CUT.finditer(sentence):
        if match.start() not in inside and any(map(str.isalnum, sentence[start : match.start()])):
            yield sentence[start : match.start()]
            start = match.end()
    if any(map(str.isalnum, sentence[start:])):
        yield sentence[start:]


def read_clause(text: str, sentence: int = 0) -> Clause:
    dates = tuple(find_dates(text))
    left = _without(text, dates)
    times = tuple(find_times(left))
    left = _without(left, times)
    quantities = tuple(find_quantities(left)[:_MOST_NUMBERS])
    words = Words(_without(left, quantities))
    stems: dict[str, str] = {}
    for word in words.content():
        if word not in LIGHT_WORDS:
            stems.setdefault(stem(word), word)
    return Clause(text, sentence, tuple(Words(text).sequence), stems, quantities, dates, times, _denies(text, words))


def _without(text: str, spans: Iterable[Date | TimeOfDay | Quantity]) -> str:
    kept = list(text)
    for one in spans:
        kept[one.start : one.end] = " " * (one.end - one.start)
    return "".join(kept)


def _denies(text: str, words: Words) -> bool:
    if _CONTRASTED.match(text.strip()):
        return True
    text = _DENIES_NOTHING.sub(" ", text)
    denials = sum(word in NEGATIONS for word in Words(text).sequence)
    if words.unspaced and UNSPACED_NEGATION.search(text):
        denials += 1
    return bool(denials) != (_DENIED_BY.search(text) is not None)
