"""The newest results of all partitions, kept in memory as those of one stream."""

import heapq
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from eval_worker.partitions import partitions_of
from eval_worker.stream.recent_results import MOST, RecentResults

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from eval_worker.dashboard.facts import ResultFacts
    from eval_worker.settings import Settings


def recent_results_of(client: "Redis", settings: "Settings") -> "RecentResults | PartitionedRecentResults":
    """Keep what the workers of these settings write."""
    parts = [RecentResults(client, each.results, prefix=each.prefix) for each in partitions_of(settings)]
    return parts[0] if len(parts) == 1 else PartitionedRecentResults(parts)


class PartitionedRecentResults:
    """Offers what `RecentResults` does, by the time of the entries. Each partition may keep as many as all show."""

    def __init__(self, parts: Sequence[RecentResults]) -> None:
        self._parts = parts

    @property
    def facts(self) -> "list[ResultFacts]":
        newest_first = heapq.merge(
            *(reversed(part.facts) for part in self._parts), key=lambda facts: facts.at_ms, reverse=True
        )
        return list(islice(newest_first, MOST))[::-1]

    @property
    def changes(self) -> int:
        return sum(part.changes for part in self._parts)

    @property
    def entries(self) -> int:
        return sum(part.entries for part in self._parts)

    @property
    def reaches_back(self) -> bool:
        return all(part.reaches_back for part in self._parts)

    def forget(self) -> None:
        for part in self._parts:
            part.forget()

    async def catch_up(self) -> None:
        for part in self._parts:
            await part.catch_up()
