"""A labelled record: an event, and what people said of its answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from eval_worker.errors import MalformedEventError
from eval_worker.evaluation.judges.definition import STAGE_SUFFIX
from eval_worker.event import InteractionPayload, decode_answer_event
from eval_worker.invalid_field import first_problem
from eval_worker.tables.row import Row

OVERALL = "overall"
"""The label of the answer as a whole; what it is held against is the confidence of the result."""

GOOD = 0.7
"""A human score from which on an answer is good, as the single-judge threshold has it."""

_Name = Annotated[str, Field(min_length=1)]
_Key = Annotated[str, BeforeValidator(lambda value: str(value) if isinstance(value, int) else value)]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class PairSide(_Strict):
    """One of two answers to the same query, and whether people preferred it to the other."""

    id: _Key
    preferred: bool
    judge: _Name


class Labels(_Strict):
    """The fields of a record that are no part of its event. `group` is the source item that the answer is about."""

    human: dict[str, Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]] | None = None
    group: _Key | None = None
    pair: PairSide | None = None
    more_pairs: list[PairSide] | None = None


@dataclass(frozen=True, slots=True)
class LabelledRecord:
    """`number` is its line. `human` has people's scores (0..1) by judge; `sides` are its sides of pairs."""

    number: int
    event_id: str
    interaction: InteractionPayload
    group: str
    human: Mapping[str, float]
    sides: Sequence[PairSide]

    @property
    def is_good(self) -> bool:
        """Whether people found it good: by the mean of their scores, or, of a pair, by having preferred it."""
        if self.human:
            return sum(self.human.values()) / len(self.human) >= GOOD
        return self.sides[0].preferred


def read_labelled(row: Row, *, max_bytes: int) -> LabelledRecord | None:
    """Read one row; None where nobody labelled it.

    Raises:
        MalformedEventError: naming the field and what is wrong with it.
    """
    if row.document is None:
        raise MalformedEventError("the record", row.problem or "is none")
    labels = _labels(row.document)
    sides = (*([labels.pair] if labels.pair else []), *(labels.more_pairs or []))
    given = labels.human or {}
    if not (given or sides):
        return None
    event = decode_answer_event(row.payload, max_bytes=max_bytes)
    group = labels.group or (sides[0].id if sides else event.event_id)
    human = {name.removesuffix(STAGE_SUFFIX): score for name, score in given.items()}
    return LabelledRecord(row.number, event.event_id, event.interaction, group, human, sides)


def _labels(document: dict[str, Any]) -> Labels:
    try:
        return Labels.model_validate(document)
    except ValidationError as error:
        raise MalformedEventError(*first_problem(error, root="the record")) from error
