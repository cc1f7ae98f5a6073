"""What people said of a record, as it stands in the file, and the record that becomes of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, model_validator

from eval_worker.errors import MalformedEventError
from eval_worker.evaluation.aggregate import ScoringPolicy, Verdict, verdict_for
from eval_worker.evaluation.judges.definition import STAGE_SUFFIX
from eval_worker.event import CONVERSATION, Event, decode_answer_event
from eval_worker.invalid_field import first_problem
from eval_worker.result import Result, Unit
from eval_worker.tables.row import Row


def _label(value: object) -> object:
    """Take a label as people write it into a table: ` Pass` is one, an empty cell is none."""
    label = value.strip().lower() if isinstance(value, str) else value
    if label is None or label == "":
        return None
    if not isinstance(label, str) or label not in set(Verdict):
        raise ValueError("must be pass, review or fail")
    return label


def _score(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("must be a number from 0 to 1")  # noqa: TRY004 (pydantic reports a ValueError)
    return None if value == "" else value


Score = Annotated[Unit | None, BeforeValidator(_score)]


class Annotation(BaseModel):
    """`result` is what judged the record already, as a batch run or the result stream has it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    human_annotation: Annotated[Verdict | None, BeforeValidator(_label)] = None
    human_scores: dict[str, Score] | None = None
    result: Result | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.human_annotation is None and not self.scores:
            raise ValueError("has neither human_annotation (pass, review or fail) nor human_scores")
        return self

    @property
    def scores(self) -> dict[str, float]:
        """Return people's scores by the judges' names."""
        given = self.human_scores or {}
        return {name.removesuffix(STAGE_SUFFIX): score for name, score in given.items() if score is not None}


@dataclass(frozen=True, slots=True)
class AnnotatedRecord:
    """A record that can be compared. `event` is None where there is only a result to compare."""

    number: int
    event: Event | None
    human: Verdict
    label_from_scores: bool
    human_scores: Mapping[str, float]
    result: Result | None = None

    @property
    def event_id(self) -> str:
        if self.event is not None:
            return self.event.event_id
        if self.result is None:
            raise AssertionError("a record has an event or a result")
        return self.result.id


@dataclass(frozen=True, slots=True)
class BadRecord:
    """What can't be compared, by its number in the file, and why."""

    number: int
    problem: str


def read_annotation(row: Row, policy: ScoringPolicy, *, max_bytes: int) -> AnnotatedRecord | BadRecord:
    """Read one row. Where people gave scores only, the label is made of their mean by the verdicts' own thresholds."""
    if row.document is None:
        return BadRecord(row.number, row.problem or "is no record")
    try:
        annotation = Annotation.model_validate(row.document)
        event = _event(row, annotation.result, max_bytes)
    except ValidationError as error:
        return BadRecord(row.number, _in_words(*first_problem(error, root="")))
    except MalformedEventError as error:
        return BadRecord(row.number, str(error))
    scores = annotation.scores
    human = annotation.human_annotation or _label_of(scores, policy)
    derived = annotation.human_annotation is None
    return AnnotatedRecord(row.number, event, human, derived, scores, annotation.result)


def _event(row: Row, result: Result | None, max_bytes: int) -> Event | None:
    document: dict[str, Any] = row.document or {}
    if result is not None and result.event_type == CONVERSATION:
        raise MalformedEventError("result.event_type", f"{CONVERSATION} can't be compared: it is about no one answer")
    if result is not None and "interaction" not in document:
        return None
    event = decode_answer_event(row.payload, max_bytes=max_bytes)
    if result is not None and result.id != event.event_id:
        raise MalformedEventError("result.id", "is not the event_id of the record that it stands in")
    return event


def _label_of(scores: Mapping[str, float], policy: ScoringPolicy) -> Verdict:
    return verdict_for(round(sum(scores.values()) / len(scores), 12), policy)


def _in_words(field: str, problem: str) -> str:
    return f"{field}: {problem}" if field else problem
