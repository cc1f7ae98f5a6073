"""Pairs of label and verdict for tests, without anybody having judged anything."""

from collections.abc import Mapping
from typing import Any

from eval_worker.evaluation.aggregate import ScoringPolicy, Verdict, verdict_for
from eval_worker.validation.pairs import Pair


def pair(
    human: str,
    confidence: float,
    *,
    number: int = 1,
    scores: Mapping[str, float | None] | None = None,
    human_scores: Mapping[str, float] | None = None,
    **more: Any,
) -> Pair:
    """A pair whose verdict is what the usual thresholds make of the confidence, unless it is given."""
    given: dict[str, Any] = {
        "verdict": verdict_for(confidence, ScoringPolicy()),
        "early_exit": False,
        "partial": False,
        **more,
    }
    return Pair(
        number=number,
        event_id=f"e-{number}",
        human=Verdict(human),
        label_from_scores=False,
        confidence=confidence,
        judge_scores={"relevance": confidence} if scores is None else scores,
        human_scores=human_scores or {},
        **given,
    )
