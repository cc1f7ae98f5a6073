"""What every peer does with an event: parse it, precheck it, make a result of it."""

import json
import os
import statistics
import time
from collections.abc import Iterable, Iterator
from typing import Any

from benchmarks.events import early_exit, numbered
from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.prechecks import run_prechecks

REDIS_URL = os.environ.get("REDIS_URL", "redis://127.0.0.1:6379")


def judge(payload: str) -> dict[Any, Any]:
    """Return the fields of the event's result."""
    return judge_document(json.loads(payload))


def judge_document(event: dict[str, Any]) -> dict[Any, Any]:
    """Do the same for a framework that has parsed the event itself."""
    said = event["interaction"]
    stages = run_prechecks(Interaction(said["user_query"], said["answer"], said["context"]), time.perf_counter_ns)
    mean = statistics.fmean(stage.score for stage in stages if stage.score is not None)
    result = {
        "id": event["event_id"],
        "stages": [{"name": stage.name, "score": stage.score, "reason": stage.reason} for stage in stages],
        "confidence": mean,
        "verdict": "fail",
        "agent": event["agent"],
    }
    return {"event_id": event["event_id"], "verdict": "fail", "payload": json.dumps(result)}


def payloads(count: int) -> Iterator[str]:
    """Yield so many events to send."""
    return (payload.decode() for _, payload in zip(range(count), numbered(early_exit), strict=False))


def batches(items: Iterable[str], size: int = 500) -> Iterator[list[str]]:
    batch: list[str] = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
