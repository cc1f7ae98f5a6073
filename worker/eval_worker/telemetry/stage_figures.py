"""Times and scores of stages, counted for a fraction of a microsecond each: every event has three to eight of them."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate

from prometheus_client.core import HistogramMetricFamily
from prometheus_client.registry import Collector


class StageHistogram(Collector):
    """A histogram by stage as prometheus-client has it, without its lock: one thread observes, others only read.

    Who reads while something is being observed may miss it in the sum and not in the count, until the next time.
    """

    def __init__(self, name: str, description: str, buckets: Sequence[float]) -> None:
        self._name = name
        self._description = description
        self._bounds = tuple(buckets)
        self._counts: dict[str, list[int]] = {}
        self._sums: dict[str, float] = {}

    def observe(self, stage: str, value: float) -> None:
        counts = self._counts.get(stage)
        if counts is None:
            counts = self._counts[stage] = [0] * (len(self._bounds) + 1)
            self._sums[stage] = 0.0
        counts[bisect_left(self._bounds, value)] += 1
        self._sums[stage] += value

    def collect(self) -> Iterator[HistogramMetricFamily]:
        family = HistogramMetricFamily(self._name, self._description, labels=["stage"])
        bounds = [*map(_in_words, self._bounds), "+Inf"]
        for stage, counts in list(self._counts.items()):
            family.add_metric([stage], list(zip(bounds, accumulate(counts), strict=True)), self._sums[stage])
        yield family


def _in_words(bound: float) -> str:
    return repr(float(bound))
