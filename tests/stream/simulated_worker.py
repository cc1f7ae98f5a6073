"""One worker's real parts, moved step by step: any step may lose its reply, or be the last before a crash."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import KW_ONLY, dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, TypeVar

from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from tests.events import DEAD_LETTERS, EVENTS, GROUP, RESULTS

from eval_worker.result_writer import JudgesDigests, ResultWriter
from eval_worker.stream.entry import Entry
from eval_worker.stream.fetch import Fetcher
from eval_worker.stream.group import ConsumerGroup
from eval_worker.stream.janitor import Janitor
from eval_worker.stream.lease import Leases
from eval_worker.stream.names import StreamNames
from eval_worker.stream.outcome import OutcomeWriter
from eval_worker.stream.reclaim import Reclaimer
from eval_worker.stream.redis_patience import RedisPatience
from eval_worker.stream.release import Release, Releaser
from eval_worker.stream.settle import Settlement, Settler, Target
from eval_worker.telemetry.metrics import Metrics

T = TypeVar("T")

LEASE_SECONDS = 60.0
MAX_DELIVERIES = 4
RETENTION = timedelta(hours=1)
NO_RETENTION = timedelta(hours=-1)  # whatever is there is older than that
IDLE_AFTER = timedelta(hours=1)


class Loss(StrEnum):
    """What a connection takes along when it breaks; after the second, the server has done what it was asked."""

    NOTHING = ""
    REQUEST = "request"
    REPLY = "reply"


class LossyRedis:
    """A client whose next command may meet a connection that breaks."""

    def __init__(self, client: Redis) -> None:
        self._client = client
        self.next_loss = Loss.NOTHING

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        command = getattr(self._client, name)

        async def call(*arguments: Any, **options: Any) -> Any:
            if self.next_loss is Loss.REQUEST:
                raise RedisConnectionError("the request was lost")
            reply = await command(*arguments, **options)
            if self.next_loss is Loss.REPLY:
                raise RedisConnectionError("the reply was lost")
            return reply

        return call


@dataclass(slots=True)
class Clock:
    """Everybody's time: real time, and what a test lets pass besides."""

    passed: float = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.passed


def moment() -> datetime:
    return datetime.now(UTC)


@dataclass
class SimulatedWorker:
    """What the executor would do with entries, a test does: `work` is what it has in hand."""

    client: Redis
    consumer: str
    clock: Clock
    _: KW_ONLY
    keep_events: bool
    lease_seconds: float = LEASE_SECONDS
    work: dict[str, Entry] = field(default_factory=dict[str, Entry])
    given_up: dict[str, Entry] = field(default_factory=dict[str, Entry])
    releasing: list[Release] = field(default_factory=list[Release])
    strays_possible: bool = False

    def __post_init__(self) -> None:
        self.redis = LossyRedis(self.client)
        redis: Any = self.redis
        names = StreamNames(EVENTS, RESULTS, DEAD_LETTERS, GROUP, self.consumer)
        self.metrics = Metrics()
        self.leases = Leases(redis, names, self.lease_seconds, self.metrics)
        self.fetcher = Fetcher(redis, names, read_ahead=1_000)
        self.releaser = Releaser(redis, names, self.leases, self.metrics, self.clock)
        self.reclaimer = Reclaimer(redis, names, self.leases, self.metrics, self.clock, max_deliveries=MAX_DELIVERIES)
        self.patience = RedisPatience(ConsumerGroup(redis, names, self.metrics))
        keep = self.keep_events
        self.settler = Settler(redis, names, self.patience, self._settled, keep_events=keep, results_maxlen=0)
        self.janitor = Janitor(redis, names, retention=RETENTION if keep else None, idle_after=IDLE_AFTER)
        self.late_janitor = Janitor(redis, names, retention=NO_RETENTION if keep else None, idle_after=IDLE_AFTER)
        results = ResultWriter("model", JudgesDigests("sha256:0", "sha256:1"), moment)
        self.outcomes = OutcomeWriter(results, self.consumer)

    @property
    def data_lost(self) -> int:
        return int(self.metrics.registry.get_sample_value("eval_data_lost_total") or 0)

    @property
    def claims_to(self) -> set[str]:
        """Every entry that this worker may still do something about."""
        return {*self.leases.ids, *self.given_up, *(release.entry.id for release in self.releasing)}

    async def attempt(self, operation: Callable[[], Awaitable[T]], *, lost: Loss = Loss.NOTHING) -> T | None:
        """Do it once, as the worker's loops do; None where the connection broke."""
        self.redis.next_loss = lost
        try:
            return await self.patience.attempt(operation)
        except RedisConnectionError:
            return None
        finally:
            self.redis.next_loss = Loss.NOTHING

    async def take_in(self, operation: Callable[[], Awaitable[list[Entry]]], *, lost: Loss) -> list[Entry]:
        """Read or reclaim, and begin with what has come."""
        self.strays_possible = True
        entries = await self.attempt(operation, lost=lost)
        if entries is None:
            return []
        self.strays_possible = False
        for entry in entries:
            self._start(entry)
        return entries

    def finish(self, entry: Entry, *, dead: bool) -> None:
        self.work.pop(entry.id, None)
        fields = [("source_id", entry.id.encode()), ("worker", self.consumer.encode())]
        self.settler.submit(
            self.outcomes.dead_letter(entry, "test", "because")
            if dead
            else Settlement(entry, Target.RESULTS, fields, "pass")
        )

    def give_back(self, entry: Entry, *, charged: bool, delay_seconds: float) -> None:
        self.work.pop(entry.id, None)
        self.releasing.append(Release(entry, charged=charged, delay_seconds=delay_seconds))

    async def release(self, *, lost: Loss) -> None:
        done = await self.attempt(self._release_all_asked_for, lost=lost)
        if done:
            self.releasing.clear()

    async def settle_a_batch(self, *, lost: Loss) -> None:
        self.redis.next_loss = lost
        if self.settler.waiting:
            await self.settler._settle_batch(self.settler._next_batch())
        self.redis.next_loss = Loss.NOTHING

    async def reclaimed(self, most: int) -> list[Entry]:
        return (await self.reclaimer.reclaim(most)).entries

    async def claimed_suspect(self) -> list[Entry]:
        found = await self.reclaimer.claim_suspect()
        return [] if found is None else [found]

    async def settle_everything(self) -> None:
        while self.settler.waiting:
            await self.settle_a_batch(lost=Loss.NOTHING)

    async def finish_everything(self) -> None:
        """Go on until there is nothing left: nothing to read, and an empty pass over the pending list."""
        passes_without_any = 0
        while passes_without_any < 2:
            found = [
                *await self.take_in(lambda: self.fetcher.fetch(100), lost=Loss.NOTHING),
                *await self.take_in(lambda: self.reclaimed(100), lost=Loss.NOTHING),
                *await self.take_in(self.claimed_suspect, lost=Loss.NOTHING),
            ]
            for entry in list(self.work.values()):
                self.finish(entry, dead=False)
            await self.settle_everything()
            passes_without_any = 0 if found else passes_without_any + 1

    async def leave(self) -> None:
        """Drain: what is decided is written, the rest goes back."""
        await self.settle_everything()
        await self.attempt(self.releaser.release_all)
        await self.attempt(self.janitor.leave)

    def _start(self, entry: Entry) -> None:
        if entry.id in self.leases:
            return
        self.leases.take(entry, lambda: self._give_up(entry.id))
        if entry.deliveries > MAX_DELIVERIES:
            self.finish(entry, dead=True)
        else:
            self.work[entry.id] = entry

    def _give_up(self, entry_id: str) -> None:
        if entry := self.work.pop(entry_id, None):
            self.given_up[entry_id] = entry

    def _settled(self, settlement: Settlement, _first: bool) -> None:
        self.leases.drop(settlement.entry.id)

    async def _release_all_asked_for(self) -> bool:
        await self.releaser.release(self.releasing)
        return True
