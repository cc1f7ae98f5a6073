"""An interaction that has been judged, and what that makes of it."""

from collections.abc import Hashable
from dataclasses import dataclass
from enum import Enum
from typing import Self

from eval_worker.agentic.criteria import Criteria
from eval_worker.agentic.dataset import Batch
from eval_worker.agentic.tools.tool_correctness import ToolCorrectnessScore, tool_correctness
from eval_worker.agentic.tools.tool_use import says_nothing
from eval_worker.agentic.turn import Turn
from eval_worker.evaluation.judges.judge import JudgedStage
from eval_worker.evaluation.judges.model import Usage
from eval_worker.evaluation.stage import Stage


class Correctness(Enum):
    CORRECT = "correct"
    WRONG = "wrong"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class JudgedInteraction:
    """`stage` is the correctness judge's; its score is None where the judge failed. `tools` is None without a truth.

    The texts are not kept, so that any number of conversations fits in memory; the query is, to name a question.
    """

    conversation: Hashable
    session_id: str
    assistant_id: str
    qa_id: str
    query: str
    stage: Stage
    tools: ToolCorrectnessScore | None
    usage: Usage

    @classmethod
    def of(cls, turn: Turn, judged: JudgedStage, tools: ToolCorrectnessScore | None) -> Self:
        session, batch = turn.metadata, turn.batch
        return cls(
            turn.conversation,
            session.session_id,
            session.assistant_id,
            batch.qa_id,
            batch.query,
            judged.stage,
            tools,
            judged.usage,
        )

    def correctness(self, criteria: Criteria) -> Correctness:
        """Wrong tools make it wrong where they count, whatever the judge would have said of the answer."""
        if criteria.require_tools and self.tools is not None and not self.tools.is_correct:
            return Correctness.WRONG
        if self.stage.score is None:
            return Correctness.UNKNOWN
        return Correctness.CORRECT if self.stage.score >= criteria.threshold else Correctness.WRONG


def score_tools(batch: Batch, criteria: Criteria) -> ToolCorrectnessScore | None:
    """Return None where nothing is known of what would have been right."""
    if batch.ground_truth_agentic is None or says_nothing(batch.ground_truth_agentic):
        return None
    return tool_correctness(
        batch.agentic,
        batch.ground_truth_agentic,
        weights=criteria.tool_weights,
        threshold=criteria.tool_threshold,
    )
