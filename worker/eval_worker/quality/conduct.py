"""How the pipeline behaved on a data set: what it let go early, how long it took, what it cost."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from eval_worker.quality.judged import JudgedRecord
from eval_worker.quality.labelled import LabelledRecord
from eval_worker.result import UsageResult


@dataclass(frozen=True, slots=True)
class Exits:
    """How many of the answers left before a judge was asked, and which."""

    answers: int
    exited: int
    event_ids: tuple[str, ...]

    @property
    def share(self) -> float | None:
        return self.exited / self.answers if self.answers else None

    def __add__(self, other: "Exits") -> "Exits":
        ids = (*self.event_ids, *other.event_ids)
        return Exits(self.answers + other.answers, self.exited + other.exited, ids)


NO_EXITS = Exits(0, 0, ())


@dataclass(frozen=True, slots=True)
class Conduct:
    """`good` answers are those with a human mean of 0.7 or more, or preferred of a pair; `bad` are all others."""

    good: Exits
    bad: Exits
    p50_ms: float | None
    p95_ms: float | None
    usage: UsageResult


def conduct(records: Sequence[LabelledRecord], judged: Mapping[int, JudgedRecord]) -> Conduct:
    found = [(record, judged[record.number]) for record in records if record.number in judged]
    times = sorted(each.milliseconds for _, each in found)
    return Conduct(
        good=_exits((record, each) for record, each in found if record.is_good),
        bad=_exits((record, each) for record, each in found if not record.is_good),
        p50_ms=at_rank(times, 50),
        p95_ms=at_rank(times, 95),
        usage=sum((each.usage for _, each in found), start=UsageResult()),
    )


def at_rank(ordered: Sequence[float], percent: int) -> float | None:
    """Return the percentile by nearest rank: one of the values; None of none."""
    return ordered[ceil(percent / 100 * len(ordered)) - 1] if ordered else None


def _exits(judged: Iterable[tuple[LabelledRecord, JudgedRecord]]) -> Exits:
    found = list(judged)
    ids = tuple(record.event_id for record, each in found if each.early_exit)
    return Exits(len(found), len(ids), ids)
