"""A lane: one stream's way through this process. What is read there is judged, and settled or given back there."""

import asyncio
import contextvars
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import structlog

from eval_worker.models.budget import Budget
from eval_worker.models.circuit import Circuit
from eval_worker.redis_connection import REDIS_ERRORS
from eval_worker.stream.cancellation import cancel_and_wait
from eval_worker.stream.entry import Entry
from eval_worker.stream.executor import Executor
from eval_worker.stream.fetch import BLOCK_MS, Fetcher
from eval_worker.stream.intake import Intake
from eval_worker.stream.isolation import Isolation
from eval_worker.stream.janitor import INTERVAL_SECONDS as JANITOR_SECONDS
from eval_worker.stream.janitor import Janitor
from eval_worker.stream.lease import RENEWALS_PER_LEASE, Leases
from eval_worker.stream.reclaim import Reclaimer
from eval_worker.stream.redis_patience import RedisPatience
from eval_worker.stream.release import Releaser
from eval_worker.stream.screening import in_batches
from eval_worker.stream.settle import Settler

log = structlog.get_logger()

LONGEST_PAUSE_SECONDS = 0.5  # how long the loop waits at most before it looks around again
OTHERS_PAUSE_SECONDS = 0.02  # and before it looks whether the other lanes are quiet
SUSPECTS_SECONDS = 5.0  # how long suspects may keep everything else waiting at a time
SWEEP_SECONDS = 6.0
LAST_READ_SECONDS = BLOCK_MS / 1000 + 0.5
FINISHING_SHARE = 0.1  # of DRAIN_SECONDS is kept for writing results and giving back the rest
FINISHING_SECONDS = 2.0  # but no more than this


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Of a drain, by the clock: until when events are judged, results written, and all that is left given back."""

    judge: float
    write: float
    end: float
    last_read_seconds: float


@dataclass(frozen=True, slots=True)
class StreamParts:
    """What does the work on one stream, one role each. `report` publishes its figures, every few seconds."""

    fetcher: Fetcher
    reclaimer: Reclaimer
    executor: Executor
    leases: Leases
    settler: Settler
    releaser: Releaser
    janitor: Janitor
    redis: RedisPatience
    intake: Intake
    report: Callable[[], Awaitable[None]]


class Lane:
    """One consumer of one stream's group, in a process that may have several. What reaches the model they share."""

    def __init__(
        self,
        parts: StreamParts,
        *,
        circuit: Circuit,
        budget: Budget,
        isolation: Isolation,
        beat: Callable[[], None],
        clock: Callable[[], float],
        partition: int | None = None,
        prefix: str = "",
        report_seconds: float = 10.0,
    ) -> None:
        self._fetcher = parts.fetcher
        self._reclaimer = parts.reclaimer
        self._executor = parts.executor
        self._leases = parts.leases
        self._settler = parts.settler
        self._releaser = parts.releaser
        self._janitor = parts.janitor
        self._redis = parts.redis
        self._intake = parts.intake
        self._report = parts.report
        self._circuit = circuit
        self._budget = budget
        self._isolation = isolation
        self._beat = beat
        self._clock = clock
        self.partition = partition
        self._prefix = prefix
        self._report_seconds = report_seconds
        self._stopping = asyncio.Event()
        self._reading = False
        self._strays_possible = False
        self._sweep_at = clock()
        self._suspects_waiting = False
        self._only_suspects = False  # were found for the last probe
        self._taking_in: asyncio.Task[None]  # since it was started
        isolation.join(self)

    @property
    def held(self) -> int:
        """How many entries are read and not settled."""
        return len(self._leases)

    @property
    def unjudged(self) -> int:
        """How many events wait for the judges or are being judged."""
        return self._executor.unjudged

    @property
    def quiet(self) -> bool:
        return not (self._reading or len(self._leases))

    @property
    def in_trouble(self) -> bool:
        return self._redis.what_is_wrong() is not None

    def start(self, context: contextvars.Context) -> list["asyncio.Task[None]"]:
        """Begin; the tasks go on until they are cancelled, and one that ends before has met a bug of ours."""

        def begin(work: Coroutine[Any, Any, None], name: str) -> "asyncio.Task[None]":
            return asyncio.create_task(work, name=name, context=context)

        renewal_seconds = self._leases.seconds / RENEWALS_PER_LEASE
        self._taking_in = begin(self._take_in(), "intake")
        return [
            self._taking_in,
            begin(self._settler.run(), "settle"),
            begin(self._executor.watch(), "watch"),
            begin(self._every("renew", renewal_seconds, self._leases.renew), "renew"),
            begin(self._every("clean", JANITOR_SECONDS, self._janitor.clean), "clean"),
            begin(self._every("report", self._report_seconds, self._report), "report"),
        ]

    def stop(self) -> None:
        self._stopping.set()
        self._executor.stop_starting()  # at once: a read under way may bring more before the loop comes round
        self._leases.wake()

    async def _take_in(self) -> None:
        while not self._stopping.is_set():
            self._beat()
            if self._isolation.is_held_against(self):
                await self._isolation.over(LONGEST_PAUSE_SECONDS)
                continue
            if self._suspects_waiting and self._suspects_may_run() and self._budget.may_spend():
                await self._run_suspects()
            room = self._room()
            if room == 0:
                await self._wait_for_room()
                continue
            read = partial(self._read, partial(self._next_entries, room))
            await self._start(await self._redis.insist("read", read))

    async def _start(self, taken: list[Entry]) -> None:
        """Screen batch after batch; renewals and signals go on between them."""
        to_judge = 0
        for batch in in_batches(taken):
            to_judge += self._executor.start(batch)
            self._beat()
            await asyncio.sleep(0)  # what is settled goes out while the next batch is screened
        self._intake.observe(read=len(taken), to_judge=to_judge)

    def _room(self) -> int:
        """How many entries may be read now: none while a bound is reached or the budget is spent.

        While the circuit is open it is one, the probe.
        """
        if not self._budget.may_spend():
            return 0
        if not self._circuit.closed:
            return int(self._circuit.probe_due and len(self._leases) == 0)
        return self._intake.room(held=len(self._leases), unjudged=self._executor.unjudged)

    async def _wait_for_room(self) -> None:
        seconds = LONGEST_PAUSE_SECONDS
        if self._budget.exhausted or not self._circuit.closed:
            self._executor.release_waiting()
        if not self._circuit.closed:
            seconds = min(self._circuit.seconds_to_probe or seconds, seconds)
        await self._leases.change(seconds)

    async def _read(self, take: Callable[[], Awaitable[list[Entry]]]) -> list[Entry]:
        """Have entries delivered and hold them. What a lost reply left behind is given back first, uncharged."""
        self._beat()
        # A request that was lost may still arrive after a sweep, so there is one now and then in any case.
        if self._strays_possible or self._clock() >= self._sweep_at:
            await self._releaser.release_strays()
            self._sweep_at = self._clock() + SWEEP_SECONDS
        while self._isolation.is_held_against(self):
            if self._stopping.is_set():
                return []
            await self._isolation.over(LONGEST_PAUSE_SECONDS)
            self._beat()
        with self._not_quiet():  # with nothing awaited since the last look: a lane that runs alone counts on it
            self._strays_possible = True
            entries = await take()
            self._strays_possible = False
            return self._executor.take(entries)

    @contextmanager
    def _not_quiet(self) -> Generator[None]:
        """From the moment in which it asks until what came is held, this lane is reading."""
        self._reading = True
        try:
            yield
        finally:
            self._reading = False

    async def _next_entries(self, room: int) -> list[Entry]:
        self._only_suspects = False
        return await (self._look_for_work(room) if self._circuit.closed else self._probe())

    async def _look_for_work(self, room: int) -> list[Entry]:
        if self._reclaimer.due:
            reclaimed = await self._reclaimer.reclaim(min(room, self._free_slots()))
            self._suspects_waiting |= reclaimed.suspects > 0
            if reclaimed.entries:
                return reclaimed.entries
        return await self._fetcher.fetch(room)

    async def _probe(self) -> list[Entry]:
        """One event to try the model with: a new one first, since those that failed may be the trouble themselves."""
        fresh = await self._fetcher.fetch(1)
        if fresh:
            return fresh
        reclaimed = await self._reclaimer.reclaim(1)
        self._only_suspects = reclaimed.suspects > 0 and not reclaimed.entries
        self._suspects_waiting |= self._only_suspects
        return reclaimed.entries

    def _free_slots(self) -> int:
        return self._intake.concurrency - self._executor.unjudged

    def _suspects_may_run(self) -> bool:
        """While the circuit is open, only as its probe, and where there was nothing else to try the model with."""
        return self._circuit.closed or (self._only_suspects and self._circuit.probe_due)

    async def _run_suspects(self) -> None:
        """Run suspects alone, one after the other: should one kill the process, no other entry is charged for it.

        Only for a while, since nothing else is read meanwhile; the next pass over the pending list finds the rest.
        """
        self._suspects_waiting = False
        ends_at = self._clock() + SUSPECTS_SECONDS
        with self._isolation.held_by(self):
            while self._clock() < ends_at and await self._nothing_in_flight() and self._suspects_may_run():
                suspects = await self._claim_suspect()
                if not suspects:
                    return
                for suspect in suspects:
                    source_id = self._prefix + suspect.id
                    log.warning(
                        "running alone: it may have stopped a worker", source_id=source_id, attempt=suspect.deliveries
                    )
                await self._start(suspects)
                await self._all_judged()
            await self._nothing_in_flight()

    async def _claim_suspect(self) -> list[Entry]:
        """Ask once: while the other lanes wait for this one, it does not wait for Redis. The next read does that."""
        try:
            return await self._redis.attempt(partial(self._read, self._take_suspect))
        except REDIS_ERRORS as error:
            await self._redis.failed("read", error)
            return []

    async def _take_suspect(self) -> list[Entry]:
        suspect = await self._reclaimer.claim_suspect()
        return [] if suspect is None else [suspect]

    async def _all_judged(self) -> None:
        """Wait for it. What is judged and can't be written endangers nobody, and nobody waits for it."""
        while self._executor.unjudged and not self._stopping.is_set():
            self._beat()
            await self._leases.change(LONGEST_PAUSE_SECONDS)

    async def _nothing_in_flight(self) -> bool:
        """Wait for it, in all lanes; False where it can't come to it: we stop, or a lane can't let go of an entry."""
        while not self._stopping.is_set() and self._isolation.possible:
            if not len(self._leases) and self._isolation.others_are_quiet(self):
                return True
            self._beat()
            await self._leases.change(LONGEST_PAUSE_SECONDS if len(self._leases) else OTHERS_PAUSE_SECONDS)
        return False

    async def _every(self, name: str, seconds: float, work: Callable[[], Awaitable[object]]) -> None:
        while True:
            await self._redis.insist(name, work)
            await asyncio.sleep(seconds)

    async def drain(self, deadlines: Deadlines) -> None:
        """Finish what is being judged, write every outcome, give back the rest."""
        await self._end_intake(deadlines.last_read_seconds)
        await self._executor.drain(deadlines.judge - self._clock())
        finishing = asyncio.create_task(self._finish(deadlines.write))
        done, _ = await asyncio.wait([finishing], timeout=max(deadlines.end - self._clock(), 0.1))
        error = finishing.exception() if finishing in done else TimeoutError(self._redis.what_is_wrong())
        if error is not None:
            self._say_what_is_left(self._redis.in_words(error))
        await cancel_and_wait([finishing])

    def _say_what_is_left(self, problem: str) -> None:
        if left := len(self._leases):
            log.error("not all is written or given back; another worker takes it over", left=left, problem=problem)
        else:
            log.warning("redis could not be told that we leave; nothing was in flight", problem=problem)

    async def _end_intake(self, within: float) -> None:
        """Let the read under way return; where Redis hangs, what it may have delivered is swept up as a stray."""
        await asyncio.wait([self._taking_in], timeout=within)
        await cancel_and_wait([self._taking_in])

    async def _finish(self, write_until: float) -> None:
        """Write what is judged; what Redis does not take in time is given back, uncharged, as it is not to blame."""
        flushing = asyncio.create_task(self._settler.flushed())
        await asyncio.wait([flushing], timeout=max(write_until - self._clock(), 0))
        await cancel_and_wait([flushing])
        if unwritten := self._settler.waiting:
            problem = self._redis.what_is_wrong()
            log.error(
                "outcomes could not be written; their events are judged again", unwritten=unwritten, problem=problem
            )
        await self._redis.insist("release", self._releaser.release_all)
        await self._janitor.leave()
