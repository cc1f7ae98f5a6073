"""Release: entries go back to the group, to be claimed again after a delay, with or without a charge."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import structlog
from redis.asyncio import Redis

from eval_worker.stream.entry import Entry
from eval_worker.stream.lease import Leases
from eval_worker.stream.lua_script import MOST_IN_A_CALL, LuaScript, in_calls
from eval_worker.stream.names import RELEASED, StreamNames
from eval_worker.telemetry.metrics import Metrics

log = structlog.get_logger()


CLOCKS_DIFFER_BY_MS = 100  # our age is ours, the idle time is the server's; a process takes longer than this to start


@dataclass(frozen=True, slots=True)
class Release:
    """Only a crash, a bug or an event's own failure is charged; a drain, a pause and an outage give it back."""

    entry: Entry
    charged: bool
    delay_seconds: float = 0.0

    @property
    def deliveries(self) -> int:
        """What is left on the entry; its next claim adds one."""
        return self.entry.deliveries if self.charged else max(self.entry.deliveries - 1, 0)


class Releaser:
    """Gives entries back. Its own age tells strays of this process from what a namesake left behind before it."""

    def __init__(
        self, client: Redis, names: StreamNames, leases: Leases, metrics: Metrics, clock: Callable[[], float]
    ) -> None:
        self._client = client
        self._names = names
        self._leases = leases
        self._metrics = metrics
        self._clock = clock
        self._born = clock()
        self._release = LuaScript("release.lua")
        self._release_strays = LuaScript("release_strays.lua")

    async def release(self, releases: Sequence[Release]) -> None:
        """Make entries claimable after their delays (a lease at most: idle time can't be negative).

        Left out are those whose lease was lost while Redis could not be told: should the entry have come back to us
        since, that delivery is not to be given back with the charge of another.
        """
        names = [self._names.group, self._names.consumer, RELEASED]
        async with self._leases.renewing:
            releases = [release for release in releases if self._leases.holds(release.entry)]
            for some in in_calls(releases):
                arguments = [argument for release in some for argument in self._arguments(release)]
                self._report_missing(await self._release(self._client, [self._names.events], [*names, *arguments]))
            for release in releases:
                self._leases.drop(release.entry.id)
                self._metrics.released.labels(charged=str(release.charged).lower()).inc()

    async def release_all(self) -> None:
        """Release all that is pending under our name, at once and uncharged: what was cut off, and strays."""
        held = self._leases.ids
        await self._sweep(but=[])
        for entry_id in held:
            self._leases.drop(entry_id)

    async def release_strays(self) -> int:
        """Release what is pending under our name and not held, at once and uncharged."""
        return await self._sweep(but=self._leases.ids)

    def _report_missing(self, missing: Sequence[bytes]) -> None:
        for entry_id in missing:
            self._metrics.data_lost.inc()
            source_id = self._names.prefix + entry_id.decode()
            log.error("an entry was deleted from the stream before it was judged", source_id=source_id)

    def _arguments(self, release: Release) -> tuple[str, int, int]:
        idle_ms = max(self._leases.milliseconds - int(release.delay_seconds * 1000), 0)
        return release.entry.id, release.deliveries, idle_ms

    async def _sweep(self, *, but: Sequence[str]) -> int:
        age_ms = int((self._clock() - self._born) * 1000) + CLOCKS_DIFFER_BY_MS
        names = [self._names.group, self._names.consumer, RELEASED]
        released, start = 0, b"-"
        while start:
            arguments = [*names, self._leases.milliseconds, age_ms, start, MOST_IN_A_CALL, *but]
            count, missing, start = await self._release_strays(self._client, [self._names.events], arguments)
            released += int(count)
            self._report_missing(missing)
        return released
