"""Reclaim: entries whose worker died, or that were released, are taken over; each take-over counts a delivery."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import structlog
from redis.asyncio import Redis

from eval_worker.stream.entry import Entry
from eval_worker.stream.lease import Leases
from eval_worker.stream.lua_script import LuaScript
from eval_worker.stream.names import RELEASED, StreamNames
from eval_worker.stream.pace import ReadPace
from eval_worker.telemetry.metrics import Metrics

log = structlog.get_logger()

FIRST_SUSPECT_DELIVERY = 3  # from here on an entry runs alone, unless a living worker gave it back
INTERVAL_SECONDS = 2.0
PAGE_SIZE = 256
SUSPECTS_LOOKED_AT = 1_000
_FROM_THE_START = "-"


@dataclass(frozen=True, slots=True)
class Reclaimed:
    """`suspects` were seen and left: each has to be claimed alone."""

    entries: list[Entry]
    suspects: int


class Reclaimer:
    """Walks the pending list from a kept cursor, a page at a time."""

    def __init__(
        self,
        client: Redis,
        names: StreamNames,
        leases: Leases,
        metrics: Metrics,
        clock: Callable[[], float],
        *,
        max_deliveries: int,
    ) -> None:
        self._client = client
        self._names = names
        self._leases = leases
        self._metrics = metrics
        self._clock = clock
        self._max_deliveries = max_deliveries
        self._reclaim = LuaScript("reclaim.lua")
        self._claim_suspect = LuaScript("claim_suspect.lua")
        self._pace = ReadPace(PAGE_SIZE)
        self._cursor = _FROM_THE_START
        self._due_at = clock()

    @property
    def due(self) -> bool:
        return self._clock() >= self._due_at

    async def reclaim(self, most: int) -> Reclaimed:
        """Take over up to `most` entries that are not suspects."""
        cursor, suspects, claimed, missing = await self._pace.read(most, self._claim)
        self._cursor = cursor.decode()
        if self._cursor == _FROM_THE_START:  # a pass is complete; until then the next page is due at once
            self._due_at = self._clock() + INTERVAL_SECONDS * random.uniform(0.75, 1.25)  # noqa: S311 (jitter)
        self._report_missing(missing)
        entries = [Entry.from_reply(entry_id, fields, count) for entry_id, fields, count in claimed]
        self._metrics.reclaimed.inc(len(entries))
        return Reclaimed(entries, int(suspects))

    async def _claim(self, most: int) -> Any:
        arguments = [
            *(self._names.group, self._names.consumer, self._leases.milliseconds, self._cursor),
            *(PAGE_SIZE, most, FIRST_SUSPECT_DELIVERY, self._max_deliveries, RELEASED),
            *self._leases.ids,
        ]
        return await self._reclaim(self._client, [self._names.events], arguments)

    async def claim_suspect(self) -> Entry | None:
        """Take over the suspect with the fewest deliveries; only while nothing else is held here."""
        arguments = [
            *(self._names.group, self._names.consumer, self._leases.milliseconds),
            *(SUSPECTS_LOOKED_AT, FIRST_SUSPECT_DELIVERY, self._max_deliveries, RELEASED),
        ]
        while True:
            reply: Any = await self._claim_suspect(self._client, [self._names.events], arguments)
            if reply is None:
                return None
            entry_id, fields, count = reply
            if fields is not None:
                self._metrics.reclaimed.inc()
                return Entry.from_reply(entry_id, fields, count)
            self._report_missing([entry_id])

    def _report_missing(self, missing: list[bytes]) -> None:
        for entry_id in missing:
            self._metrics.data_lost.inc()
            source_id = self._names.prefix + entry_id.decode()
            log.error("a pending entry was deleted from the stream before it was judged", source_id=source_id)
