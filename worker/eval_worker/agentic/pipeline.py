"""The pipeline of conversations: turns -> correctness judge and tools -> report -> verdict."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace

from eval_worker.agentic.criteria import Criteria
from eval_worker.agentic.dataset import Dataset, StreamedBatch
from eval_worker.agentic.judged import JudgedInteraction
from eval_worker.agentic.judging import InteractionJudge
from eval_worker.agentic.report import AgenticReport, report_on
from eval_worker.agentic.turn import turns_of
from eval_worker.evaluation.aggregate import Evaluation, ScoringPolicy, Verdict, verdict_for
from eval_worker.evaluation.judges.judge import StageJudge
from eval_worker.evaluation.stage import Stage, StageStatus


def _nobody_watches() -> None:
    pass


class ConversationPipeline:
    """Judges whole conversations, `concurrency` of their interactions at a time."""

    def __init__(self, judge: StageJudge, *, concurrency: int) -> None:
        self._judge = judge
        self._concurrency = concurrency

    async def report(
        self,
        conversations: Iterable[Dataset] | Iterable[StreamedBatch],
        criteria: Criteria,
        *,
        last_try: bool = True,
        on_judged: Callable[[], None] = _nobody_watches,
    ) -> AgenticReport:
        """Judge every interaction once. Where this is not the `last_try` the first transient failure ends it early.

        `on_judged` is called for each interaction that is done, in their order.
        """
        most_failures = self._concurrency if last_try else 1
        judge = InteractionJudge(self._judge, criteria, concurrency=self._concurrency, most_failures=most_failures)
        judged: list[JudgedInteraction] = []
        async for one in judge.judge(turns_of(conversations)):
            judged.append(one)
            on_judged()
        # In a thread: thousands of conversations take seconds, and the event loop has leases and clients to serve.
        return await asyncio.to_thread(report_on, judged, criteria)


def evaluation_of(report: AgenticReport, policy: ScoringPolicy) -> Evaluation:
    """Return the report as a verdict: the confidence is the share of conversations that are fully correct.

    Each interaction is a stage, in the order of the input. One that could not be judged never lets it pass; where that
    leaves every conversation unknown there is no verdict to speak of.
    """
    rate = report.aggregated.conversation_success_rate
    stages = tuple(_stage_of(one) for one in report.interactions)
    whole = all(stage.status is not StageStatus.ERROR for stage in stages)
    return Evaluation(
        stages,
        rate or 0.0,
        Verdict.FAIL if rate is None else verdict_for(rate, policy, may_pass=whole),
        unjudged=rate is None,
        usage=report.usage,
        agentic=report.as_response(),
    )


def _stage_of(one: JudgedInteraction) -> Stage:
    """Say in the reason which interaction it was: the stages' names are the judge's, as everywhere."""
    return replace(one.stage, reason=f"{one.session_id}, {one.qa_id}: {one.stage.reason}")
