"""Leases: what this worker has read and not settled is its own for as long as it keeps renewing."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import structlog
from redis.asyncio import Redis

from eval_worker.stream.entry import Entry
from eval_worker.stream.lua_script import LuaScript, in_calls
from eval_worker.stream.names import StreamNames
from eval_worker.telemetry.metrics import Metrics

log = structlog.get_logger()

RENEWALS_PER_LEASE = 4


@dataclass(slots=True)
class Lease:
    """`give_up` is called if the lease is lost: somebody else has the entry, so its work here is dropped."""

    entry: Entry
    give_up: Callable[[], None]


class Leases:
    """Every entry between its delivery to us and its settlement or release, waiting ones included."""

    def __init__(self, client: Redis, names: StreamNames, lease_seconds: float, metrics: Metrics) -> None:
        self._client = client
        self._names = names
        self._metrics = metrics
        self._held: dict[str, Lease] = {}
        self._renew = LuaScript("renew.lua")
        self._changed = asyncio.Event()
        self.seconds = lease_seconds
        # A renewal that overtakes a release would take the entry back for another lease.
        self.renewing = asyncio.Lock()

    def __len__(self) -> int:
        return len(self._held)

    def __contains__(self, entry_id: str) -> bool:
        return entry_id in self._held

    def holds(self, entry: Entry) -> bool:
        """Whether the lease of this very delivery goes on: the entry may have been lost and come back to us."""
        lease = self._held.get(entry.id)
        return lease is not None and lease.entry is entry

    @property
    def ids(self) -> list[str]:
        return list(self._held)

    @property
    def entries(self) -> list[Entry]:
        return [lease.entry for lease in self._held.values()]

    @property
    def milliseconds(self) -> int:
        return int(self.seconds * 1000)

    def take(self, entry: Entry, give_up: Callable[[], None]) -> None:
        self._held[entry.id] = Lease(entry, give_up)

    def drop(self, entry_id: str) -> None:
        """End a lease that has been settled, released or lost."""
        self._held.pop(entry_id, None)
        self._changed.set()

    async def change(self, timeout: float) -> None:  # noqa: ASYNC109 (waiting for no change is fine)
        """Wait until a lease has ended, at most so many seconds."""
        self._changed.clear()
        try:
            async with asyncio.timeout(timeout):
                await self._changed.wait()
        except TimeoutError:
            return

    def wake(self) -> None:
        """Make whoever waits for a change look again."""
        self._changed.set()

    async def renew(self) -> None:
        """Renew all leases; those found lost are given up."""
        async with self.renewing:
            lost: list[Any] = []
            for ids in in_calls(self.ids):
                arguments = [self._names.group, self._names.consumer, *ids]
                lost += await self._renew(self._client, [self._names.events], arguments)
        for entry_id in (raw.decode() for raw in lost):
            # Settled or released while the renewal was under way: nothing was lost.
            if (lease := self._held.get(entry_id)) is not None:
                self._metrics.leases_lost.inc()
                log.warning("lease lost; dropping the work", source_id=self._names.prefix + entry_id)
                self.drop(entry_id)
                lease.give_up()
