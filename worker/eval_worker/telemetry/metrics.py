"""The Prometheus metrics. A figure that is not known is NaN, never 0."""

from collections.abc import Collection, Iterable
from functools import cache, partial
from math import nan

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, ProcessCollector

from eval_worker.errors import HANDLER_ERROR
from eval_worker.evaluation.judges.definition import JudgeDefinition
from eval_worker.evaluation.judges.model import WITH_USAGE, ModelAnswer, ModelFailure, Usage
from eval_worker.evaluation.judges.request import COMBINED
from eval_worker.evaluation.stage import Stage, StageStatus
from eval_worker.event import Agent
from eval_worker.result import StageResult
from eval_worker.telemetry.agent_labels import AgentLabels
from eval_worker.telemetry.single_writer import SingleWriterCounter, SingleWriterHistogram

STAGE_SECONDS = (0.000_01, 0.000_1, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30)
TURN_SECONDS = (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15)
STAGE_SCORES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
CONFIDENCES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
OUTCOMES = ("pass", "review", "fail", "skipped", "dead_letter")
VERDICTS = ("pass", "review", "fail")  # shown of every agent, `skipped` only where events are sampled
REASONS = ("malformed_event", "max_deliveries", "unjudged", HANDLER_ERROR)
CAUSES = ("model", "budget", "redis")
TOKENS = ("input", "output", "cache_read", "cache_write")
CALL_RESULTS = (  # those that come in bursts; what hits every event alike pauses the worker, and that is told
    "ok",
    "throttled",
    "timeout",
    "server_error",
    "connection",
    "bad_response",
    "unusable_reply",
    "refused",
    "too_long",
)


class JudgingMetrics:
    """What everything that judges counts. One registry each, so that several can live in one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        counter = partial(Counter, registry=self.registry)
        gauge = partial(Gauge, registry=self.registry)
        counted_fast = partial(SingleWriterCounter, registry=self.registry)
        observed_fast = partial(SingleWriterHistogram, registry=self.registry)

        self.events = counted_fast(
            "eval_events", "Events settled, by outcome.", ["outcome"], zeros=[(outcome,) for outcome in OUTCOMES]
        )
        self.verdicts = counted_fast(
            "eval_verdicts", "Results, by the agent that was judged and its verdict.", ["agent", "verdict"]
        )
        self.confidences = observed_fast(
            "eval_confidence", "Confidence of the results of an agent, 0 to 1.", "agent", CONFIDENCES
        )
        self.partial_results = counter("eval_partial_results", "Results that lack a score, as a judge failed.")
        self.early_exits = counter("eval_early_exits", "Events settled by prechecks alone.")

        self.stage_seconds = observed_fast("eval_stage_duration_seconds", "Time a stage took.", "stage", STAGE_SECONDS)
        self.stage_scores = observed_fast("eval_stage_score", "Scores given, 0 to 1.", "stage", STAGE_SCORES)
        self.stage_unscored = counter("eval_stage_unscored", "Stages without a score.", ["stage", "status"])
        self.judgements_recalled = counter(
            "eval_judgements_recalled", "Judgements taken from the cache instead of asked for.", ["stage"]
        )
        self.judge_calls = counted_fast("eval_judge_calls", "Calls to the judge model, by result.", ["judge", "result"])
        self.judge_retries = counter("eval_judge_retries", "Calls that were not their judge's first.", ["judge"])
        self.judge_hedges = counter(
            "eval_judge_hedges", "Calls made a second time because the first was late.", ["judge"]
        )
        self.turn_seconds = Histogram(
            "eval_turn_wait_seconds",
            "Time that calls waited for their turn at a provider that throttles.",
            buckets=TURN_SECONDS,
            registry=self.registry,
        )
        self.tokens = counter(
            "eval_judge_tokens",
            "Tokens that the provider counted; those from and for its prompt cache are among the input, too.",
            ["direction"],
        )
        self.cost = counter(
            "eval_cost_usd", "What judging cost, in US dollars, where the model's price is known.", ["agent", "model"]
        )
        self._agents = AgentLabels()
        self._shown: set[str] = set()  # agents whose verdicts are

        self.judging = gauge("eval_judging", "Events waiting for the judges or being judged.")
        self.paused = gauge("eval_paused", "1 while nothing new is judged: the model is away, or the budget spent.")
        # Looking a labelled counter up costs more than counting. There are few of each: judges, codes, agents.
        self._stages_recalled = cache(self.judgements_recalled.labels)
        self._stages_unscored = cache(self.stage_unscored.labels)
        self._tokens = cache(self.tokens.labels)
        self._costs = cache(self.cost.labels)

        self._build = Info("eval_worker", "What runs here.", registry=self.registry)
        ProcessCollector(registry=self.registry)

    def describe(self, **labels: str) -> None:
        self._build.info(labels)

    def begin(self, judges: Collection[JudgeDefinition], *, combined: bool) -> None:
        """Show 0 of what these judges may come to: a series that begins with its first event hides that event."""
        names = [judge.name for judge in judges]
        for stage in (judge.stage_name for judge in judges):
            self.stage_scores.begin(stage)
            self._stages_unscored(stage, StageStatus.ERROR.value)
            self._stages_recalled(stage)
        for judge in [*names, COMBINED] if combined else names:
            self.judge_retries.labels(judge=judge)
            self.judge_hedges.labels(judge=judge)
            for result in CALL_RESULTS:
                self.judge_calls.begin(judge, result)
        for direction in TOKENS:
            self._tokens(direction)

    def observe_stages(self, stages: Iterable[Stage | StageResult]) -> None:
        for stage in stages:
            if stage.score is None:
                self._stages_unscored(stage.name, stage.status.value).inc()
            else:
                self.stage_scores.observe(stage.name, stage.score)
                if stage.cached:
                    self._stages_recalled(stage.name).inc()
                self.stage_seconds.observe(stage.name, stage.duration_ns / 1e9)

    def observe_result(self, agent: str | None, verdict: str, confidence: float | None, *, partial: bool) -> None:
        label = self._agents.label(agent)
        if label not in self._shown:
            self._shown.add(label)
            for each in VERDICTS:
                self.verdicts.begin(label, each)
        self.verdicts.inc(label, verdict)
        if confidence is not None:
            self.confidences.observe(label, confidence)
        if partial:
            self.partial_results.inc()

    def observe_hedge(self, judge: str) -> None:
        self.judge_hedges.labels(judge=judge).inc()

    def observe_attempt(self, judge: str, answer: ModelAnswer, attempt: int) -> None:
        self.judge_calls.inc(judge, answer.code if isinstance(answer, ModelFailure) else "ok")
        if attempt > 1:
            self.judge_retries.labels(judge=judge).inc()
        if isinstance(answer, WITH_USAGE):
            self._tokens("input").inc(answer.usage.input_tokens)
            self._tokens("output").inc(answer.usage.output_tokens)
            self._tokens("cache_read").inc(answer.usage.cache_read_input_tokens)
            self._tokens("cache_write").inc(answer.usage.cache_write_input_tokens)

    def observe_cost(self, agent: Agent | None, usage: Usage) -> None:
        label = self._agents.label(agent and agent.name)
        for model, usd in usage.costs.items():
            if usd is not None:
                self._costs(label, model).inc(usd)


class Metrics(JudgingMetrics):
    """The worker's: what it judges, and what becomes of the stream."""

    def __init__(self) -> None:
        super().__init__()
        counter = partial(Counter, registry=self.registry)
        gauge = partial(Gauge, registry=self.registry)

        self.settled_elsewhere = counter("eval_settled_elsewhere", "Outcomes dropped, as another worker came first.")
        self.dead_letters = counter("eval_dead_letters", "Dead letters, by reason.", ["reason"])
        for reason in REASONS:  # a series that began with its first event would hide that one
            self.dead_letters.labels(reason=reason)
        self.reclaimed = counter("eval_reclaimed", "Entries taken over from the pending list.")
        self.released = counter("eval_released", "Entries given back, by whether it was charged.", ["charged"])
        for charged in ("true", "false"):
            self.released.labels(charged=charged)
        self.leases_lost = counter("eval_leases_lost", "Entries that another worker took over.")
        self.data_lost = counter("eval_data_lost", "Pending entries deleted before they were judged.")
        self.groups_recreated = counter("eval_groups_recreated", "Times the consumer group was gone.")

        self.loop_progress_age = gauge(
            "eval_loop_progress_age_seconds",
            "How long ago the run loop last moved; NaN while draining, when there is none.",
        )
        self.blocked = gauge("eval_blocked", "1 while this keeps new events from being read.", ["cause"])
        for cause in CAUSES:
            self.blocked.labels(cause=cause)
        self.spans_lost = counter("eval_spans_lost", "Spans that the trace collector did not take.")
        self.calls_waiting = gauge("eval_calls_waiting", "Calls that wait for their turn at the provider.")
        self.provider_rate = gauge(
            "eval_provider_calls_per_second",
            "What the provider bears from all workers, as found out by its throttling; NaN as long as it has not.",
        )
        self.cost_last_hour = gauge("eval_cost_last_hour_usd", "What this worker spent in the last 60 minutes.")
        self.in_flight = gauge("eval_in_flight", "Entries read and not settled.")
        self.lag = gauge("eval_stream_lag", "Events that no worker has read yet.")
        self.pending = gauge("eval_stream_pending", "Events read by some worker and not settled.")
        self.oldest_pending = gauge("eval_stream_oldest_pending_seconds", "Age of the oldest event not settled.")
        self.dead_letters_kept = gauge("eval_stream_dead_letters", "Dead letters on their stream.")
        self.idle_groups = gauge("eval_idle_groups", "Other groups that something waits for and nobody reads in.")
        self.backlog_unknown()

    def backlog_unknown(self) -> None:
        for gauge in (self.lag, self.pending, self.oldest_pending, self.dead_letters_kept, self.idle_groups):
            gauge.set(nan)

    def observe_backlog(
        self,
        *,
        lag: int | None,
        pending: int,
        oldest_pending_seconds: float | None,
        dead_letters: int,
        idle_groups: int,
    ) -> None:
        """Take the stream's figures; None is unknown. With nothing pending the oldest has no age: 0."""
        self.lag.set(nan if lag is None else lag)
        self.pending.set(pending)
        oldest = oldest_pending_seconds if pending else 0.0
        self.oldest_pending.set(nan if oldest is None else oldest)
        self.dead_letters_kept.set(dead_letters)
        self.idle_groups.set(idle_groups)
