"""Files of annotated records for tests."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tests.events import event, rubbish

from eval_worker.settings import load_settings
from eval_worker.wiring.judging import read_judges

LABELS = ("pass", "review", "fail")


def annotated(count: int = 10, **annotation: Any) -> list[dict[str, Any]]:
    """Good answers that people passed and rubbish that they failed, in turn."""
    return [
        (rubbish(f"e-{number}") if number % 2 else event(f"e-{number}"))
        | {"human_annotation": "fail" if number % 2 else "pass"}
        | annotation
        for number in range(count)
    ]


def result_of(document: Mapping[str, Any], verdict: str, confidence: float | None, **more: Any) -> dict[str, Any]:
    """What judged a record already, as a batch run writes it."""
    settings = load_settings(judge_model="offline")
    return {
        "id": document["event_id"],
        "stages": [{"name": "relevance-judge", "score": confidence, "reason": "said before", "duration_ns": 5}],
        "confidence": confidence,
        "verdict": verdict,
        "early_exit": False,
        "partial": False,
        "event_type": "agent_response",
        "model": "somebody",
        "judges_digest": read_judges(settings).digest,
        "usage": {"llm_calls": 5, "input_tokens": 100, "output_tokens": 10, "cost_usd": None},
        "evaluated_at": "2026-01-01T00:00:00Z",
    } | more


def write_lines(path: Path, documents: Iterable[Mapping[str, Any] | str]) -> Path:
    lines = (line if isinstance(line, str) else json.dumps(line) for line in documents)
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path
