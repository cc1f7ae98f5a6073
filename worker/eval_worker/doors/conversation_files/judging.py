"""Asks the judge model that the settings name about every interaction of the conversations."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field

from eval_worker.agentic.correctness import correctness_judges
from eval_worker.agentic.criteria import Criteria
from eval_worker.agentic.dataset import Dataset
from eval_worker.agentic.report import AgenticReport
from eval_worker.console.judging_progress import Progress
from eval_worker.errors import EvalWorkerError, ModelUnavailableError
from eval_worker.evaluation.judges.judge import Patience
from eval_worker.evaluation.judges.model import FailureKind, ModelFailure
from eval_worker.settings import Settings
from eval_worker.wiring.judge_model import build_judge_model
from eval_worker.wiring.judging import build_conversation_pipeline


@dataclass(frozen=True, slots=True)
class JudgedConversations:
    """The figures, the criteria that led to them and the model that judged."""

    report: AgenticReport = field(repr=False)  # asyncio.run reprs what it returns
    criteria: Criteria
    model: str

    @property
    def first_failure(self) -> ModelFailure | None:
        """Why the first of the interactions that were not judged was not; the model's own failures come before."""
        failures = [one.stage.failure for one in self.report.interactions if one.stage.failure is not None]
        providers = (failure for failure in failures if failure.kind is not FailureKind.PERMANENT)
        return next(providers, failures[0] if failures else None)

    def describe_unjudged(self) -> str:
        """Say how much could not be judged, and why, where something could not."""
        unjudged = sum(one.stage.score is None for one in self.report.interactions)
        message = self.first_failure.message if self.first_failure else ""
        return f"{unjudged} of {len(self.report.interactions)} interactions could not be judged: {message}"


async def judge_conversations(
    datasets: Sequence[Dataset], criteria: Criteria, settings: Settings, progress: Progress
) -> JudgedConversations:
    """Judge all of them, CONCURRENCY interactions at a time.

    Raises:
        SettingsError: there is no such model, or no credentials for it.
        ModelUnavailableError: the model was away, so that nothing could be judged.
        EvalWorkerError: nothing could be judged for another reason.
    """
    with closing(build_judge_model(settings, correctness_judges())) as model:
        patience = Patience(deadline_seconds=settings.judge_timeout_seconds)
        pipeline = build_conversation_pipeline(model, patience, concurrency=settings.concurrency)
        advance = progress("judging", sum(len(dataset.conversation) for dataset in datasets))
        report = await pipeline.report(datasets, criteria, on_judged=advance)
        return _with_something_judged(JudgedConversations(report, criteria, model.name))


def _with_something_judged(judged: JudgedConversations) -> JudgedConversations:
    report, failure = judged.report, judged.first_failure
    judged_any = any(one.stage.score is not None for one in report.interactions)
    if failure is None or judged_any or report.aggregated.total_conversations:
        return judged
    away = failure.kind is not FailureKind.PERMANENT
    raise (ModelUnavailableError if away else EvalWorkerError)(f"nothing could be judged: {failure.message}")
