"""The janitor: trims what no group needs any more and removes consumers that are gone."""

from collections.abc import Callable
from datetime import datetime, timedelta

import structlog
from redis.asyncio import Redis

from eval_worker.stream.lua_script import LuaScript
from eval_worker.stream.names import StreamNames

log = structlog.get_logger()

INTERVAL_SECONDS = 60.0
CONSUMER_GONE_AFTER_SECONDS = 3_600.0


class Janitor:
    """`retention` is how long entries are kept at least where KEEP_EVENTS is on, None where it is off."""

    def __init__(
        self, client: Redis, names: StreamNames, now: Callable[[], datetime], *, retention: timedelta | None
    ) -> None:
        self._client = client
        self._names = names
        self._now = now
        self._retention = retention
        self._trim = LuaScript("trim.lua")
        self._delete_consumers = LuaScript("delete_consumers.lua")

    async def clean(self) -> None:
        trimmed = await self.trim()
        deleted = await self.delete_gone_consumers()
        if trimmed or deleted:
            log.info("cleaned up", trimmed_entries=trimmed, deleted_consumers=deleted)

    async def trim(self) -> int:
        """Trim the event stream to what some group still needs; returns the number of entries trimmed."""
        oldest = ""
        if self._retention is not None:
            oldest = f"{int((self._now() - self._retention).timestamp() * 1000)}-0"
        return int(await self._trim(self._client, [self._names.events], [self._names.group, oldest]))

    async def delete_gone_consumers(self) -> int:
        return await self._delete(CONSUMER_GONE_AFTER_SECONDS, leaving=False)

    async def leave(self) -> None:
        """Delete our own consumer, unless something is pending under its name."""
        await self._delete(CONSUMER_GONE_AFTER_SECONDS, leaving=True)

    async def _delete(self, idle_seconds: float, *, leaving: bool) -> int:
        arguments = [self._names.group, self._names.consumer, int(idle_seconds * 1000), int(leaving)]
        return int(await self._delete_consumers(self._client, [self._names.events], arguments))
