"""What an answer says, indexed so that each demand of a reference can be looked up in it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eval_worker.evaluation.text.words import fold, is_unspaced
from eval_worker.models.offline.correctness.agreement import agree, opposites_of
from eval_worker.models.offline.correctness.demands import Demand
from eval_worker.models.offline.reading.clauses import Clause
from eval_worker.models.offline.reading.dates import Date, TimeOfDay
from eval_worker.models.offline.reading.quantities import Quantity
from eval_worker.models.offline.reading.spellings import loose
from eval_worker.models.offline.reading.synonyms import meaning

_MOST_PLACES = 48
_HALVES = {0: frozenset({"morning"}), 720: frozenset({"afternoon", "evening", "night"})}
"""The words of each half of the day, by the minutes that it begins at."""


@dataclass(frozen=True, slots=True)
class Finding:
    """How much of a demand the answer says, 0..1, and whether it says the contrary instead."""

    demand: Demand
    share: float
    denied: bool = False


class Said:
    def __init__(self, clauses: Sequence[Clause]) -> None:
        self.clauses = clauses
        self._places: dict[str, list[Clause]] = {}
        for clause in clauses:
            for key in dict.fromkeys(key for one, word in clause.stems.items() for key in keys_of(one, word)):
                places = self._places.setdefault(key, [])
                if len(places) < _MOST_PLACES:
                    places.append(clause)

    def find(self, demand: Demand) -> Finding:
        """Look a demand up: it counts only where the answer affirms what the reference does, or denies what it does."""
        places = list(self._places_of(demand))
        agreeing = [share for clause, share in places if _is_nothing(demand) or agree(demand.clause, clause)]
        contrary = isinstance(demand.thing, str) and self._opposite(demand.thing, demand.clause)
        if agreeing:
            return Finding(demand, max(agreeing))
        if contrary:
            return Finding(demand, 1.0)
        return Finding(demand, 0.0, denied=bool(places))

    def _places_of(self, demand: Demand) -> Iterable[tuple[Clause, float]]:
        match demand.thing:
            case Quantity() as number:
                yield from self._with_number(number)
            case Date() as date:
                yield from self._with_date(date)
            case TimeOfDay() as time:
                yield from ((clause, 1.0) for clause in self.clauses if _tells_time(clause, time))
            case word:
                yield from ((clause, 1.0) for clause in self.with_word(word, demand.text))

    def _with_number(self, number: Quantity) -> Iterable[tuple[Clause, float]]:
        for clause in self.clauses:
            is_year = number.unit is None and any(one.year in number.readings for one in clause.dates)
            if is_year or any(number.equals(one) for one in clause.quantities):
                yield clause, 1.0

    def _with_date(self, date: Date) -> Iterable[tuple[Clause, float]]:
        for clause in self.clauses:
            shares = [date.share_in(one) for one in clause.dates]
            if date.year and any(date.year in one.readings for one in clause.quantities):
                shares.append(date.share_in(Date("", 0, 0, year=date.year)))
            if any(shares):
                yield clause, max(shares)

    def with_word(self, one: str, surface: str) -> list[Clause]:
        for key in keys_of(one, surface):
            if key in self._places:
                return self._places[key]
        if is_unspaced(surface):
            return [clause for clause in self.clauses if surface in fold(clause.text)]
        return [
            clause for clause in self.clauses if surface in clause.words
        ]  # grammar, or an answer that looks like it

    def _opposite(self, one: str, clause: Clause) -> bool:
        """Whether the answer denies the opposite: "not allowed" says "forbidden"."""
        return any(
            place.negated != clause.negated
            for opposite in opposites_of(one)
            for place in self._places.get(opposite, ())
        )


def _tells_time(clause: Clause, time: TimeOfDay) -> bool:
    """A bare number is an hour, too, of the half of the day that is said or of either: "at 9", "9 in the evening"."""
    if clause.times:
        return any(time.minutes & one.minutes for one in clause.times)
    hours = (int(one.readings[0]) for one in clause.quantities if one.unit is None and one.text.isdecimal())
    halves = [half for half, words in _HALVES.items() if not words.isdisjoint(clause.words)] or list(_HALVES)
    return any(hour * 60 + half in time.minutes for hour in hours for half in halves)


def _is_nothing(demand: Demand) -> bool:
    return isinstance(demand.thing, Quantity) and 0 in demand.thing.readings


def keys_of(one: str, surface: str) -> tuple[str, ...]:
    """The spellings under which a word is found again, the narrowest first."""
    return tuple(dict.fromkeys((one, meaning(one), loose(surface))))
