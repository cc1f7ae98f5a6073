"""Reads every outcome as it is written, and so knows at any time what is settled."""

import asyncio
from collections.abc import Iterable
from typing import Any

from redis.asyncio import Redis
from tests.chaos.ledger import Outcome

from eval_worker.redis_connection import REDIS_ERRORS
from eval_worker.stream.names import StreamNames

POLL_SECONDS = 0.1
MOST_AT_ONCE = 2_000
MOST_PENDING = 20_000


class Witness:
    """Follows both outcome streams from their beginning. `settled` has the source ids seen so far."""

    def __init__(self, client: Redis, names: StreamNames) -> None:
        self._client = client
        self._names = names
        self._seen = {names.results: b"0", names.dead_letters: b"0"}
        self.outcomes: list[Outcome] = []
        self.settled: set[str] = set()
        self._looked = asyncio.Event()

    async def run(self) -> None:
        while True:
            if not await self._look():
                self._looked.set()
                await asyncio.sleep(POLL_SECONDS)

    async def until_settled(self, source_ids: Iterable[str]) -> None:
        wanted = set(source_ids)
        while not wanted <= self.settled:  # noqa: ASYNC110 (`run` fills it; many wait, for different ones)
            await asyncio.sleep(POLL_SECONDS)

    async def until_all_is_seen(self) -> None:
        """Wait for the last outcomes of the last drain; workers must have ended."""
        self._looked.clear()
        await self._looked.wait()
        self._looked.clear()  # the look that was under way may have begun too early
        await self._looked.wait()

    async def in_flight(self) -> set[str]:
        """What some worker has read and not settled, as soon as the server can say it."""
        while True:
            try:
                pending: Any = await self._client.xpending_range(
                    self._names.events, self._names.group, "-", "+", MOST_PENDING
                )
            except REDIS_ERRORS:  # away, or the group is
                await asyncio.sleep(POLL_SECONDS)
            else:
                return {each["message_id"].decode() for each in pending}

    async def _look(self) -> bool:
        found = False
        for stream, read in (
            (self._names.results, Outcome.of_result),
            (self._names.dead_letters, Outcome.of_dead_letter),
        ):
            try:
                entries: Any = await self._client.xrange(stream, b"(" + self._seen[stream], "+", count=MOST_AT_ONCE)
            except REDIS_ERRORS:
                continue
            for entry_id, fields in entries:
                outcome = read(fields)
                self._seen[stream] = entry_id
                self.outcomes.append(outcome)
                self.settled.add(outcome.source_id)
                found = True
        return found
