"""Fetch: new entries from the stream, each one's first delivery."""

from typing import Any

from redis.asyncio import Redis

from eval_worker.stream.entry import Entry
from eval_worker.stream.names import StreamNames

BLOCK_MS = 500  # also how long a stop may have to wait for a read under way


class Fetcher:
    """Reads on a connection of its own, since a blocked connection serves nobody else.

    A read under way is never cancelled: the server may have delivered already, and the reply would be lost.
    """

    def __init__(self, blocking_client: Redis, names: StreamNames) -> None:
        self._client = blocking_client
        self._names = names

    async def fetch(self, most: int) -> list[Entry]:
        """Return up to `most` new entries, after at most BLOCK_MS an empty list."""
        names = self._names
        reply: Any = await self._client.xreadgroup(
            names.group, names.consumer, {names.events: ">"}, count=most, block=BLOCK_MS
        )
        return [Entry.from_reply(entry_id, fields, 1) for _, entries in reply or () for entry_id, fields in entries]
