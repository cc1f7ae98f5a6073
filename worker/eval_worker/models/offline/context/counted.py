"""The numbers of a sentence with the words around them, to tell whether two sentences number the same thing."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from eval_worker.evaluation.text.words import Words
from eval_worker.models.offline.reading.quantities import Quantity, ascii_digits, find_quantities
from eval_worker.models.offline.reading.stems import stem
from eval_worker.models.offline.reading.synonyms import meaning
from eval_worker.models.offline.reading.vocabulary import LIGHT_WORDS

_MOST_NUMBERS, _SCANNED = 16, 2000  # of a sentence
_AROUND, _FOLLOWING, _WITHIN = 4, 2, 80  # words on either side, and the characters that they are looked for in
_FEWEST_SHARED = 2
_SECONDS = {"time": Decimal(1), "months": Decimal(2_629_800)}
_SAME_TIME = Decimal("1.25")
_YEARS = range(1000, 2101)
_SUFFIX = re.compile(r"(?<=\d)(?:st|nd|rd|th|s)$")
_LONGEST_CACHED = 2000


@dataclass(frozen=True, slots=True)
class Counted:
    """`counted` are the meanings of the words right after the number, `around` of those on both sides."""

    quantity: Quantity
    around: frozenset[str]
    counted: frozenset[str]

    @property
    def is_year(self) -> bool:
        text = self.quantity.text
        return self.quantity.unit is None and text.isdecimal() and int(text) in _YEARS

    @property
    def kind(self) -> str:
        """Years, decades, ranks, shares and counts are not to be compared with one another."""
        if self.is_year:
            return "year"
        if self.quantity.is_percentage:
            return "share"
        suffix = _SUFFIX.search(self.quantity.text)
        return suffix.group() if suffix else ""

    def is_of_the_same(self, other: "Counted") -> bool:
        """Whether both number the same thing: years both or neither, in units of one kind, among the same words."""
        one, another = self.quantity.unit, other.quantity.unit
        if self.kind != other.kind or (one and another and not (one.may_be(another) or self._is_far_from(other))):
            return False
        if self.counted and other.counted and not (one or self.is_year) and self.counted.isdisjoint(other.counted):
            return False
        words = len(self.around & other.around)
        shared = words + bool(one and another)
        return bool(words or not self.around) and shared >= min(_FEWEST_SHARED, len(self.around))

    def _is_far_from(self, other: "Counted") -> bool:
        """Whether one is a time in days or less and the other in months or more, that no month's length makes equal."""
        one, another = _seconds(self.quantity), _seconds(other.quantity)
        return bool(one and another) and not one / _SAME_TIME < another < one * _SAME_TIME


def _seconds(quantity: Quantity) -> Decimal:
    """Zero for what is no time."""
    if quantity.unit is None:
        return Decimal(0)
    return max(quantity.readings) * quantity.unit.factor * _SECONDS.get(quantity.unit.measures, Decimal(0))


def counted_in(text: str) -> list[Counted]:
    """The first numbers of a sentence, in order."""
    return _counted(text) if len(text) <= _LONGEST_CACHED else _read(text)


@lru_cache(maxsize=256)
def _counted(text: str) -> list[Counted]:
    return _read(text)


def _read(text: str) -> list[Counted]:
    text = ascii_digits(text[:_SCANNED])
    found: list[Counted] = []
    for one in find_quantities(text)[:_MOST_NUMBERS]:
        before = _topics(text[max(0, one.start - _WITHIN) : one.start])[-_AROUND:]
        after = _topics(text[one.end : one.end + _WITHIN])[:_AROUND]
        found.append(Counted(one, frozenset(before + after), frozenset(after[:_FOLLOWING])))
    return found


def _topics(text: str) -> list[str]:
    """The meanings of the words, without grammar and numbers."""
    words = Words(text).content()
    return [meaning(stem(one)) for one in words if one not in LIGHT_WORDS and not any(map(str.isdigit, one))]
