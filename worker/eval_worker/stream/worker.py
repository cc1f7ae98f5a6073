"""The run loop: take in what there is room for, until told to stop; then drain."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

import structlog

from eval_worker.models.budget import Budget
from eval_worker.models.circuit import Circuit
from eval_worker.stream.cancellation import cancel_and_wait
from eval_worker.stream.entry import Entry
from eval_worker.stream.executor import Executor
from eval_worker.stream.fetch import BLOCK_MS, Fetcher
from eval_worker.stream.intake import Intake
from eval_worker.stream.janitor import INTERVAL_SECONDS as JANITOR_SECONDS
from eval_worker.stream.janitor import Janitor
from eval_worker.stream.lease import RENEWALS_PER_LEASE, Leases
from eval_worker.stream.reclaim import Reclaimer
from eval_worker.stream.redis_patience import RedisPatience
from eval_worker.stream.release import Releaser
from eval_worker.stream.screening import in_batches
from eval_worker.stream.settle import Settler
from eval_worker.telemetry.health import Health

log = structlog.get_logger()

T = TypeVar("T")

LONGEST_PAUSE_SECONDS = 0.5  # how long the loop waits at most before it looks around again
SUSPECTS_SECONDS = 5.0  # how long suspects may keep everything else waiting at a time
SWEEP_SECONDS = 6.0
LAST_READ_SECONDS = BLOCK_MS / 1000 + 0.5
FINISHING_SHARE = 0.1  # of DRAIN_SECONDS is kept for writing results and giving back the rest
FINISHING_SECONDS = 2.0  # but no more than this
LEAVING_SHARE = 0.2  # and this much for closing connections and the end of the process
LEAVING_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Bounds:
    """`read_ahead`: events read and not settled. `concurrency`: events being judged. `drain_seconds`: to the exit."""

    read_ahead: int
    concurrency: int
    drain_seconds: float


class Worker:
    """One consumer of the group. `report` publishes the backlog's figures, every few seconds."""

    def __init__(
        self,
        *,
        fetcher: Fetcher,
        reclaimer: Reclaimer,
        executor: Executor,
        leases: Leases,
        settler: Settler,
        releaser: Releaser,
        janitor: Janitor,
        circuit: Circuit,
        budget: Budget,
        redis: RedisPatience,
        health: Health,
        report: Callable[[], Awaitable[None]],
        clock: Callable[[], float],
        bounds: Bounds,
        report_seconds: float = 10.0,
    ) -> None:
        self._fetcher = fetcher
        self._reclaimer = reclaimer
        self._executor = executor
        self._leases = leases
        self._settler = settler
        self._releaser = releaser
        self._janitor = janitor
        self._circuit = circuit
        self._budget = budget
        self._redis = redis
        self._health = health
        self._report = report
        self._clock = clock
        self._bounds = bounds
        self._intake = Intake(read_ahead=bounds.read_ahead, concurrency=bounds.concurrency, clock=clock)
        self._report_seconds = report_seconds
        self._stopping = asyncio.Event()
        self._strays_possible = False
        self._sweep_at = clock()
        self._suspects_waiting = False

    def stop(self) -> None:
        """Begin the drain; `run` returns when it is done. Call it in the event loop's thread."""
        self._health.draining = True  # the first thing that anybody is told
        self._stopping.set()
        self._executor.stop_starting()  # at once: a read under way may bring more before the loop comes round
        self._leases.wake()

    async def run(self) -> None:
        """Work until stopped, then drain. Raises what a loop of ours raised: a bug."""
        background = [
            asyncio.create_task(self._settler.run(), name="settle"),
            asyncio.create_task(self._executor.watch(), name="watch"),
            asyncio.create_task(self._every("renew", self._leases.seconds / RENEWALS_PER_LEASE, self._leases.renew)),
            asyncio.create_task(self._every("clean", JANITOR_SECONDS, self._janitor.clean)),
            asyncio.create_task(self._every("report", self._report_seconds, self._report)),
        ]
        intake = asyncio.create_task(self._take_in(), name="intake")
        stopping = asyncio.create_task(self._stopping.wait(), name="stopping")
        try:
            await asyncio.wait([stopping, intake, *background], return_when=asyncio.FIRST_COMPLETED)
            broken = [task for task in (intake, *background) if task.done() and not self._stopping.is_set()]
            self.stop()
            await self._drain(intake)  # after a bug of ours too: what is held is not to blame for it
        finally:
            await cancel_and_wait([stopping, intake, *background])
        for task in broken:
            task.result()

    async def _take_in(self) -> None:
        while not self._stopping.is_set():
            self._health.beat()
            if self._suspects_waiting and self._circuit.closed and self._budget.may_spend():
                await self._run_suspects()
            room = self._room()
            if room == 0:
                await self._wait_for_room()
                continue
            await self._start(await self._insist_on(lambda room=room: self._next_entries(room)))

    async def _start(self, entries: list[Entry]) -> None:
        """Hold them all, then screen batch after batch; renewals and signals go on between them."""
        taken = self._executor.take(entries)
        to_judge = 0
        for batch in in_batches(taken):
            to_judge += self._executor.start(batch)
            self._health.beat()
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

    async def _insist_on(self, take: Callable[[], Awaitable[T]]) -> T:
        """Have entries delivered to us. What a lost reply delivered to nobody is given back first, uncharged."""

        async def attempt() -> T:
            self._health.beat()
            # A request that was lost may still arrive after a sweep, so there is one now and then in any case.
            if self._strays_possible or self._clock() >= self._sweep_at:
                await self._releaser.release_strays()
                self._sweep_at = self._clock() + SWEEP_SECONDS
            self._strays_possible = True
            taken = await take()
            self._strays_possible = False
            return taken

        return await self._redis.insist("read", attempt)

    async def _next_entries(self, room: int) -> list[Entry]:
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
        if reclaimed.entries or not reclaimed.suspects:
            return reclaimed.entries
        suspect = await self._reclaimer.claim_suspect()
        return [] if suspect is None else [suspect]

    def _free_slots(self) -> int:
        return self._bounds.concurrency - self._executor.unjudged

    async def _run_suspects(self) -> None:
        """Run suspects alone, one after the other: should one kill the process, no other entry is charged for it.

        Only for a while, since nothing else is read meanwhile; the next pass over the pending list finds the rest.
        """
        self._suspects_waiting = False
        ends_at = self._clock() + SUSPECTS_SECONDS
        while self._clock() < ends_at and self._circuit.closed and await self._nothing_in_flight():
            suspect = await self._insist_on(self._reclaimer.claim_suspect)
            if suspect is None:
                return
            log.warning("running alone: it may have stopped a worker", source_id=suspect.id, attempt=suspect.deliveries)
            await self._start([suspect])
        await self._nothing_in_flight()

    async def _nothing_in_flight(self) -> bool:
        while len(self._leases) and not self._stopping.is_set():
            self._health.beat()
            await self._leases.change(LONGEST_PAUSE_SECONDS)
        return not self._stopping.is_set()

    async def _every(self, name: str, seconds: float, work: Callable[[], Awaitable[object]]) -> None:
        while True:
            await self._redis.insist(name, work)
            await asyncio.sleep(seconds)

    async def _drain(self, intake: "asyncio.Task[None]") -> None:
        """Finish what is being judged, write every outcome, give back the rest: all within DRAIN_SECONDS."""
        seconds = self._bounds.drain_seconds
        ends_at = self._clock() + seconds - min(seconds * LEAVING_SHARE, LEAVING_SECONDS)
        reserve = min(seconds * FINISHING_SHARE, FINISHING_SECONDS)
        log.info("draining", in_flight=len(self._leases), seconds=seconds)
        await self._end_intake(intake)
        await self._executor.drain(ends_at - reserve - self._clock())
        finishing = asyncio.create_task(self._finish(ends_at - reserve / 2))
        done, _ = await asyncio.wait([finishing], timeout=max(ends_at - self._clock(), 0.1))
        error = finishing.exception() if finishing in done else TimeoutError(self._redis.what_is_wrong())
        if error is not None:
            self._say_what_is_left(self._redis.in_words(error))
        await cancel_and_wait([finishing])

    def _say_what_is_left(self, problem: str) -> None:
        if left := len(self._leases):
            log.error("not all is written or given back; another worker takes it over", left=left, problem=problem)
        else:
            log.warning("redis could not be told that we leave; nothing was in flight", problem=problem)

    async def _end_intake(self, intake: "asyncio.Task[None]") -> None:
        """Let the read under way return; where Redis hangs, what it may have delivered is swept up as a stray."""
        await asyncio.wait([intake], timeout=min(LAST_READ_SECONDS, self._bounds.drain_seconds * FINISHING_SHARE))
        await cancel_and_wait([intake])

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
