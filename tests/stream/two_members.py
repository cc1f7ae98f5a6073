"""Two consumers of one group and one pending list, to be looked at part by part."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from redis.asyncio import Redis
from tests.events import DEAD_LETTERS, EVENTS, GROUP, RESULTS

from eval_worker.redis_connection import connect
from eval_worker.settings import Settings
from eval_worker.stream.entry import Entry
from eval_worker.stream.fetch import Fetcher
from eval_worker.stream.group import ConsumerGroup
from eval_worker.stream.lease import Leases
from eval_worker.stream.names import StreamNames
from eval_worker.stream.reclaim import Reclaimer
from eval_worker.stream.release import Releaser
from eval_worker.telemetry.metrics import Metrics

LEASE_SECONDS = 20.0  # none runs out by itself while a test lasts: see age()


@dataclass
class Member:
    """One consumer's parts."""

    client: Redis
    names: StreamNames
    max_deliveries: int = 5

    def __post_init__(self) -> None:
        self.metrics = Metrics()
        self.group = ConsumerGroup(self.client, self.names, self.metrics)
        self.leases = Leases(self.client, self.names, LEASE_SECONDS, self.metrics)
        self.fetcher = Fetcher(self.client, self.names, read_ahead=2_000)
        self.releaser = Releaser(self.client, self.names, self.leases, self.metrics, time.monotonic)
        self.reclaimer = Reclaimer(
            self.client, self.names, self.leases, self.metrics, time.monotonic, max_deliveries=self.max_deliveries
        )
        self.lost: list[str] = []

    async def take(self, most: int = 10) -> list[Entry]:
        entries = await self.fetcher.fetch(most)
        for entry in entries:
            self.leases.take(entry, lambda entry_id=entry.id: self.lost.append(entry_id))
        return entries


def with_two(settings: Settings, scenario: Callable[[Member, Member], Awaitable[None]]) -> None:
    async def run() -> None:
        async with connect(settings, block_seconds=1) as client:
            await between(client)

    async def between(client: Redis) -> None:
        names = [StreamNames(EVENTS, RESULTS, DEAD_LETTERS, GROUP, c) for c in "ab"]
        first, second = (Member(client, each) for each in names)
        await first.group.ensure()
        await scenario(first, second)

    asyncio.run(run())


def age(
    redis_client: Any, entry_id: str, consumer: str, deliveries_so_far: int, seconds: float = 3 * LEASE_SECONDS
) -> None:
    """Make a pending entry look as if its worker had died so long ago, after so many deliveries."""
    idle = round(seconds * 1000)
    redis_client.xclaim(EVENTS, GROUP, consumer, 0, [entry_id], idle=idle, retrycount=deliveries_so_far, justid=True)


def idle_seconds(redis_client: Any, entry_id: str) -> float:
    (pending,) = redis_client.xpending_range(EVENTS, GROUP, entry_id, entry_id, 1)
    return pending["time_since_delivered"] / 1000
