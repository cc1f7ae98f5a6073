"""Does a higher confidence mean that people pass more of the answers? Counted in bins of confidence."""

from collections.abc import Sequence
from dataclasses import dataclass

from eval_worker.evaluation.aggregate import Verdict
from eval_worker.validation.pairs import Pair

BINS = 10


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """Confidences from `low` to below `high`; the last bin holds 1 as well. No records, no share."""

    low: float
    high: float
    records: int
    mean_confidence: float | None
    human_pass_share: float | None


def calibration(pairs: Sequence[Pair]) -> tuple[CalibrationBin, ...]:
    inside: list[list[Pair]] = [[] for _ in range(BINS)]
    for pair in pairs:
        inside[min(int(pair.confidence * BINS), BINS - 1)].append(pair)
    return tuple(_bin(place, members) for place, members in enumerate(inside))


def _bin(place: int, members: Sequence[Pair]) -> CalibrationBin:
    count = len(members)
    return CalibrationBin(
        low=place / BINS,
        high=(place + 1) / BINS,
        records=count,
        mean_confidence=sum(pair.confidence for pair in members) / count if count else None,
        human_pass_share=sum(pair.human is Verdict.PASS for pair in members) / count if count else None,
    )
