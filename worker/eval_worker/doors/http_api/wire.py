"""What the routes take and give, beside the event and the result themselves."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from eval_worker.evaluation.judges.definition import JudgeDefinition
from eval_worker.evaluation.pipeline import DEFAULT_JUDGE_THRESHOLD
from eval_worker.result import Result

MOST_RESULTS = 100
_MOMENT = (  # for the document alone; what does not fit is refused in plainer words
    r"^([0-9]{1,9}[smhdw]|[12][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    r"([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{3}|\.[0-9]{6})?)?(Z|[+-][01][0-9]:[0-5][0-9])?)?)$"
)


class ErrorReply(BaseModel):
    error: str


class RunErrorReply(BaseModel):
    """`error` is one of the documented texts, or names the field that is wrong; `detail` says more, or is not there."""

    success: Literal[False]
    error: str
    detail: str = ""


class HealthReply(BaseModel):
    status: Literal["ok"] = "ok"
    version: str


class ReadyReply(BaseModel):
    status: Literal["ready"] = "ready"


class JudgeReply(BaseModel):
    """One judge. `stage` is its name in results; one that is not enabled can't be asked."""

    name: str
    stage: str
    enabled: bool
    requires_context: bool
    question: str

    @classmethod
    def of(cls, judge: JudgeDefinition) -> "JudgeReply":
        return cls(
            name=judge.name,
            stage=judge.stage_name,
            enabled=judge.enabled,
            requires_context=judge.requires_context,
            question=judge.question,
        )


class JudgesReply(BaseModel):
    judges: list[JudgeReply]


class QueuedReply(BaseModel):
    """`id` is the event's entry on the stream, which its result names as `source_id`."""

    id: str
    event_id: str


class ResultsReply(BaseModel):
    """Newest first. `complete` is false where older ones may be left: `limit` was reached, or enough looked through."""

    results: list[Result]
    complete: bool


class StrictQuery(BaseModel):
    """A parameter that is not known is refused: a misspelt one would be ignored without a word."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class NoQuery(StrictQuery):
    """A threshold is for one judge alone: the pipeline has settings of its own."""


SINCE: Any = Field(
    description="Only what was judged since so long ago (`10m`, `2h`, `1d`) or a time such as `2026-01-31T12:00:00Z`, "
    "UTC where it names no zone.",
    examples=["10m"],
    json_schema_extra={"pattern": _MOMENT},
)


class JudgeQuery(StrictQuery):
    threshold: Annotated[
        float, Field(ge=0, le=1, allow_inf_nan=False, description="A score above it is a `pass`, else a `fail`.")
    ] = DEFAULT_JUDGE_THRESHOLD


class ResultsQuery(StrictQuery):
    event_id: Annotated[str | None, Field(min_length=1, description="Only this event's.")] = None
    since: Annotated[str | None, SINCE] = None
    verdict: Annotated[Literal["pass", "review", "fail", "skipped"] | None, Field(description="Only these.")] = None
    limit: Annotated[int, Field(ge=1, le=MOST_RESULTS, description="The newest so many.")] = 20
