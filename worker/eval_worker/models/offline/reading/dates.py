"""Dates and times of day in a text, however they are written."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_MONTHS = {
    1: "january jan januar janvier enero gennaio janeiro января январь январе",
    2: "february feb februar février fevrier febrero febbraio fevereiro февраля февраль",
    3: "march mar märz maerz mars marzo março марта март",
    4: "april apr avril abril aprile апреля апрель",
    5: "may mai mayo maggio maio мая май",
    6: "june jun juni juin junio giugno junho июня июнь",
    7: "july jul juli juillet julio luglio julho июля июль",
    8: "august aug août aout agosto августа август",
    9: "september sep sept septembre septiembre settembre setembro сентября сентябрь",
    10: "october oct oktober octobre octubre ottobre outubro октября октябрь",
    11: "november nov novembre noviembre novembro ноября ноябрь",
    12: "december dec dezember dez décembre decembre diciembre dicembre dezembro декабря декабрь",
}
_NUMBER_OF = {name: number for number, names in _MONTHS.items() for name in names.split()}
_MONTH = rf"(?P<month>{'|'.join(sorted(_NUMBER_OF, key=len, reverse=True))})\b\.?"
_DAY = r"(?<!\d)(?P<day>[0-3]?\d)(?:st|nd|rd|th|\.|º)?"
_YEAR = r"(?P<year>[12]\d{3})(?!\d)"
_OF = r"(?:\s+(?:of|de|del|di))?"
_WORDED = [
    re.compile(rf"\b{_MONTH}\s+{_DAY}(?![\d:])(?:\s*,?\s+{_YEAR})?", re.IGNORECASE),
    re.compile(rf"{_DAY}{_OF}\s+{_MONTH}(?:{_OF},?\s+{_YEAR})?", re.IGNORECASE),
    re.compile(rf"\b{_MONTH}{_OF},?\s+{_YEAR}", re.IGNORECASE),
]
_ORDINAL_DOT = re.compile(rf"(?<=\d)\.(?=\s+{_MONTH})", re.IGNORECASE)
_YEAR_FIRST = re.compile(r"(?<!\d)(?P<year>[12]\d{3})([-/.])(?P<month>[01]?\d)\2(?P<day>[0-3]?\d)(?!\d)")
_YEAR_LAST = re.compile(r"(?<!\d)(?P<one>[0-3]?\d)([-/.])(?P<other>[0-3]?\d)\2(?P<year>[12]\d{3})(?!\d)")
_HAN = re.compile(r"(?:(?P<year>[12]\d{3})\s*年)\s*(?:(?P<month>1?\d)\s*月\s*(?:(?P<day>[1-3]?\d)\s*[日号號])?)?")
_CLOCK = re.compile(
    r"(?<![\d.:])(?P<hour>[01]?\d|2[0-3])(?:(?:[:h.]|\s?Uhr\s)(?P<minute>[0-5]\d)(?!\d))?\s*"
    r"(?P<half>[ap]\.?m\b\.?)|(?<![\d.:])(?P<hour24>[01]?\d|2[0-3])[:h](?P<minute24>[0-5]\d)(?![\d:])",
    re.IGNORECASE,
)
_NAMED_TIMES = {"noon": 720, "midday": 720, "midnight": 0}
_NAMED_TIME = re.compile(r"\b(?:noon|midday|midnight)\b", re.IGNORECASE)
_MONTHS_A_YEAR, _HALF_A_DAY = 12, 720


@dataclass(frozen=True, slots=True)
class Date:
    """What is not said is None. `swapped` is the other reading of 4/7/1776."""

    text: str
    start: int
    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    swapped: bool = False

    def share_in(self, other: "Date") -> float:
        """The share of what this date says that the other says, too; 0 if they differ in anything."""
        if other.swapped and not self.swapped:
            flipped = Date(other.text, other.start, other.end, other.year, other.day, other.month)
            return max(self._share(other), self._share(flipped))
        return self._share(other)

    def _share(self, other: "Date") -> float:
        said = [
            (mine, theirs)
            for mine, theirs in ((self.year, other.year), (self.month, other.month), (self.day, other.day))
            if mine is not None
        ]
        if any(theirs is not None and mine != theirs for mine, theirs in said):
            return 0.0
        return sum(theirs is not None for _, theirs in said) / len(said)


@dataclass(frozen=True, slots=True)
class TimeOfDay:
    """`minutes` are what it may mean, counted from midnight: 3:00 is in the morning or in the afternoon."""

    text: str
    start: int
    end: int
    minutes: frozenset[int]


def without_ordinal_dots(text: str) -> str:
    """The text with no dot in "3. Mai", which would end a sentence there; everything else at the same place."""
    return _ORDINAL_DOT.sub(" ", text)


def find_dates(text: str) -> list[Date]:
    """All dates of a text whose digits are ASCII; a year alone is a number, not a date."""
    if not any(map(str.isdigit, text)):
        return []
    found: list[Date] = []
    taken: set[int] = set()
    for one in _candidates(text):
        places = range(one.start, one.end)
        if taken.isdisjoint(places):
            taken.update(places)
            found.append(one)
    return found


def _candidates(text: str) -> Iterator[Date]:
    for match in _YEAR_FIRST.finditer(text):
        yield Date(match.group(), *match.span(), int(match["year"]), int(match["month"]), int(match["day"]))
    for match in _YEAR_LAST.finditer(text):
        yield from _numeric(match)
    for match in _HAN.finditer(text):
        if match["month"]:
            yield Date(match.group(), *match.span(), *_parts(match, int(match["month"])))
    for pattern in _WORDED:
        for match in pattern.finditer(text):
            yield Date(match.group(), *match.span(), *_parts(match, _NUMBER_OF[match["month"].lower()]))


def _numeric(match: re.Match[str]) -> Iterator[Date]:
    one, other = int(match["one"]), int(match["other"])
    month, day = (one, other) if one <= _MONTHS_A_YEAR else (other, one)
    if 1 <= month <= _MONTHS_A_YEAR and day:
        ambiguous = max(one, other) <= _MONTHS_A_YEAR and one != other
        yield Date(match.group(), *match.span(), int(match["year"]), month, day, swapped=ambiguous)


def _parts(match: re.Match[str], month: int) -> tuple[int | None, int, int | None]:
    parts = match.groupdict()
    year, day = parts.get("year"), parts.get("day")
    return (int(year) if year else None), month, (int(day) if day else None)


def find_times(text: str) -> list[TimeOfDay]:
    """All times of day of a text whose digits are ASCII."""
    named = ((match, frozenset({_NAMED_TIMES[match.group().lower()]})) for match in _NAMED_TIME.finditer(text))
    told = ((match, _minutes(match)) for match in _CLOCK.finditer(text))
    return [TimeOfDay(match.group(), *match.span(), minutes) for match, minutes in (*told, *named)]


def _minutes(match: re.Match[str]) -> frozenset[int]:
    if match["hour24"]:
        minutes = int(match["hour24"]) * 60 + int(match["minute24"])
        return frozenset({minutes, minutes + _HALF_A_DAY}) if minutes < _HALF_A_DAY else frozenset({minutes})
    minutes = int(match["hour"]) % 12 * 60 + int(match["minute"] or 0)
    return frozenset({minutes + _HALF_A_DAY if match["half"][0] in "pP" else minutes})
