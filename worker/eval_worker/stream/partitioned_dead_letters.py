"""The dead letters of all partitions, looked through as one stream."""

from collections import defaultdict
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import TYPE_CHECKING

from eval_worker.partitions import Partition, partitions_of, split_id
from eval_worker.stream.dead_letters import DeadLetters, StoredDeadLetter
from eval_worker.stream.merging import merged, newest, oldest

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from eval_worker.settings import Settings


def dead_letters_of(client: "Redis", settings: "Settings") -> "PartitionedDeadLetters":
    """Look where the workers of these settings write."""
    return PartitionedDeadLetters(
        {
            each: DeadLetters(client, events=each.events, dead_letters=each.dead_letters, prefix=each.prefix)
            for each in partitions_of(settings)
        }
    )


class PartitionedDeadLetters:
    """Offers what `DeadLetters` does. The methods that take an id raise EvalWorkerError where it names no partition."""

    def __init__(self, parts: Mapping[Partition, DeadLetters]) -> None:
        self._parts = parts

    async def count(self) -> int:
        return sum([await letters.count() for letters in self._parts.values()])

    async def mark(self) -> list[tuple[str | None, int]]:
        """Return what changes with each one that comes or goes: each partition's newest id, and how many it holds."""
        return [await letters.mark() for letters in self._parts.values()]

    def all(self) -> AsyncGenerator[StoredDeadLetter]:
        """Yield those that are there now, oldest first."""
        return merged([letters.all() for letters in self._parts.values()], oldest)

    def newest(self) -> AsyncGenerator[StoredDeadLetter]:
        """Yield those that are there, newest first."""
        return merged([letters.newest() for letters in self._parts.values()], newest)

    async def get(self, letter_id: str) -> StoredDeadLetter | None:
        partition, entry_id = self._split(letter_id)
        return await self._parts[partition].get(entry_id)

    async def replay(self, letter: StoredDeadLetter) -> str | None:
        """Move the event back to the partition that it came from, as `DeadLetters.replay` does."""
        partition, _ = self._split(letter.id)
        return await self._parts[partition].replay(letter)

    async def purge(self, ids: Sequence[str]) -> int:
        named: defaultdict[Partition, list[str]] = defaultdict(list)
        for letter_id in ids:
            partition, entry_id = self._split(letter_id)
            named[partition].append(entry_id)
        return sum([await self._parts[partition].purge(entry_ids) for partition, entry_ids in named.items()])

    async def purge_all(self) -> int:
        return sum([await letters.purge_all() for letters in self._parts.values()])

    async def purge_older_than(self, seconds: float) -> int:
        return sum([await letters.purge_older_than(seconds) for letters in self._parts.values()])

    async def count_older_than(self, seconds: float) -> int:
        return sum([await letters.count_older_than(seconds) for letters in self._parts.values()])

    def _split(self, letter_id: str) -> tuple[Partition, str]:
        return split_id(list(self._parts), letter_id)
