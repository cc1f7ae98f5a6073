"""Release: an entry goes back to the group, to be claimed again after a delay, with or without a charge."""

from redis.asyncio import Redis

from eval_worker.stream.entry import Entry
from eval_worker.stream.lease import Leases
from eval_worker.stream.lua_script import LuaScript
from eval_worker.stream.names import StreamNames


class Releaser:
    """Only a crash, a bug or an event's own failure is charged; a drain, a pause and an outage give it back."""

    def __init__(self, client: Redis, names: StreamNames, leases: Leases) -> None:
        self._client = client
        self._names = names
        self._leases = leases
        self._release = LuaScript("release.lua")
        self._release_strays = LuaScript("release_strays.lua")

    async def release(self, entry: Entry, *, charged: bool, delay_seconds: float) -> None:
        """Make the entry claimable after `delay_seconds` (at most a lease: idle time can't be negative)."""
        idle_ms = max(self._leases.milliseconds - int(delay_seconds * 1000), 0)
        deliveries = entry.deliveries if charged else max(entry.deliveries - 1, 0)
        async with self._leases.renewing:
            await self._release(
                self._client,
                [self._names.events],
                [self._names.group, self._names.consumer, entry.id, deliveries, idle_ms],
            )
            self._leases.drop(entry.id)

    async def release_strays(self) -> int:
        """Release what is pending under our name without our knowledge, at once and uncharged."""
        arguments = [self._names.group, self._names.consumer, self._leases.milliseconds, *self._leases.ids]
        return int(await self._release_strays(self._client, [self._names.events], arguments))
