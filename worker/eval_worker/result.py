"""The result: what the worker writes to the result stream, one per event."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field

from eval_worker.evaluation.stage import StageStatus
from eval_worker.event import Agent

RESULT_SCHEMA = 1

Unit = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]

_OMITTED: Any = Field(default=None, exclude_if=lambda value: value is None)
_MOST_TOKENS = 2**48  # some 30,000 results of so many add up to a number that JSON can carry
Count = Annotated[int, Field(ge=0, le=_MOST_TOKENS)]

_WHERE_ANY: Any = Field(default=0, exclude_if=lambda count: not count)
_DECIMALS = 9  # of a dollar


class _Wire(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class StageResult(_Wire):
    """One stage as promised over every door: `name score reason duration_ns`, and our `status`.

    `cached` stands only where it is true: the judgement was made before, and no call was made for it.
    """

    name: str
    score: Unit | None
    reason: str
    duration_ns: Annotated[int, Field(ge=0)]
    status: StageStatus = StageStatus.OK
    cached: bool = Field(default=False, exclude_if=lambda cached: not cached)


class UsageResult(_Wire):
    """What the calls took. Tokens read from or written to a provider's prompt cache are among the input tokens.

    Their counts stand only where there are any. A cost that is not known is null, never 0.
    """

    llm_calls: Count = 0
    input_tokens: Count = 0
    cache_read_input_tokens: Count = _WHERE_ANY
    cache_write_input_tokens: Count = _WHERE_ANY
    output_tokens: Count = 0
    cost_usd: float | None = None

    def __add__(self, other: "UsageResult") -> "UsageResult":
        """Add them up. One call of unknown cost makes the sum unknown; where no call was made there is nothing to."""
        unknown = any(each.llm_calls and each.cost_usd is None for each in (self, other))
        known = [each.cost_usd for each in (self, other) if each.cost_usd is not None]
        return UsageResult(
            llm_calls=self.llm_calls + other.llm_calls,
            input_tokens=self.input_tokens + other.input_tokens,
            cache_read_input_tokens=self.cache_read_input_tokens + other.cache_read_input_tokens,
            cache_write_input_tokens=self.cache_write_input_tokens + other.cache_write_input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cost_usd=None if unknown or not known else round(sum(known), _DECIMALS),
        )


class Result(_Wire):
    """A verdict and everything it was made of. The field order is the wire's.

    `source_id`, `attempt` and `worker` say which stream entry it was, and stand in results of the stream alone.
    `judge_calls` stands in results whose judges were asked together, in one call.
    `agentic` stands in results of whole conversations: `{success, per_conversation_metrics, aggregated_metrics}`.
    """

    id: str
    stages: tuple[StageResult, ...]
    confidence: Unit | None
    verdict: Literal["pass", "review", "fail", "skipped"]
    early_exit: bool
    partial: bool
    agent: Agent | None = None
    event_type: str
    model: str
    judges_digest: str
    judge_calls: Literal["combined"] | None = _OMITTED
    usage: UsageResult
    schema_version: Annotated[int, Field(alias="schema", serialization_alias="schema")] = RESULT_SCHEMA
    source_id: str | None = _OMITTED
    attempt: int | None = _OMITTED
    worker: str | None = _OMITTED
    evaluated_at: datetime
    interaction: dict[str, str] | None = _OMITTED
    agentic: Mapping[str, Any] | None = _OMITTED

    def to_stream_fields(self) -> list[tuple[str, bytes]]:
        return stream_fields(self.model_dump(by_alias=True))


def stream_fields(document: Mapping[str, Any]) -> list[tuple[str, bytes]]:
    """Return a result's entry; the first three fields are for people who read the stream with redis-cli."""
    confidence = document["confidence"]
    return [
        ("event_id", document["id"].encode()),
        ("verdict", document["verdict"].encode()),
        ("confidence", b"" if confidence is None else f"{confidence:.6g}".encode()),
        ("payload", orjson.dumps(document, option=orjson.OPT_UTC_Z)),
    ]
