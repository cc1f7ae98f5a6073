"""Judges interactions side by side, within a bound, for as long as the model answers."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from eval_worker.agentic.criteria import Criteria
from eval_worker.agentic.dataset import Batch
from eval_worker.agentic.judged import JudgedInteraction, score_tools
from eval_worker.agentic.tools.tool_correctness import ToolCorrectnessScore
from eval_worker.agentic.tools.tool_use import says_nothing
from eval_worker.agentic.turn import Turn
from eval_worker.evaluation.judges.judge import JudgedStage, StageJudge
from eval_worker.evaluation.judges.model import FailureKind, ModelFailure, Usage
from eval_worker.evaluation.stage import Stage, StageStatus

NOT_ASKED = "not asked: the model did not answer for others"
WINDOW = 4  # turns taken in for each that is being judged, so that a slow one does not hold up the rest
_COMPARING = ThreadPoolExecutor(1, "tool-correctness")
"""One thread for all: comparing is all Python, and each thread more would only hold up the event loop's turn."""


class InteractionJudge:
    """Asks the correctness judge about `concurrency` interactions at a time; comparing tools asks nobody.

    Once the model is known to be away no more are asked: after an outage at once, after transient failures when
    `most_failures` came in a row. What was not asked is unknown, with the failure that stood in its way.
    """

    def __init__(self, judge: StageJudge, criteria: Criteria, *, concurrency: int, most_failures: int) -> None:
        self._judge = judge
        self._criteria = criteria
        self._slots = asyncio.Semaphore(concurrency)
        self._concurrency = concurrency
        self._most_failures = most_failures
        self._failures_in_a_row = 0
        self._away: ModelFailure | None = None

    async def judge(self, turns: Iterable[Turn]) -> AsyncGenerator[JudgedInteraction]:
        """Yield each turn judged, in the order of the input, which is read as far as there is room."""
        under_way: deque[asyncio.Task[JudgedInteraction]] = deque()
        try:
            for turn in turns:
                under_way.append(asyncio.create_task(self._judge_one(turn)))
                if len(under_way) >= self._concurrency * WINDOW:
                    yield await under_way.popleft()
            while under_way:
                yield await under_way.popleft()
        finally:
            for task in under_way:
                task.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)

    async def _judge_one(self, turn: Turn) -> JudgedInteraction:
        async with self._slots:
            tools = await self._score_tools(turn.batch)
            judged = await self._ask(turn)
        return JudgedInteraction.of(turn, judged, tools)

    async def _score_tools(self, batch: Batch) -> ToolCorrectnessScore | None:
        """Compare in a thread: many calls take half a second, and the event loop has leases and clients to serve."""
        if says_nothing(batch.ground_truth_agentic):
            return None
        return await asyncio.get_running_loop().run_in_executor(_COMPARING, score_tools, batch, self._criteria)

    async def _ask(self, turn: Turn) -> JudgedStage:
        if self._away is not None:
            name = self._judge.definition.stage_name
            return JudgedStage(Stage(name, None, NOT_ASKED, 0, StageStatus.ERROR, self._away), Usage())
        judged = await self._judge.judge(turn.as_interaction())
        stage = judged.stage
        if stage.status is StageStatus.NOT_APPLICABLE:  # every interaction has to be judged, or it is unknown
            failure = ModelFailure(FailureKind.PERMANENT, "cannot_judge", stage.reason)
            judged = replace(judged, stage=replace(stage, status=StageStatus.ERROR, failure=failure))
        self._note(judged.stage.failure)
        return judged

    def _note(self, failure: ModelFailure | None) -> None:
        if failure is None or failure.kind is FailureKind.PERMANENT:
            self._failures_in_a_row = 0
            return
        self._failures_in_a_row += 1
        if failure.kind is FailureKind.OUTAGE or self._failures_in_a_row >= self._most_failures:
            self._away = failure
