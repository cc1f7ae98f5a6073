"""The numbers of an answer that neither its context nor its query has, by value: half an hour is 30 minutes."""

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import cached_property, lru_cache
from itertools import islice

from eval_worker.evaluation.text.numbers_in_text import find_numbers
from eval_worker.evaluation.text.words import Words
from eval_worker.models.offline.reading.announcement import is_code
from eval_worker.models.offline.reading.quantities import Quantity, ascii_digits, find_quantities
from eval_worker.models.offline.reading.statement import Statement
from eval_worker.models.offline.reading.tokens import in_plain_numbers

_TIME, _MOST_TIMES = re.compile(r"(?<![\d.,])([01]?\d|2[0-3]) ([0-5]\d)(?![\d.,])"), 12  # as tokens have it
_ROUGHLY = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|nearly|almost|over|just (?:over|under)|some|etwa|rund|circa|ca\.?|"
    r"environ|unos|unas|aproximadamente|circa)|[~≈约約]|大约|およそ)\s*[€$£¥]?$",
    re.IGNORECASE,
)
_SMALL_COUNT = 10
_LEAD = 24  # characters: the longest of the words before a number
_LONGEST_CACHED = 20_000  # characters
_ROUNDED = Decimal("0.06")
_MOST_SENTENCES, _MOST_QUANTITIES = 400, 200


def numbers_nowhere(answer: Iterable[Statement], known: Iterable[Statement]) -> list[str]:
    """The distinct numbers that the sentences tell and those that are known do not, as they have them."""
    told = [one for one in answer if one.numbers and not is_code(one.text)]
    if not told:
        return []
    numbers = _known_numbers(tuple(one.text for one in islice(known, _MOST_SENTENCES) if one.numbers))
    return list(dict.fromkeys(number for one in told for number in numbers.lacking(one)))


def _known_numbers(texts: tuple[str, ...]) -> "_KnownNumbers":
    return _kept(texts) if sum(map(len, texts)) <= _LONGEST_CACHED else _KnownNumbers(texts)


class _KnownNumbers:
    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = list(map(in_plain_numbers, texts))
        self._found: dict[str, list[str]] = {}

    @cached_property
    def _values(self) -> frozenset[str]:
        return frozenset[str]().union(*map(_values_in, self._texts))

    @cached_property
    def _amounts(self) -> frozenset[Decimal]:
        """The known numbers as they are, in the base unit of what they measure, and as shares of one."""
        return frozenset(amount for one in self._quantities for amount in _amounts_of(one))

    @cached_property
    def _quantities(self) -> list[Quantity]:
        found = (one for text in self._texts for one in find_quantities(ascii_digits(text)))
        return list(islice(found, _MOST_QUANTITIES))

    @cached_property
    def _spans(self) -> frozenset[int]:
        """The minutes from one time of day to another."""
        times = {60 * int(hour) + int(minute) for text in self._texts for hour, minute in _TIME.findall(text)}
        ordered = sorted(times)[:_MOST_TIMES]
        return frozenset(late - early for early in ordered for late in ordered if late > early)

    def _is_span(self, number: Quantity) -> bool:
        if number.unit is None or number.unit.measures != "time":
            return False
        return any(value * number.unit.factor / 60 in self._spans for value in number.readings)

    def lacking(self, said: Statement) -> list[str]:
        """The numbers of the sentence that are not among these, as it has them."""
        found = self._found.get(said.text)
        if found is None:
            found = self._found[said.text] = self._lacking(said)
        return found

    def _lacking(self, said: Statement) -> list[str]:
        text = in_plain_numbers(said.text)
        values = _unsigned(said.numbers) if text == said.text else _values_in(text)
        strange = values - self._values
        if not strange:
            return []
        found = find_quantities(ascii_digits(text))
        told = (one for one in found if not strange.isdisjoint(_values_in(one.text)))
        return [one.text for one in told if not (_counts_itself(one) or self._has(text, one))]

    def _has(self, text: str, number: Quantity) -> bool:
        exact = not number.slack
        if (not exact or not self._amounts.isdisjoint(_amounts_of(number))) and any(
            map(number.equals, self._quantities)
        ):
            return True
        return self._is_span(number) or (_is_rough(text, number) and self._is_near(number))

    def _is_near(self, number: Quantity) -> bool:
        """Whether rounding makes it of a number that is known."""
        known = (one for one in self._quantities if _measures(one) == _measures(number))
        factor = number.unit.factor if number.unit else Decimal(1)
        return any(
            abs(there * (one.unit.factor if one.unit else 1) - here * factor) <= _ROUNDED * here * factor
            for one in known
            for there in one.readings
            for here in number.readings
        )


@lru_cache(maxsize=4)  # asked for each core of an answer
def _kept(texts: tuple[str, ...]) -> _KnownNumbers:
    return _KnownNumbers(texts)


def _amounts_of(number: Quantity) -> set[Decimal]:
    factor = number.unit.factor if number.unit else Decimal(1)
    as_share = Decimal(100) if number.is_percentage else Decimal(1)
    return {amount for one in number.readings for amount in (one, one * factor, one / as_share)}


def _measures(number: Quantity) -> str | None:
    return number.unit.measures if number.unit else None


def _counts_itself(number: Quantity) -> bool:
    """Whether it is a small count in words, as an answer counts its own points: "two reasons"."""
    return number.unit is None and number.text.isalpha() and max(number.readings) <= _SMALL_COUNT


def _is_rough(text: str, number: Quantity) -> bool:
    return _ROUGHLY.search(text, max(0, number.start - _LEAD), number.start) is not None


def _values_in(text: str) -> set[str]:
    return _unsigned(find_numbers(text, Words(text).sequence))


def _unsigned(numbers: Iterable[str]) -> set[str]:
    return {value.removeprefix("-") for value in numbers}
