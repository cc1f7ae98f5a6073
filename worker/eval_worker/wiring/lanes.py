"""Puts a lane together for each stream that a worker serves."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

from eval_worker.assessment import Assessor
from eval_worker.models.budget import Budget
from eval_worker.models.circuit import Circuit
from eval_worker.redaction import Redact
from eval_worker.result_writer import ResultWriter
from eval_worker.settings import Settings
from eval_worker.stream.admission import Admission
from eval_worker.stream.entry_observer import EntryObserver
from eval_worker.stream.executor import Executor, Limits
from eval_worker.stream.fetch import Fetcher
from eval_worker.stream.intake import Intake
from eval_worker.stream.isolation import Isolation
from eval_worker.stream.janitor import Janitor
from eval_worker.stream.lane import Lane, StreamParts
from eval_worker.stream.lease import Leases
from eval_worker.stream.names import StreamNames
from eval_worker.stream.outcome import OutcomeWriter
from eval_worker.stream.reclaim import Reclaimer
from eval_worker.stream.release import Releaser
from eval_worker.stream.settle import Settlement, Settler
from eval_worker.stream.shared_intake import SharedIntake
from eval_worker.stream.shared_slots import SharedSlots
from eval_worker.telemetry.health import Health
from eval_worker.telemetry.metrics import Metrics
from eval_worker.wiring.streams import Stream

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Judging:
    """What all lanes share: who judges, and whether, how fast and for how much the model may be asked.

    `in_all` counts the events being judged in all lanes; None where there is one, which knows.
    """

    assessor: Assessor
    results: ResultWriter
    circuit: Circuit
    budget: Budget
    admission: Admission
    in_all: Callable[[], int] | None = None


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What all parts of a process are given. `report` publishes a stream's figures, `observer_of` sees its entries."""

    settings: Settings
    metrics: Metrics
    health: Health
    report: Callable[[Stream], Awaitable[None]]
    observer_of: Callable[[StreamNames], EntryObserver]
    redact: Redact
    clock: Clock


MakeIntake = Callable[[Leases, Executor], Intake]


def build_lanes(streams: Sequence[Stream], judging: Judging, around: Surroundings) -> list[Lane]:
    """Make one for each. READ_AHEAD and CONCURRENCY bound all of them together, so several share what one has alone."""
    settings, isolation = around.settings, Isolation()
    if len(streams) == 1:
        (stream,) = streams
        intake = Intake(read_ahead=settings.read_ahead, concurrency=settings.concurrency, clock=around.clock)
        around.health.problems.append(stream.redis.what_is_wrong)
        return [_lane(stream, judging, around, isolation, lambda _leases, _executor: intake)]
    slots = SharedSlots(settings.concurrency, judging.admission)
    rooms = SharedIntake(
        read_ahead=settings.read_ahead, concurrency=settings.concurrency, lanes=len(streams), clock=around.clock
    )
    around.health.lanes += [stream.redis.what_is_wrong for stream in streams]
    return [
        _lane(
            stream,
            replace(judging, admission=slots.lane(), in_all=lambda: slots.taken),
            around,
            isolation,
            lambda leases, executor: rooms.lane(held=leases.__len__, unjudged=lambda: executor.unjudged),
        )
        for stream in streams
    ]


def _lane(
    stream: Stream, judging: Judging, around: Surroundings, isolation: Isolation, make_intake: MakeIntake
) -> Lane:
    parts = _parts(stream, judging, around, make_intake)
    where = "" if stream.partition is None else f"partition {stream.partition}: "
    return Lane(
        parts,
        circuit=judging.circuit,
        budget=judging.budget,
        isolation=isolation,
        beat=around.health.new_pulse(where).beat,
        clock=around.clock,
        partition=stream.partition,
        prefix=stream.names.prefix,
    )


def _parts(stream: Stream, judging: Judging, around: Surroundings, make_intake: MakeIntake) -> StreamParts:
    settings, metrics, clock = around.settings, around.metrics, around.clock
    client, names = stream.client, stream.names
    leases = Leases(client, names, settings.lease_seconds, metrics)
    observer = around.observer_of(names)
    settler = _settler(stream, settings, _settlement_observer(leases, metrics, observer))
    releaser = Releaser(client, names, leases, metrics, clock)
    executor = Executor(
        assessor=judging.assessor,
        outcomes=OutcomeWriter(judging.results, names.consumer, names.prefix),
        settler=settler,
        releaser=releaser,
        leases=leases,
        circuit=judging.circuit,
        redis=stream.redis,
        metrics=metrics,
        clock=clock,
        limits=Limits(settings.concurrency, settings.max_deliveries, settings.max_event_bytes),
        admission=judging.admission,
        redact=around.redact,
        observer=observer,
        prefix=names.prefix,
        judging_in_all=judging.in_all,
    )
    return StreamParts(
        fetcher=Fetcher(stream.blocking_client, names, read_ahead=settings.read_ahead),
        reclaimer=Reclaimer(client, names, leases, metrics, clock, max_deliveries=settings.max_deliveries),
        executor=executor,
        leases=leases,
        settler=settler,
        releaser=releaser,
        janitor=_janitor(stream, settings),
        redis=stream.redis,
        intake=make_intake(leases, executor),
        report=partial(around.report, stream),
    )


def _settler(stream: Stream, settings: Settings, on_settled: Callable[[Settlement, bool], None]) -> Settler:
    keep, most = settings.keep_events, settings.results_maxlen
    return Settler(stream.client, stream.names, stream.redis, on_settled, keep_events=keep, results_maxlen=most)


def _janitor(stream: Stream, settings: Settings) -> Janitor:
    retention = timedelta(hours=settings.event_retention_hours) if settings.keep_events else None
    idle_after = timedelta(hours=settings.idle_group_hours)
    return Janitor(stream.client, stream.names, retention=retention, idle_after=idle_after)


def _settlement_observer(leases: Leases, metrics: Metrics, traces: EntryObserver) -> Callable[[Settlement, bool], None]:
    def observe(settlement: Settlement, first: bool) -> None:  # noqa: FBT001 (called by position, by the settler)
        leases.drop(settlement.entry.id)
        traces.settled(settlement, first)
        if first:
            metrics.events.inc(settlement.label)
            if settlement.error is not None:
                metrics.dead_letters.labels(reason=settlement.error).inc()
            if (judged := settlement.judged) is not None:
                metrics.observe_result(judged.agent, settlement.label, judged.confidence, partial=judged.partial)
        else:
            metrics.settled_elsewhere.inc()

    return observe
