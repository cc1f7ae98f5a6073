"""Puts the worker together."""

import asyncio
import secrets
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from math import nan
from typing import TYPE_CHECKING

from redis.asyncio import Redis

from eval_worker.assessment import Assessor
from eval_worker.errors import SettingsError
from eval_worker.evaluation.judges.asker import AttemptObserver
from eval_worker.evaluation.judges.definition import JudgeSet
from eval_worker.evaluation.judges.model import JudgeModel, ModelAnswer, ModelFailure, ModelReply
from eval_worker.evaluation.sampling import parse_sample_rates
from eval_worker.judgements.redis_cache import CacheTimes, RedisJudgementCache
from eval_worker.models.budget import Budget
from eval_worker.models.circuit import Circuit
from eval_worker.provider_limits.turns import ProviderTurns
from eval_worker.redaction import without_secrets
from eval_worker.redis_connection import REDIS_ERRORS, connect
from eval_worker.settings import Settings
from eval_worker.stream.admission import ALWAYS_ROOM
from eval_worker.stream.backlog import read_backlog
from eval_worker.stream.cancellation import cancel_and_wait
from eval_worker.stream.entry_observer import UNOBSERVED, EntryObserver
from eval_worker.stream.executor import Executor, Limits
from eval_worker.stream.fetch import BLOCK_MS, Fetcher
from eval_worker.stream.group import ConsumerGroup
from eval_worker.stream.janitor import Janitor
from eval_worker.stream.lease import Leases
from eval_worker.stream.names import RELEASED, StreamNames
from eval_worker.stream.outcome import OutcomeWriter
from eval_worker.stream.reclaim import Reclaimer
from eval_worker.stream.redis_patience import RedisPatience
from eval_worker.stream.release import Releaser
from eval_worker.stream.rights import Rights
from eval_worker.stream.settle import Settlement, Settler
from eval_worker.stream.worker import Bounds, Worker
from eval_worker.telemetry.budget import log_budget
from eval_worker.telemetry.circuit import log_circuit
from eval_worker.telemetry.health import Health
from eval_worker.telemetry.metrics import Metrics
from eval_worker.wiring.asking import keeps_judgements
from eval_worker.wiring.judging import build_assessor, build_result_writer
from eval_worker.wiring.limits import telling_of_recovery
from eval_worker.wiring.pricing import check_prices_known
from eval_worker.wiring.shared_limits import shared_turns

if TYPE_CHECKING:
    from eval_worker.telemetry.tracing.tracing import Tracing

Clock = Callable[[], float]
CLOSE_SECONDS = 0.2
_WITH_USAGE = (ModelReply, ModelFailure)
JUDGING_MARGIN_SECONDS = 5.0  # beyond a judge's own deadline, until another worker may ask what it asked


@dataclass(frozen=True, slots=True)
class RunningParts:
    """A worker and what the process around it needs: to say how it is, and to let go at the end."""

    worker: Worker
    group: ConsumerGroup
    rights: Rights
    health: Health
    metrics: Metrics
    names: StreamNames
    clients: tuple[Redis, ...]
    judgement_cache: RedisJudgementCache | None = None

    async def close(self) -> None:
        """Close the connections. A server that hangs is not waited for: over TLS its goodbye may take seconds."""
        if self.judgement_cache is not None:  # what was cut off is given up, for others to ask
            flushing = asyncio.create_task(self.judgement_cache.flushed())
            await asyncio.wait([flushing], timeout=CLOSE_SECONDS)
            await cancel_and_wait([flushing])
        closing = [asyncio.create_task(client.aclose()) for client in self.clients]
        await asyncio.wait(closing, timeout=CLOSE_SECONDS)
        await cancel_and_wait(closing)


def build_worker(
    settings: Settings,
    judges: JudgeSet,
    model: JudgeModel,
    *,
    clock: Clock = time.monotonic,
    tracing: "Tracing | None" = None,
) -> RunningParts:
    """Make a worker around a judge model. Nothing is sent to Redis yet.

    Raises:
        SettingsError: a setting can't be used, or what is spent is limited and can't be counted.
    """
    check_prices_known(settings, judges, model.name)
    names, metrics, health = stream_names(settings), Metrics(), Health(clock)
    clients = client, blocking_client = connect(settings), connect(settings, block_seconds=BLOCK_MS / 1000)
    group, rights = ConsumerGroup(client, names, metrics), Rights(client, names)
    redact = partial(without_secrets, known=settings.secrets)
    redis = RedisPatience(group, redact, rights)
    provider = _provider(settings, judges, model, client, redis=redis, metrics=metrics, clock=clock)
    leases = Leases(client, names, settings.lease_seconds, metrics)
    traces = _entry_observer(tracing, names, metrics)
    settler = _settler(settings, client, names, redis, _settlement_observer(leases, metrics, traces))
    releaser = Releaser(client, names, leases, metrics, clock)
    executor = Executor(
        assessor=_assessor(settings, judges, model, provider, metrics=metrics, tracing=tracing),
        outcomes=_outcome_writer(settings, judges, model, names),
        settler=settler,
        releaser=releaser,
        leases=leases,
        circuit=provider.circuit,
        redis=redis,
        metrics=metrics,
        clock=clock,
        limits=Limits(settings.concurrency, settings.max_deliveries, settings.max_event_bytes),
        admission=provider.turns or ALWAYS_ROOM,
        redact=redact,
        observer=traces,
    )
    health.problems += [redis.what_is_wrong, provider.circuit.what_is_wrong, provider.budget.what_is_wrong]
    _observe(metrics, leases, executor, provider)
    _observe_progress(metrics, health, provider, redis)
    metrics.describe(model=model.name, judges_digest=judges.digest, consumer=names.consumer)
    worker = Worker(
        fetcher=Fetcher(blocking_client, names, read_ahead=settings.read_ahead),
        reclaimer=Reclaimer(client, names, leases, metrics, clock, max_deliveries=settings.max_deliveries),
        executor=executor,
        leases=leases,
        settler=settler,
        releaser=releaser,
        janitor=_janitor(settings, client, names),
        circuit=provider.circuit,
        budget=provider.budget,
        redis=redis,
        health=health,
        report=lambda: publish_backlog(client, names, settings, metrics),
        clock=clock,
        bounds=Bounds(settings.read_ahead, settings.concurrency, settings.drain_seconds),
    )
    return RunningParts(worker, group, rights, health, metrics, names, clients, provider.cache)


@dataclass(frozen=True, slots=True)
class _Provider:
    """What stands between events and the model: whether it may be asked, how fast, for how much, and what is known."""

    circuit: Circuit
    turns: ProviderTurns | None
    budget: Budget
    cache: RedisJudgementCache | None


def _provider(
    settings: Settings,
    judges: JudgeSet,
    model: JudgeModel,
    client: Redis,
    *,
    redis: RedisPatience,
    metrics: Metrics,
    clock: Clock,
) -> _Provider:
    calls = 1 if settings.judge_calls == "combined" else len(judges.judges)
    observe = metrics.turn_seconds.observe
    turns = shared_turns(settings, model, client, redis, clock, calls_an_event=calls, on_wait=observe)
    return _Provider(
        Circuit(clock, telling_of_recovery(log_circuit, turns)),
        turns,
        Budget(settings.max_cost_per_hour, clock, log_budget),
        _judgement_cache(settings, client, redis, clock),
    )


def _assessor(
    settings: Settings,
    judges: JudgeSet,
    model: JudgeModel,
    provider: _Provider,
    *,
    metrics: Metrics,
    tracing: "Tracing | None",
) -> Assessor:
    """Make what judges the stream's events. Only these are sampled: who waits behind a door wants a verdict."""
    return build_assessor(
        settings,
        judges,
        model,
        keep_trying=lambda: provider.circuit.closed,
        on_attempt=_attempt_observer(metrics, provider.budget),
        cache=provider.cache,
        rates=parse_sample_rates(settings.sample_rates),
        turns=provider.turns,
        on_hedge=metrics.observe_hedge,
        tracing=tracing,
    )


def _entry_observer(tracing: "Tracing | None", names: StreamNames, metrics: Metrics) -> EntryObserver:
    if tracing is None:
        return UNOBSERVED
    tracing.observe_losses(metrics.spans_lost.inc)
    return tracing.entries(names)


def _observe(metrics: Metrics, leases: Leases, executor: Executor, provider: _Provider) -> None:
    """These are looked up when somebody asks, since they change with every event."""
    circuit, budget, turns = provider.circuit, provider.budget, provider.turns
    metrics.in_flight.set_function(lambda: len(leases))
    metrics.judging.set_function(lambda: executor.unjudged)
    metrics.paused.set_function(lambda: int(budget.exhausted or not circuit.closed))
    metrics.cost_last_hour.set_function(lambda: nan if budget.spent_usd is None else budget.spent_usd)
    metrics.provider_rate.set_function(lambda: nan if turns is None or turns.rate is None else turns.rate)
    metrics.calls_waiting.set_function(lambda: 0 if turns is None else turns.waiting)


def _observe_progress(metrics: Metrics, health: Health, provider: _Provider, redis: RedisPatience) -> None:
    """Whether it moves, and what holds it up: looked up when somebody asks, from a thread that a stuck loop spares."""
    circuit, budget = provider.circuit, provider.budget
    metrics.loop_progress.set_function(lambda: nan if health.draining else time.time() - health.seconds_since_beat)
    metrics.blocked.labels(cause="model").set_function(lambda: int(not circuit.closed))
    metrics.blocked.labels(cause="budget").set_function(lambda: int(budget.exhausted))
    metrics.blocked.labels(cause="redis").set_function(lambda: int(redis.what_is_wrong() is not None))


def _attempt_observer(metrics: Metrics, budget: Budget) -> AttemptObserver:
    def observe(judge: str, answer: ModelAnswer, attempt: int) -> None:
        metrics.observe_attempt(judge, answer, attempt)
        if isinstance(answer, _WITH_USAGE) and answer.usage.llm_calls:
            budget.spend(answer.usage.cost_usd)

    return observe


def _judgement_cache(
    settings: Settings, client: Redis, redis: RedisPatience, clock: Clock
) -> RedisJudgementCache | None:
    if not keeps_judgements(settings):
        return None
    asking = 2 * settings.judge_timeout_seconds + JUDGING_MARGIN_SECONDS  # the first turn, and then the deadline
    times = CacheTimes(kept=settings.judgement_cache_seconds, asking=asking)
    return RedisJudgementCache(client, settings.redis_judgement_prefix, times, redis, clock)


def _settler(
    settings: Settings,
    client: Redis,
    names: StreamNames,
    redis: RedisPatience,
    on_settled: Callable[[Settlement, bool], None],
) -> Settler:
    keep, most = settings.keep_events, settings.results_maxlen
    return Settler(client, names, redis, on_settled, keep_events=keep, results_maxlen=most)


def _outcome_writer(settings: Settings, judges: JudgeSet, model: JudgeModel, names: StreamNames) -> OutcomeWriter:
    return OutcomeWriter(build_result_writer(settings, judges, model), names.consumer)


def _janitor(settings: Settings, client: Redis, names: StreamNames) -> Janitor:
    retention = timedelta(hours=settings.event_retention_hours) if settings.keep_events else None
    return Janitor(client, names, retention=retention, idle_after=timedelta(hours=settings.idle_group_hours))


def stream_names(settings: Settings) -> StreamNames:
    """Name the keys, and this consumer: a name that no other process has, nor had before a crash."""
    host = settings.hostname or socket.gethostname()
    consumer = settings.redis_consumer_name or f"{host}-{secrets.token_hex(4)}"
    if consumer == RELEASED:
        raise SettingsError(f"REDIS_CONSUMER_NAME: {RELEASED!r} is taken: entries that were given back wait under it")
    return StreamNames(
        settings.redis_stream_name,
        settings.redis_result_stream,
        settings.redis_dead_letter_stream,
        settings.redis_consumer_group,
        consumer,
    )


async def publish_backlog(client: Redis, names: StreamNames, settings: Settings, metrics: Metrics) -> None:
    """Put the stream's figures into the gauges; where Redis does not answer they are unknown, not what they were."""
    try:
        backlog = await read_backlog(
            client,
            events=names.events,
            results=names.results,
            dead_letters=names.dead_letters,
            group=names.group,
            keep_events=settings.keep_events,
        )
    except REDIS_ERRORS:
        metrics.backlog_unknown()
        raise
    idle_after = settings.idle_group_hours * 3600
    metrics.observe_backlog(
        lag=backlog.lag,
        pending=backlog.pending,
        oldest_pending_seconds=backlog.oldest_pending_seconds,
        dead_letters=backlog.dead_letters,
        idle_groups=sum(group.is_idle(idle_after) for group in backlog.other_groups),
    )


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
