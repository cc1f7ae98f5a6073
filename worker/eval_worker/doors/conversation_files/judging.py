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
from eval_worker.evaluation.judges.asker import Patience
from eval_worker.evaluation.judges.model import FailureKind
from eval_worker.redaction import without_secrets
from eval_worker.settings import Settings
from eval_worker.wiring.judge_model import build_judge_model
from eval_worker.wiring.judging import build_conversation_pipeline

_MODELS_OWN_FIRST = (FailureKind.OUTAGE, FailureKind.TRANSIENT, FailureKind.PERMANENT)


@dataclass(frozen=True, slots=True)
class JudgedConversations:
    """The figures, the criteria that led to them, and the model that judged.

    `unjudged` says how many interactions could not be judged, and why; None where all were.
    """

    report: AgenticReport = field(repr=False)  # asyncio.run reprs what it returns
    criteria: Criteria
    model: str
    unjudged: str | None


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
    unjudged = _unjudged(report, settings)
    return JudgedConversations(report, criteria, model.name, unjudged)


def _unjudged(report: AgenticReport, settings: Settings) -> str | None:
    """Say how many interactions were not judged, and why: a failure of the model's comes before one of a text's.

    Raises:
        EvalWorkerError: as above; where there are no figures there is nothing to go on with.
    """
    failure = next(filter(None, map(report.failure_of, _MODELS_OWN_FIRST)), None)
    if failure is None:
        return None
    count = sum(one.stage.score is None for one in report.interactions)
    why = without_secrets(failure.message, settings.secrets)
    if count == len(report.interactions) and report.aggregated.total_conversations == 0:
        away = failure.kind is not FailureKind.PERMANENT
        raise (ModelUnavailableError if away else EvalWorkerError)(f"nothing could be judged: {why}")
    return f"{count} of {len(report.interactions)} interactions could not be judged: {why}"
