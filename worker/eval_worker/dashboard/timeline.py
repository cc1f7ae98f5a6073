"""Time in equal steps, so that what happened can be drawn."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from eval_worker.dashboard.facts import ResultFacts

VERDICTS = ("pass", "review", "fail", "skipped")
MOST_STEPS = 48
_SECOND, _MINUTE, _HOUR, _DAY = 1_000, 60_000, 3_600_000, 86_400_000
_WIDTHS = (
    *(count * _SECOND for count in (1, 2, 5, 10, 30)),
    *(count * _MINUTE for count in (1, 2, 5, 10, 30)),
    *(count * _HOUR for count in (1, 3, 6, 12)),
    *(count * _DAY for count in (1, 2, 7, 30, 365)),
)


@dataclass(frozen=True, slots=True)
class Steps:
    """`count` steps of `width_ms` from `start_ms` on, which is a multiple of the width."""

    start_ms: int
    width_ms: int
    count: int

    @classmethod
    def covering(cls, first_ms: int, last_ms: int) -> "Steps":
        """As few of a round width as both moments lie in."""
        for width in _WIDTHS:
            start = first_ms // width * width
            count = (last_ms - start) // width + 1
            if count <= MOST_STEPS:
                return cls(start, width, max(count, 1))
        width = (last_ms - first_ms) // (MOST_STEPS - 1) + 1
        return cls(first_ms, width, (last_ms - first_ms) // width + 1)

    def index(self, at_ms: int) -> int:
        """Of the step that a moment lies in; what lies outside belongs to the nearest."""
        return min(max((at_ms - self.start_ms) // self.width_ms, 0), self.count - 1)


@dataclass(slots=True)
class Cell:
    """The results of one step."""

    verdicts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(VERDICTS, 0))
    confidence_sum: float = 0.0
    with_confidence: int = 0

    def add(self, facts: ResultFacts) -> None:
        self.verdicts[facts.verdict] += 1
        if facts.confidence is not None:
            self.confidence_sum += facts.confidence
            self.with_confidence += 1

    def merge(self, other: "Cell") -> None:
        for verdict, count in other.verdicts.items():
            self.verdicts[verdict] += count
        self.confidence_sum += other.confidence_sum
        self.with_confidence += other.with_confidence

    @property
    def results(self) -> int:
        return sum(self.verdicts.values())

    @property
    def mean_confidence(self) -> float | None:
        return self.confidence_sum / self.with_confidence if self.with_confidence else None


@dataclass(frozen=True, slots=True)
class Timeline:
    """Figures of each step, oldest first. The confidence is None where no result has one."""

    start_ms: int
    width_ms: int
    verdicts: dict[str, list[int]]
    mean_confidence: list[float | None]

    @classmethod
    def of(cls, cells: Sequence[Cell], steps: Steps) -> "Timeline":
        return cls(
            steps.start_ms,
            steps.width_ms,
            {verdict: [cell.verdicts[verdict] for cell in cells] for verdict in VERDICTS},
            [_rounded(cell.mean_confidence) for cell in cells],
        )


def _rounded(mean: float | None) -> float | None:
    return None if mean is None else round(mean, 4)
