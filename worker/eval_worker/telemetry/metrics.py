"""The Prometheus metrics. A figure that is not known is NaN, never 0."""

from collections.abc import Iterable
from math import nan

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info

from eval_worker.evaluation.judges.model import ModelAnswer, ModelFailure, ModelReply
from eval_worker.evaluation.stage import Stage
from eval_worker.stream.backlog import Backlog

STAGE_SECONDS = (0.000_01, 0.000_1, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30)
STAGE_SCORES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


class Metrics:
    """One registry a worker, so that several can live in one process."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.events = Counter("eval_events", "Events settled, by outcome.", ["outcome"], registry=registry)
        self.early_exits = Counter("eval_early_exits", "Events settled by prechecks alone.", registry=registry)
        self.settled_elsewhere = Counter(
            "eval_settled_elsewhere", "Outcomes not written, since another worker had settled first.", registry=registry
        )
        self.stage_seconds = Histogram(
            "eval_stage_duration_seconds", "Time one stage took.", ["stage"], buckets=STAGE_SECONDS, registry=registry
        )
        self.stage_scores = Histogram(
            "eval_stage_score", "Scores given, from 0 to 1.", ["stage"], buckets=STAGE_SCORES, registry=registry
        )
        self.stage_unscored = Counter(
            "eval_stage_unscored", "Stages without a score, by status.", ["stage", "status"], registry=registry
        )
        self.judge_calls = Counter(
            "eval_judge_calls", "Calls made to the judge model, by result.", ["judge", "result"], registry=registry
        )
        self.judge_retries = Counter(
            "eval_judge_retries",
            "Calls to the judge model that were not its judge's first.",
            ["judge"],
            registry=registry,
        )
        self.tokens = Counter(
            "eval_judge_tokens", "Tokens that the provider counted.", ["direction"], registry=registry
        )
        self.reclaimed = Counter("eval_reclaimed", "Entries taken over from the pending list.", registry=registry)
        self.released = Counter(
            "eval_released", "Entries given back, and whether a delivery was charged.", ["charged"], registry=registry
        )
        self.leases_lost = Counter("eval_leases_lost", "Entries that another worker took over.", registry=registry)
        self.dead_letters = Counter(
            "eval_dead_letters", "Dead letters written, by reason.", ["reason"], registry=registry
        )
        self.data_lost = Counter(
            "eval_data_lost", "Pending entries deleted from the stream before they were judged.", registry=registry
        )
        self.groups_recreated = Counter(
            "eval_groups_recreated", "Times the consumer group was gone and recreated.", registry=registry
        )
        self.in_flight = Gauge("eval_in_flight", "Entries read and not settled.", registry=registry)
        self.judging = Gauge("eval_judging", "Events waiting for the judges or being judged.", registry=registry)
        self.paused = Gauge(
            "eval_paused", "1 while nothing is read because the model can't be used.", registry=registry
        )
        self.lag = Gauge("eval_stream_lag", "Events that no worker has read yet.", registry=registry)
        self.pending = Gauge("eval_stream_pending", "Events read by some worker and not settled.", registry=registry)
        self.oldest_pending = Gauge(
            "eval_stream_oldest_pending_seconds", "Age of the oldest event not settled.", registry=registry
        )
        self.backlog_unknown()
        self._build = Info("eval_worker", "What runs here.", registry=registry)

    def describe(self, **labels: str) -> None:
        self._build.info(labels)

    def backlog_unknown(self) -> None:
        for gauge in (self.lag, self.pending, self.oldest_pending):
            gauge.set(nan)

    def observe_backlog(self, backlog: Backlog) -> None:
        self.lag.set(nan if backlog.lag is None else backlog.lag)
        self.pending.set(backlog.pending)
        oldest = backlog.oldest_pending_seconds if backlog.pending else 0.0
        self.oldest_pending.set(nan if oldest is None else oldest)

    def observe_stages(self, stages: Iterable[Stage]) -> None:
        for stage in stages:
            if stage.score is None:
                self.stage_unscored.labels(stage=stage.name, status=stage.status.value).inc()
            else:
                self.stage_scores.labels(stage=stage.name).observe(stage.score)
                self.stage_seconds.labels(stage=stage.name).observe(stage.duration_ns / 1e9)

    def observe_attempt(self, judge: str, answer: ModelAnswer, attempt: int) -> None:
        result = answer.code if isinstance(answer, ModelFailure) else "ok"
        self.judge_calls.labels(judge=judge, result=result).inc()
        if attempt > 1:
            self.judge_retries.labels(judge=judge).inc()
        if isinstance(answer, ModelReply | ModelFailure):
            self.tokens.labels(direction="input").inc(answer.usage.input_tokens)
            self.tokens.labels(direction="output").inc(answer.usage.output_tokens)
