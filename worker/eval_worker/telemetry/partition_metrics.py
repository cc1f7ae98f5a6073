"""What is told of each partition, beside the sums that every worker tells."""

from collections.abc import Callable
from functools import partial
from math import nan

from prometheus_client import CollectorRegistry, Gauge


class PartitionMetrics:
    """Made only where the stream is divided, so that a worker without partitions has no metric more."""

    def __init__(self, registry: CollectorRegistry) -> None:
        gauge = partial(Gauge, labelnames=["partition"], registry=registry)
        self._lag = gauge("eval_partition_lag", "Events of this partition that no worker has read yet.")
        self._pending = gauge("eval_partition_pending", "Events of it read by some worker and not settled.")
        self._up = gauge("eval_partition_up", "1 while Redis answers for this partition.")

    def watch(self, partition: str, in_trouble: Callable[[], object]) -> None:
        """Ask `in_trouble` whenever somebody wants to know."""
        self._up.labels(partition).set_function(lambda: int(not in_trouble()))
        self.observe_backlog(partition, lag=None, pending=None)

    def observe_backlog(self, partition: str, *, lag: int | None, pending: int | None) -> None:
        self._lag.labels(partition).set(nan if lag is None else lag)
        self._pending.labels(partition).set(nan if pending is None else pending)
