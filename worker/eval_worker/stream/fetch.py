"""Fetch: new entries from the stream, each one's first delivery."""

from typing import Any

from redis.asyncio import Redis

from eval_worker.stream.entry import Entry
from eval_worker.stream.names import StreamNames
from eval_worker.stream.pace import ReadPace

BLOCK_MS = 500  # also how long a stop may have to wait for a read under way


class Fetcher:
    """Reads on a connection of its own, since a blocked connection serves nobody else.

    A read that is cut off may have been delivered all the same; what nobody saw is then swept up as a stray.
    """

    def __init__(self, blocking_client: Redis, names: StreamNames, *, read_ahead: int) -> None:
        self._client = blocking_client
        self._names = names
        self._pace = ReadPace(read_ahead)

    async def fetch(self, most: int) -> list[Entry]:
        """Return up to `most` new entries, after at most BLOCK_MS an empty list."""
        reply = await self._pace.read(most, self._read)
        return [Entry.from_reply(entry_id, fields, 1) for _, entries in reply for entry_id, fields in entries]

    async def _read(self, count: int) -> Any:
        names = self._names
        return await self._client.xreadgroup(
            names.group, names.consumer, {names.events: ">"}, count=count, block=BLOCK_MS
        )
