"""The life of an entry here: screen, and settle early exits; or wait, judge, then settle, release or dead-letter."""

import asyncio
import contextvars
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import structlog

from eval_worker.assessment import Assessor
from eval_worker.errors import HANDLER_ERROR, blamed_on
from eval_worker.evaluation.aggregate import Evaluation
from eval_worker.evaluation.judges.model import FailureKind, ModelFailure
from eval_worker.models.circuit import Circuit
from eval_worker.redaction import Redact, without_secrets
from eval_worker.stream.admission import ALWAYS_ROOM, Admission
from eval_worker.stream.cancellation import cancel_and_wait
from eval_worker.stream.entry import Entry
from eval_worker.stream.entry_observer import UNOBSERVED, EntryObserver
from eval_worker.stream.lease import Leases
from eval_worker.stream.outcome import OutcomeWriter
from eval_worker.stream.redis_patience import RedisPatience
from eval_worker.stream.release import Release, Releaser
from eval_worker.stream.screening import Candidate, Screening
from eval_worker.stream.settle import Settlement, Settler
from eval_worker.telemetry.metrics import Metrics
from eval_worker.value_object import value_object

log = structlog.get_logger()

SHORTEST_DELAY_SECONDS = 1.0
LONGEST_DELAY_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What an entry may cost: judged at once, deliveries in all, bytes of payload."""

    concurrency: int
    max_deliveries: int
    max_event_bytes: int


@value_object
class _Evaluated:
    """What the judges said of an event, and the context in which they were asked: whose ids the log names."""

    candidate: Candidate
    evaluation: Evaluation
    context: contextvars.Context


class Executor:
    """Holds a lease on every entry it was given until that entry is settled, released or lost."""

    def __init__(
        self,
        *,
        assessor: Assessor,
        outcomes: OutcomeWriter,
        settler: Settler,
        releaser: Releaser,
        leases: Leases,
        circuit: Circuit,
        redis: RedisPatience,
        metrics: Metrics,
        clock: Callable[[], float],
        limits: Limits,
        admission: Admission = ALWAYS_ROOM,
        redact: Redact = without_secrets,
        observer: EntryObserver = UNOBSERVED,
        prefix: str = "",
        judging_in_all: Callable[[], int] | None = None,
    ) -> None:
        """In a process that serves several streams, whose circuit is one, `prefix` makes an entry's id unique.

        There `judging_in_all` counts what is being judged, whichever stream it came by.
        """
        self._log = log.bind()  # made once: looked up for each event it takes longer than most of what is done to it
        self._observer = observer
        self._screening = Screening(
            assessor,
            outcomes,
            metrics,
            max_deliveries=limits.max_deliveries,
            max_event_bytes=limits.max_event_bytes,
            observer=observer,
        )
        self._outcomes = outcomes
        self._settler = settler
        self._releaser = releaser
        self._leases = leases
        self._circuit = circuit
        self._redis = redis
        self._metrics = metrics
        self._clock = clock
        self._limits = limits
        self._admission = admission
        admission.when_room(self._fill_slots)
        self._redact = redact
        self._prefix = prefix
        self._judging_in_all = judging_in_all or (lambda: len(self._judging))
        self._waiting: deque[Candidate] = deque()
        self._judging: dict[str, asyncio.Task[None]] = {}
        self._evaluated: list[_Evaluated] = []
        self._releasing: set[asyncio.Task[None]] = set()
        self._release_failed = asyncio.Event()
        self._stopping = False

    @property
    def unjudged(self) -> int:
        """How many events wait for the judges or are being judged."""
        return len(self._waiting) + len(self._judging)

    def take(self, entries: Sequence[Entry]) -> list[Entry]:
        """Hold a lease on each; returns those that are to be started."""
        # A group that was recreated delivers again what is under way here; that run settles it.
        fresh = [entry for entry in entries if entry.id not in self._leases]
        for entry in fresh:
            self._leases.take(entry, lambda entry_id=entry.id: self._give_up(entry_id))
        self._observer.taken(fresh)
        return fresh

    def start(self, entries: Sequence[Entry]) -> int:
        """Screen these now, judge them as soon as there is a slot; returns how many are to be judged."""
        held = [entry for entry in entries if entry.id in self._leases]  # others were lost since they were taken
        if self._stopping:
            self._release(*(Release(entry, charged=False) for entry in held))
            return 0
        before = len(self._waiting)
        for entry, screened in zip(held, self._screening.screen(held), strict=True):
            if isinstance(screened, Settlement):
                self._settler.submit(screened)
            elif isinstance(screened, Candidate):
                self._waiting.append(screened)
            else:
                self._blame(entry, screened)
        to_judge = len(self._waiting) - before
        self._fill_slots()
        return to_judge

    async def watch(self) -> None:
        """Raise what giving back an entry raised: a bug, after which the entry would be held for ever."""
        await self._release_failed.wait()
        for task in self._releasing:
            if task.done() and not task.cancelled():
                task.result()

    def stop_starting(self) -> None:
        """From now on give back what waits and what still comes."""
        self._stopping = True
        self.release_waiting()

    async def drain(self, seconds: float) -> None:
        """Finish what is being judged within so many seconds, cut off the rest."""
        ends_at = self._clock() + seconds
        self._conclude_all()  # it may give entries back, which is waited for
        while (running := self._under_way()) and self._clock() < ends_at:
            await asyncio.wait(running, timeout=ends_at - self._clock(), return_when=asyncio.FIRST_COMPLETED)
        await cancel_and_wait([*self._judging.values(), *self._releasing])

    def _under_way(self) -> list[asyncio.Task[None]]:
        return [task for task in (*self._judging.values(), *self._releasing) if not task.done()]

    def release_waiting(self) -> None:
        """Give back what has not been started: the model can't be asked now, or there is no time left to."""
        delay = 0.0 if self._stopping else self._outage_delay()
        waiting, self._waiting = self._waiting, deque()
        self._release(*(Release(candidate.entry, charged=False, delay_seconds=delay) for candidate in waiting))

    def _fill_slots(self) -> None:
        while self._waiting and len(self._judging) < self._limits.concurrency and self._admission.has_room():
            candidate = self._waiting.popleft()
            entry = candidate.entry
            if self._circuit.admit(self._prefix + entry.id):
                self._admission.begun()
                task = asyncio.create_task(self._judge(candidate), name=f"judge {entry.id}")
                self._judging[entry.id] = task
                task.add_done_callback(lambda task, entry_id=entry.id: self._judged(entry_id, task))
            else:
                self._release_uncharged(entry)

    def _judged(self, entry_id: str, task: asyncio.Task[None]) -> None:
        if self._judging.get(entry_id) is task:  # it may have been given up and delivered to us again
            del self._judging[entry_id]
        self._admission.over()
        self._circuit.abandoned(self._prefix + entry_id)  # nothing to do where it succeeded or failed
        self._leases.wake()
        self._fill_slots()

    async def _judge(self, candidate: Candidate) -> None:
        entry = candidate.entry
        structlog.contextvars.bind_contextvars(
            event_id=candidate.event.event_id, source_id=self._prefix + entry.id, attempt=entry.deliveries
        )
        try:
            self._observer.judging(entry, candidate.event)
            last_try = entry.deliveries >= self._limits.max_deliveries
            evaluation = await candidate.assessment.judge(last_try)
        except Exception as bug:  # noqa: BLE001 (a bug is charged to the event that shows it)
            self._blame(entry, bug)
            return
        if not self._evaluated:
            asyncio.get_running_loop().call_soon(self._conclude_all)
        self._evaluated.append(_Evaluated(candidate, evaluation, contextvars.copy_context()))

    def _conclude_all(self) -> None:
        """Conclude together what was judged in one turn of the event loop, before its tasks count as ended.

        As in screening, each phase's code stays in the processor's caches: one by one judging takes a tenth longer.
        """
        evaluated, self._evaluated = self._evaluated, []
        for each in evaluated:
            each.context.run(self._conclude, each.candidate, each.evaluation)

    def _conclude(self, candidate: Candidate, evaluation: Evaluation) -> None:
        try:
            self._metrics.observe_stages(candidate.judges_of(evaluation))
            self._metrics.observe_cost(candidate.event.agent, evaluation.usage)
            self._observer.judged(candidate.entry, evaluation)
            self._dispose(candidate, evaluation)
        except Exception as bug:  # noqa: BLE001 (as above)
            self._blame(candidate.entry, bug)

    def _dispose(self, candidate: Candidate, evaluation: Evaluation) -> None:
        """Whose failure is it? The provider's gives the event back; the event's own makes its stage unscored."""
        entry = candidate.entry
        if outage := evaluation.failure_of(FailureKind.OUTAGE):
            self._circuit.tripped(self._prefix + entry.id, outage)
            self._release_uncharged(entry)
            return
        transient = evaluation.failure_of(FailureKind.TRANSIENT)
        if transient is None:
            if any(stage.scored_now or stage.failure for stage in candidate.judges_of(evaluation)):
                self._circuit.succeeded(self._prefix + entry.id)
        elif not self._is_its_own(candidate, evaluation, transient):
            log.warning("the model does not answer; the event goes back to the stream", problem=transient.message)
            self._release_uncharged(entry)
            return
        elif entry.deliveries < self._limits.max_deliveries:
            log.warning("the model failed on this event; trying again later", problem=transient.message)
            self._release_charged(entry)
            return
        self._settle(candidate, evaluation)

    def _is_its_own(self, candidate: Candidate, evaluation: Evaluation, failure: ModelFailure) -> bool:
        return self._circuit.failed(
            self._prefix + candidate.entry.id,
            failure,
            answered=any(stage.scored_now for stage in candidate.judges_of(evaluation)),
            others_in_flight=self._judging_in_all() > 1,
        )

    def _settle(self, candidate: Candidate, evaluation: Evaluation) -> None:
        if evaluation.unjudged:
            reasons = "; ".join(dict.fromkeys(stage.reason for stage in evaluation.stages if stage.failure is not None))
            settlement = self._outcomes.dead_letter(candidate.entry, "unjudged", f"every judge failed: {reasons}")
        else:
            settlement = self._outcomes.result(candidate.entry, candidate.event, evaluation)
            self._log.debug("judged", verdict=settlement.label, confidence=_rounded(evaluation.confidence))
        self._settler.submit(settlement)

    def _blame(self, entry: Entry, bug: Exception) -> None:
        log.error("evaluating an event raised; this is a bug", source_id=self._prefix + entry.id, exc_info=bug)
        self._observer.failed(entry, bug)
        if entry.deliveries < self._limits.max_deliveries:
            self._release_charged(entry)
            return
        self._settler.submit(self._outcomes.dead_letter(entry, HANDLER_ERROR, self._redact(blamed_on(bug))))

    def _give_up(self, entry_id: str) -> None:
        """The lease was lost: somebody else has the entry now."""
        self._observer.lost(entry_id)
        if task := self._judging.get(entry_id):
            task.cancel()
        self._waiting = deque(candidate for candidate in self._waiting if candidate.entry.id != entry_id)

    def _release_uncharged(self, entry: Entry) -> None:
        self._release(Release(entry, charged=False, delay_seconds=self._outage_delay()))

    def _release_charged(self, entry: Entry) -> None:
        delay = min(SHORTEST_DELAY_SECONDS * 2 ** (entry.deliveries - 1), LONGEST_DELAY_SECONDS)
        self._release(Release(entry, charged=True, delay_seconds=delay))

    def _outage_delay(self) -> float:
        """How long until the next probe, so that an event's turn as a probe comes after the others'."""
        return min(max(self._circuit.seconds_to_probe, SHORTEST_DELAY_SECONDS), LONGEST_DELAY_SECONDS)

    def _release(self, *releases: Release) -> None:
        if releases:
            self._observer.released(releases)
            work = self._redis.insist("release", lambda: self._releaser.release(releases))
            task = asyncio.create_task(work)
            self._releasing.add(task)
            task.add_done_callback(self._released)

    def _released(self, task: asyncio.Task[None]) -> None:
        if task.cancelled() or task.exception() is None:
            self._releasing.discard(task)
        else:
            self._release_failed.set()


def _rounded(confidence: float | None) -> float | None:
    return None if confidence is None else round(confidence, 4)
