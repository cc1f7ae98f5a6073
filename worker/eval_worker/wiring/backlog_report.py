"""Puts the backlog into the gauges, every few seconds."""

from typing import TYPE_CHECKING

from eval_worker.partitions import partitions_of
from eval_worker.settings import Settings
from eval_worker.stream.backlog_sum import read_partition_backlog, sum_of
from eval_worker.telemetry.metrics import Metrics
from eval_worker.telemetry.partition_metrics import PartitionMetrics
from eval_worker.wiring.streams import Stream

if TYPE_CHECKING:
    from eval_worker.stream.backlog import Backlog


class BacklogReport:
    """Each stream is asked in its own lane; where one does not answer, its figures and so the sums are unknown."""

    def __init__(self, settings: Settings, metrics: Metrics, partitions: PartitionMetrics | None) -> None:
        self._settings = settings
        self._metrics = metrics
        self._partition_metrics = partitions
        self._partitions = {each.number: each for each in partitions_of(settings)}
        self._known: dict[int | None, Backlog | None] = dict.fromkeys(self._partitions)

    async def publish(self, stream: Stream) -> None:
        """Read one stream's figures and tell them; what can't be read is unknown, not what it was."""
        number = stream.partition
        found: Backlog | None = None
        try:
            found = await read_partition_backlog(stream.client, self._partitions[number], self._settings)
        finally:
            self._known[number] = found
            self._tell_sums()
            if self._partition_metrics is not None and number is not None:
                lag, pending = (None, None) if found is None else (found.lag, found.pending)
                self._partition_metrics.observe_backlog(str(number), lag=lag, pending=pending)

    def _tell_sums(self) -> None:
        known = {self._partitions[number].prefix: each for number, each in self._known.items() if each is not None}
        if len(known) < len(self._partitions):
            self._metrics.backlog_unknown()
            return
        backlog = sum_of(known)
        idle_after = self._settings.idle_group_hours * 3600
        self._metrics.observe_backlog(
            lag=backlog.lag,
            pending=backlog.pending,
            oldest_pending_seconds=backlog.oldest_pending_seconds,
            dead_letters=backlog.dead_letters,
            idle_groups=sum(group.is_idle(idle_after) for group in backlog.other_groups),
        )
