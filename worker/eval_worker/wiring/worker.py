"""Puts the worker together."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import nan
from typing import TYPE_CHECKING

from redis.asyncio import Redis

from eval_worker.assessment import Assessor
from eval_worker.evaluation.judges.asker import AttemptObserver
from eval_worker.evaluation.judges.definition import JudgeSet
from eval_worker.evaluation.judges.model import WITH_USAGE, JudgeModel, ModelAnswer
from eval_worker.evaluation.sampling import parse_sample_rates
from eval_worker.judgements.redis_cache import CacheTimes, RedisJudgementCache
from eval_worker.models.budget import Budget
from eval_worker.models.circuit import Circuit
from eval_worker.provider_limits.turns import ProviderTurns
from eval_worker.redaction import Redact, without_secrets
from eval_worker.redis_connection import REDIS_ERRORS, connect
from eval_worker.redis_refusal import any_failure
from eval_worker.settings import Settings
from eval_worker.short_patience import ShortPatience
from eval_worker.stream.admission import ALWAYS_ROOM
from eval_worker.stream.cancellation import cancel_and_wait
from eval_worker.stream.entry_observer import UNOBSERVED, EntryObserver
from eval_worker.stream.lane import Lane
from eval_worker.stream.names import StreamNames
from eval_worker.stream.partition_count import PartitionCount
from eval_worker.stream.redis_patience import RedisPatience
from eval_worker.stream.worker import Worker
from eval_worker.telemetry.budget import log_budget
from eval_worker.telemetry.circuit import log_circuit
from eval_worker.telemetry.health import Health
from eval_worker.telemetry.metrics import Metrics
from eval_worker.telemetry.partition_metrics import PartitionMetrics
from eval_worker.wiring.asking import keeps_judgements
from eval_worker.wiring.backlog_report import BacklogReport
from eval_worker.wiring.judging import begin_metrics, build_assessor, build_result_writer
from eval_worker.wiring.lanes import Judging, Surroundings, build_lanes
from eval_worker.wiring.limits import telling_of_recovery
from eval_worker.wiring.pricing import check_prices_known
from eval_worker.wiring.shared_limits import shared_turns
from eval_worker.wiring.streams import Stream, open_streams

if TYPE_CHECKING:
    from eval_worker.telemetry.tracing.tracing import Tracing

Clock = Callable[[], float]
CLOSE_SECONDS = 0.2
JUDGING_MARGIN_SECONDS = 5.0  # beyond a judge's own deadline, until another worker may ask what it asked


@dataclass(frozen=True, slots=True)
class RunningParts:
    """A worker and what the process around it needs: to say how it is, and to let go at the end.

    `client` is for what belongs to no stream in particular.
    """

    worker: Worker
    streams: tuple[Stream, ...]
    client: Redis
    health: Health
    metrics: Metrics
    partition_count: PartitionCount | None = None
    judgement_cache: RedisJudgementCache | None = None

    @property
    def names(self) -> StreamNames:
        """The keys of the first stream, which most have alone, and the consumer's name in all."""
        return self.streams[0].names

    async def ensure_groups(self) -> None:
        """Make the groups that are missing. Partitions that can't be reached now are waited for by their lanes.

        Raises:
            RedisError, OSError: none can be used.
            SettingsError: others have more partitions, and those that we would not read are not empty.
        """
        ensured = await asyncio.gather(*(each.group.ensure() for each in self.streams), return_exceptions=True)
        failed = [
            (stream, error)
            for stream, error in zip(self.streams, ensured, strict=True)
            if isinstance(error, BaseException)
        ]
        for stream, error in failed:
            if len(failed) == len(self.streams) or not isinstance(error, REDIS_ERRORS):
                raise error
            await stream.redis.failed("read", error)  # which its lane will, until it is there
        if self.partition_count is not None:
            await self.partition_count.claim()

    async def close(self) -> None:
        """Close the connections. A server that hangs is not waited for: over TLS its goodbye may take seconds."""
        if self.judgement_cache is not None:  # what was cut off is given up, for others to ask
            flushing = asyncio.create_task(self.judgement_cache.flushed())
            await asyncio.wait([flushing], timeout=CLOSE_SECONDS)
            await cancel_and_wait([flushing])
        clients = {self.client, *(client for stream in self.streams for client in stream.clients)}
        closing = [asyncio.create_task(client.aclose()) for client in clients]
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
    metrics, health = Metrics(), Health(clock)
    redact = partial(without_secrets, known=settings.secrets)
    streams = open_streams(settings, metrics, redact)
    client, redis = _beside(settings, streams, redact)
    provider = _provider(settings, judges, model, client, redis=redis, metrics=metrics, clock=clock)
    assessor = _assessor(settings, judges, model, provider, metrics=metrics, tracing=tracing)
    results = build_result_writer(settings, judges, model)
    judging = Judging(assessor, results, provider.circuit, provider.budget, provider.turns or ALWAYS_ROOM)
    report, count = _report(settings, streams, client, metrics)
    observer_of = _entry_observers(tracing, metrics)
    lanes = build_lanes(streams, judging, Surroundings(settings, metrics, health, report, observer_of, redact, clock))
    health.problems += [provider.circuit.what_is_wrong, provider.budget.what_is_wrong]
    _observe(metrics, lanes, provider)
    _observe_progress(metrics, health, provider, streams)
    begin_metrics(metrics, settings, judges)
    metrics.describe(model=model.name, judges_digest=judges.digest, consumer=streams[0].names.consumer)
    worker = Worker(lanes, health=health, clock=clock, drain_seconds=settings.drain_seconds)
    return RunningParts(worker, streams, client, health, metrics, count, provider.cache)


def _report(
    settings: Settings, streams: Sequence[Stream], client: Redis, metrics: Metrics
) -> tuple[Callable[[Stream], Awaitable[None]], PartitionCount | None]:
    """Return what publishes a stream's figures and, of partitions, what compares their count with that of others."""
    if len(streams) == 1:
        return BacklogReport(settings, metrics, None).publish, None
    partitions, count = PartitionMetrics(metrics.registry), PartitionCount(client, settings)
    for stream in streams:
        partitions.watch(str(stream.partition), stream.redis.what_is_wrong)
    reports = BacklogReport(settings, metrics, partitions)

    async def publish(stream: Stream) -> None:
        await reports.publish(stream)
        if stream is streams[0]:
            await count.watch()

    return publish, count


def _beside(settings: Settings, streams: Sequence[Stream], redact: Redact) -> tuple[Redis, RedisPatience]:
    """Make the connection for what belongs to no stream: a partition whose node is away must not hold it up."""
    if len(streams) == 1:
        return streams[0].client, streams[0].redis
    return connect(settings), RedisPatience(streams[0].group, redact)


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


def _entry_observers(tracing: "Tracing | None", metrics: Metrics) -> Callable[[StreamNames], EntryObserver]:
    """Return what makes the observer of one stream's entries."""
    if tracing is None:
        return lambda _names: UNOBSERVED
    tracing.observe_losses(metrics.spans_lost.inc)
    return tracing.entries


def _observe(metrics: Metrics, lanes: Sequence[Lane], provider: _Provider) -> None:
    """These are looked up when somebody asks, since they change with every event."""
    circuit, budget, turns = provider.circuit, provider.budget, provider.turns
    metrics.in_flight.set_function(lambda: sum(lane.held for lane in lanes))
    metrics.judging.set_function(lambda: sum(lane.unjudged for lane in lanes))
    metrics.paused.set_function(lambda: int(budget.exhausted or not circuit.closed))
    metrics.cost_last_hour.set_function(lambda: nan if budget.spent_usd is None else budget.spent_usd)
    metrics.provider_rate.set_function(lambda: nan if turns is None or turns.rate is None else turns.rate)
    metrics.calls_waiting.set_function(lambda: 0 if turns is None else turns.waiting)


def _observe_progress(metrics: Metrics, health: Health, provider: _Provider, streams: Sequence[Stream]) -> None:
    """Whether it moves, and what holds it up: looked up when somebody asks, from a thread that a stuck loop spares."""
    circuit, budget = provider.circuit, provider.budget
    metrics.loop_progress_age.set_function(lambda: nan if health.draining else health.seconds_since_beat)
    metrics.blocked.labels(cause="model").set_function(lambda: int(not circuit.closed))
    metrics.blocked.labels(cause="budget").set_function(lambda: int(budget.exhausted))
    metrics.blocked.labels(cause="redis").set_function(
        lambda: int(any(stream.redis.what_is_wrong() for stream in streams))
    )


def _attempt_observer(metrics: Metrics, budget: Budget) -> AttemptObserver:
    def observe(judge: str, answer: ModelAnswer, attempt: int) -> None:
        metrics.observe_attempt(judge, answer, attempt)
        if isinstance(answer, WITH_USAGE) and answer.usage.llm_calls:
            budget.spend(answer.usage.cost_usd)

    return observe


def _judgement_cache(
    settings: Settings, client: Redis, redis: RedisPatience, clock: Clock
) -> RedisJudgementCache | None:
    if not keeps_judgements(settings):
        return None
    asking = 2 * settings.judge_timeout_seconds + JUDGING_MARGIN_SECONDS  # the first turn, and then the deadline
    times = CacheTimes(kept=settings.judgement_cache_seconds, asking=asking)
    prefix = settings.redis_judgement_prefix
    if settings.stream_partitions == 1:
        return RedisJudgementCache(client, prefix, times, redis, clock)
    short = ShortPatience(clock)
    return RedisJudgementCache(client, prefix, times, redis, clock, gives_up_on=any_failure, short=short)
