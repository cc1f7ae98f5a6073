"""Results as a worker writes them, for those who read the stream."""

from datetime import UTC, datetime
from typing import Any

from tests.servers.kinds import RESULTS

from eval_worker.evaluation.stage import StageStatus
from eval_worker.result import Result, StageResult, UsageResult


def make_result(event_id: str = "evt-001", verdict: Any = "pass", **changes: Any) -> Result:
    reason = "The answer claims what the context doesn't say."
    values: dict[str, Any] = {
        "id": event_id,
        "stages": (
            StageResult(name="length-checker", score=1.0, reason="Answer length is acceptable", duration_ns=12_500),
            StageResult(
                name="overlap-checker",
                score=None,
                reason="no keyword",
                duration_ns=1,
                status=StageStatus.NOT_APPLICABLE,
            ),
            StageResult(name="faithfulness-judge", score=0.2, reason=reason, duration_ns=820_000_000),
        ),
        "confidence": 0.965,
        "verdict": verdict,
        "early_exit": False,
        "partial": False,
        "event_type": "agent_response",
        "model": "offline",
        "judges_digest": "sha256:0",
        "usage": UsageResult(),
        "schema": 1,
        "source_id": "1700000000000-0",
        "attempt": 1,
        "worker": "host-1",
        "evaluated_at": datetime(2026, 1, 1, tzinfo=UTC),
    }
    return Result(**{**values, **changes})


def left_out(event_id: str = "evt-001", **changes: Any) -> Result:
    """What sampling left out: prechecks alone, and no confidence."""
    result = make_result(event_id, "skipped", confidence=None, **changes)
    return result.model_copy(update={"stages": result.stages[:2]})


def add_many(redis_client: Any, count: int, *, key: str = RESULTS, at_once: bool = False, **changes: Any) -> None:
    """Add evt-00000 and so on, alike but for the event's id; quick, as each is made of the first."""
    fields = dict(make_result("evt-NUMBER", **changes).to_stream_fields())
    pipeline = redis_client.pipeline(transaction=at_once)
    for number in range(count):
        payload = fields["payload"].replace(b"NUMBER", b"%05d" % number)
        pipeline.xadd(key, {**fields, "event_id": f"evt-{number:05}", "payload": payload})
    pipeline.execute()


def add_result(redis_client: Any, result: Result, *, entry_id: str = "*", key: str = RESULTS) -> bytes:
    return redis_client.xadd(key, dict(result.to_stream_fields()), id=entry_id)
