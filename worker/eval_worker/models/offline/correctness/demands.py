"""What a reference demands of an answer: the numbers, dates, names and words that the query does not give already."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from eval_worker.evaluation.text.asks import Asks
from eval_worker.evaluation.text.word_set import word_set
from eval_worker.models.offline.reading.clauses import Clause
from eval_worker.models.offline.reading.dates import Date, TimeOfDay
from eval_worker.models.offline.reading.quantities import Quantity
from eval_worker.models.offline.reading.stems import stem
from eval_worker.models.offline.reading.synonyms import meaning

_HARD, _NAME, _WORD = 3.0, 2.0, 1.0
_BESIDE, _BESIDE_A_NAME = 0.1, 0.5  # what others count where one kind is asked for; any noun may ask for a name
_FEW_DEMANDS = 2
_FEW_OF_KIND = 2
_MOST = 60  # what a longer reference says beyond is not looked up
_WORDS_OF_ITEM = 3
_LEAD = re.compile(r"^.{0,120}?\b(?:are|is|include|includes|sind|sont|son|sono|это)\b:?|^[^:]{0,120}:", re.IGNORECASE)
_BETWEEN_ITEMS = re.compile(r"[,;、،]\s*(?:(?:and|und|et|y|e|и|و)\s+)?|\s+(?:and|und|et|y|e|и)\s+|和|&", re.IGNORECASE)
FRAME = frozenset(
    map(
        stem,
        word_set(
            """
            answer response reply question result results solution output equals equal total sum final value number
            amount figure called named name known correct approximately about roughly mount river lake city
            """
        ),
    )
)
"""Stems that only hold up what is said: "the result equals" demands nothing."""


class Kind(StrEnum):
    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    NAME = "name"
    WORD = "word"


_KINDS_ASKED = {
    Asks.NUMBER: {Kind.NUMBER},
    Asks.DATE: {Kind.DATE, Kind.TIME, Kind.NUMBER},
    Asks.PERSON: {Kind.NAME},
    Asks.PLACE: {Kind.NAME},
    Asks.NAME: {Kind.NAME},
}


@dataclass(frozen=True, slots=True)
class Demand:
    """One thing that the reference says. `essential` ones can't be paraphrased away."""

    kind: Kind
    text: str
    clause: Clause
    weight: float
    thing: Quantity | Date | TimeOfDay | str

    @property
    def essential(self) -> bool:
        return self.weight >= _NAME


@dataclass(frozen=True, slots=True)
class Given:
    """What the query says, and so the answer need not."""

    stems: frozenset[str]
    quantities: tuple[Quantity, ...]
    dates: tuple[Date, ...]

    @classmethod
    def by(cls, query: Iterable[Clause]) -> "Given":
        clauses = list(query)
        return cls(
            frozenset(meaning(one) for clause in clauses for one in clause.stems),
            tuple(one for clause in clauses for one in clause.quantities),
            tuple(one for clause in clauses for one in clause.dates),
        )

    def has(self, demand: Demand) -> bool:
        match demand.thing:
            case Quantity() as number:
                return self.has_number(number)
            case Date() as date:
                return any(date.share_in(one) == 1 for one in self.dates)
            case TimeOfDay():
                return False
            case word:
                return meaning(word) in self.stems

    def has_number(self, number: Quantity) -> bool:
        return any(number.equals(one) for one in self.quantities)


def demands_of(reference: Sequence[Clause], given: Given, names: frozenset[str], asks: Asks) -> list[Demand]:
    """List what an answer has to say; all that the reference says where the query gives it all."""
    everything = _distinct(demand for clause in reference for demand in _of_clause(clause, names))
    told = [one for one in everything if one.thing not in FRAME] or everything
    new = [one for one in told if not given.has(one)] or told
    if _is_list(reference):
        return [replace(one, weight=max(one.weight, _NAME)) for one in new]
    return _weighed_by_what_is_asked(new, asks)


def _is_list(reference: Sequence[Clause]) -> bool:
    """Whether the reference is nothing but items, in one sentence or on lines."""
    text = ", ".join(clause.text for clause in reference)
    items = [item.split() for item in _BETWEEN_ITEMS.split(_LEAD.sub("", text)) if item.strip()]
    return len(items) > 1 and all(len(item) <= _WORDS_OF_ITEM for item in items)


def _of_clause(clause: Clause, names: frozenset[str]) -> Iterable[Demand]:
    for date in clause.dates:
        yield Demand(Kind.DATE, date.text, clause, _HARD, date)
    for time in clause.times:
        yield Demand(Kind.TIME, time.text, clause, _HARD, time)
    for number in clause.quantities:
        if not _is_article(number, clause):
            is_label = clause.text[: number.start].endswith("#")
            yield Demand(Kind.NUMBER, number.text, clause, _WORD if is_label else _HARD, number)
    stems = {word: word for word in clause.words} if clause.is_empty else clause.stems
    for one, surface in stems.items():
        is_name = one in names or any(map(str.isdigit, one))
        yield Demand(Kind.NAME if is_name else Kind.WORD, surface, clause, _NAME if is_name else _WORD, one)


def _is_article(number: Quantity, clause: Clause) -> bool:
    return number.text.lower() in {"one", "half", "none"} and len(clause.words) > 3  # noqa: PLR2004  # "one of the"


def _distinct(demands: Iterable[Demand]) -> list[Demand]:
    kept: list[Demand] = []
    words: set[str] = set()
    for one in demands:
        if isinstance(one.thing, str):
            if meaning(one.thing) in words:
                continue
            words.add(meaning(one.thing))
        kept.append(one)
    return kept[:_MOST]


def _weighed_by_what_is_asked(demands: list[Demand], asks: Asks) -> list[Demand]:
    """Where the query asks for one kind of thing, and the reference has it, all else is detail."""
    kinds = _KINDS_ASKED.get(asks, set[Kind]())
    asked = [one for one in demands if one.kind in kinds]
    many = asks in {Asks.NUMBER, Asks.DATE} and len(asked) > _FEW_OF_KIND
    if not asked or many or len(demands) <= _FEW_DEMANDS:
        return demands
    beside = _BESIDE_A_NAME if asks is Asks.NAME else _BESIDE
    return [one if one.kind in kinds else replace(one, weight=one.weight * beside) for one in demands]
