"""Counters and histograms that count in a fraction of a microsecond: every event goes through a dozen of them.

They show what prometheus-client's own would, without its locks: one thread counts, others only read. Who reads while
something is being observed may miss it in one figure and not in another, until the next time.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector, CollectorRegistry


class SingleWriterCounter(Collector):
    """A counter by one or more labels. Those in `zeros` are shown from the start.

    A series that begins with its first event hides that event: Prometheus sees no increase in a first sample.
    """

    def __init__(
        self,
        name: str,
        description: str,
        labels: Sequence[str],
        *,
        zeros: Iterable[tuple[str, ...]] = (),
        registry: CollectorRegistry | None = None,
    ) -> None:
        self._name = name
        self._description = description
        self._labels = tuple(labels)
        self._counts: dict[tuple[str, ...], int] = dict.fromkeys(zeros, 0)
        if registry is not None:
            registry.register(self)

    def inc(self, *values: str) -> None:
        """Count one more under these values, which stand in the order of the labels."""
        self._counts[values] = self._counts.get(values, 0) + 1

    def begin(self, *values: str) -> None:
        """Show these values from now on, with 0 until they are counted."""
        self._counts.setdefault(values, 0)

    def collect(self) -> Iterator[CounterMetricFamily]:
        family = CounterMetricFamily(self._name, self._description, labels=self._labels)
        for values, count in list(self._counts.items()):
            family.add_metric(values, count)
        yield family


class SingleWriterHistogram(Collector):
    """A histogram by one label."""

    def __init__(
        self,
        name: str,
        description: str,
        label: str,
        buckets: Sequence[float],
        *,
        registry: CollectorRegistry | None = None,
    ) -> None:
        self._name = name
        self._description = description
        self._label = label
        self._bounds = tuple(buckets)
        self._series: dict[str, list[float]] = {}  # the counts, one a bucket, and the sum behind them
        if registry is not None:
            registry.register(self)

    def observe(self, label: str, value: float) -> None:
        series = self._series.get(label) or self.begin(label)
        series[bisect_left(self._bounds, value)] += 1
        series[-1] += value

    def begin(self, label: str) -> list[float]:
        """Show this label from now on, which nothing was observed of; returns its series."""
        counts: list[float] = [0] * (len(self._bounds) + 1)
        series = self._series[label] = [*counts, 0.0]
        return series

    def collect(self) -> Iterator[HistogramMetricFamily]:
        family = HistogramMetricFamily(self._name, self._description, labels=[self._label])
        bounds = [*map(_in_words, self._bounds), "+Inf"]
        for label, series in list(self._series.items()):
            *counts, total = series
            family.add_metric([label], list(zip(bounds, accumulate(counts), strict=True)), total)
        yield family


def _in_words(bound: float) -> str:
    return repr(float(bound))
