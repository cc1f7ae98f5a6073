"""Puts together what judges: the judges, the model that answers them, the pipeline."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from eval_worker.agentic.correctness import correctness_judge, correctness_judges
from eval_worker.agentic.pipeline import ConversationPipeline
from eval_worker.assessment import Assessor
from eval_worker.errors import SettingsError
from eval_worker.evaluation.aggregate import ScoringPolicy
from eval_worker.evaluation.judges.asker import AttemptObserver, Patience, ignore_attempt
from eval_worker.evaluation.judges.cache import JudgementCache
from eval_worker.evaluation.judges.definition import JudgeSet, load_judges
from eval_worker.evaluation.judges.judge import Judge
from eval_worker.evaluation.judges.model import JudgeModel, Usage
from eval_worker.evaluation.judges.turns import Turns
from eval_worker.evaluation.judges.waves import parse_waves
from eval_worker.evaluation.pipeline import Pipeline
from eval_worker.evaluation.sampling import ALL_EVENTS, SampleRates
from eval_worker.evaluator import Evaluator
from eval_worker.event import Agent
from eval_worker.models.circuit import Circuit
from eval_worker.models.priced import priced
from eval_worker.result_writer import JudgesDigests, ResultWriter
from eval_worker.settings import Settings
from eval_worker.wiring.asking import Asking
from eval_worker.wiring.limits import hedged, telling_of_recovery, turns_in_memory
from eval_worker.wiring.pricing import read_prices

if TYPE_CHECKING:
    from eval_worker.telemetry.metrics import JudgingMetrics
    from eval_worker.telemetry.tracing.tracing import Tracing


def read_judges(settings: Settings) -> JudgeSet:
    """Read the built-in judges with the user's own file over them, and see that JUDGE_WAVES names no others."""
    judges = _read_judges(settings)
    for name in (name for wave in parse_waves(settings.judge_waves) for name in wave):
        if judges.find(name) is None:
            raise SettingsError(f"JUDGE_WAVES: no judge {name!r} is enabled; enabled are: {', '.join(judges.names)}")
    return judges


def _read_judges(settings: Settings) -> JudgeSet:
    built_in = resources.files("eval_worker.evaluation.judges").joinpath("judges.yaml").read_text(encoding="utf-8")
    if settings.judges_file is None:
        return load_judges(built_in)
    try:
        own = Path(settings.judges_file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise SettingsError(f"JUDGES_FILE: {settings.judges_file} can't be read: {why}") from error
    return load_judges(built_in, own, source=settings.judges_file)


def build_assessor(
    settings: Settings,
    judges: JudgeSet,
    model: JudgeModel,
    *,
    keep_trying: Callable[[], bool] = lambda: True,
    on_attempt: AttemptObserver = ignore_attempt,
    cache: JudgementCache | None = None,
    rates: SampleRates = ALL_EVENTS,
    turns: Turns | None = None,
    on_hedge: Callable[[str], None] = lambda _judge: None,
    tracing: "Tracing | None" = None,
) -> Assessor:
    """Make what judges events of every kind, or a share of them.

    A conversation asks as many questions at once as a panel does. Without `turns` the provider's limits are this
    process's own.
    """
    turns = turns or turns_in_memory(settings, model)
    patience = Patience(deadline_seconds=settings.judge_timeout_seconds, keep_trying=keep_trying, turns=turns)
    if tracing is not None:  # innermost, so that each call that is made has a span
        model, on_hedge = tracing.model(model), tracing.hedging(on_hedge)
    asked = hedged(priced(model, read_prices(settings)), settings.hedge_after_seconds, turns, on_hedge, on_attempt)
    asking = Asking(settings, asked, patience, on_attempt, cache, tracing)
    policy = scoring_policy(settings)
    pipeline = Pipeline(asking.panel(judges), policy, time.perf_counter_ns)
    conversations = ConversationPipeline(asking.judge(correctness_judge()), concurrency=len(judges.judges))
    return Assessor(pipeline, conversations, policy, rates)


def build_pipeline(settings: Settings, judges: JudgeSet, model: JudgeModel) -> Pipeline:
    """Make what judges answers, alone."""
    return build_assessor(settings, judges, model).pipeline


def build_conversation_pipeline(
    model: JudgeModel, patience: Patience, *, concurrency: int, on_attempt: AttemptObserver = ignore_attempt
) -> ConversationPipeline:
    judge = Judge(correctness_judge(), model, patience, time.perf_counter_ns, on_attempt)
    return ConversationPipeline(judge, concurrency=concurrency)


def scoring_policy(settings: Settings) -> ScoringPolicy:
    return ScoringPolicy(
        precheck_weight=settings.precheck_weight,
        judge_weight=settings.llm_judge_weight,
        pass_above=settings.pass_threshold,
        review_above=settings.review_threshold,
        early_exit_below=settings.early_exit_threshold,
    )


def build_evaluator(
    settings: Settings,
    judges: JudgeSet,
    model: JudgeModel,
    *,
    clock: Callable[[], float] = time.monotonic,
    on_attempt: AttemptObserver = ignore_attempt,
    on_circuit: Callable[[str | None], None] = lambda _reason: None,
    on_usage: Callable[[Agent | None, Usage], None] = lambda _agent, _usage: None,
    cache: JudgementCache | None = None,
) -> Evaluator:
    """Make what judges for a caller who waits. `on_circuit` is told why the model can't be used, and None after.

    `on_usage` is told whose event it was, and what its judges' calls took.
    """
    turns = turns_in_memory(settings, model, clock)
    circuit = Circuit(clock, telling_of_recovery(on_circuit, turns))
    assessor = build_assessor(
        settings, judges, model, keep_trying=lambda: circuit.closed, on_attempt=on_attempt, cache=cache, turns=turns
    )
    return Evaluator(assessor, circuit, build_result_writer(settings, judges, model), on_usage)


def begin_metrics(metrics: "JudgingMetrics", settings: Settings, judges: JudgeSet) -> None:
    """Show what the judges may come to before they have: those of answers, and the one of conversations."""
    metrics.begin([*judges.judges, correctness_judge()], combined=settings.judge_calls == "combined")


def build_result_writer(settings: Settings, judges: JudgeSet, model: JudgeModel) -> ResultWriter:
    digests = JudgesDigests(judges.digest, correctness_judges().digest)
    return ResultWriter(
        model.name,
        digests,
        _now,
        priced=read_prices(settings).of(model.name) is not None,
        include_interaction=settings.results_include_interaction,
    )


def _now() -> datetime:
    return datetime.now(UTC)
