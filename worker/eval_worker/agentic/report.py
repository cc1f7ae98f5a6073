"""All that follows from judged interactions: each conversation, all of them together, each question."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from eval_worker.agentic.conversation import aggregate_conversations, by_conversation, score_conversation
from eval_worker.agentic.criteria import Criteria
from eval_worker.agentic.judged import JudgedInteraction
from eval_worker.agentic.metric import AgenticMetric, AggregatedMetrics, QuestionMetric
from eval_worker.agentic.question import score_questions
from eval_worker.evaluation.judges.model import FailureKind, ModelFailure, Usage


@dataclass(frozen=True, slots=True)
class AgenticReport:
    """One judgement of each interaction, looked at in every way. `questions` are those with more than one answer."""

    conversations: tuple[AgenticMetric, ...]
    aggregated: AggregatedMetrics
    questions: tuple[QuestionMetric, ...]
    interactions: tuple[JudgedInteraction, ...]

    @property
    def usage(self) -> Usage:
        return sum((one.usage for one in self.interactions), start=Usage())

    def failure_of(self, kind: FailureKind) -> ModelFailure | None:
        """Return the first failure of that kind, if any."""
        failures = (one.stage.failure for one in self.interactions)
        return next((failure for failure in failures if failure is not None and failure.kind is kind), None)

    def as_response(self) -> dict[str, Any]:
        """Return the documented response, ready to be written as JSON."""
        response: dict[str, Any] = {
            "success": True,
            "per_conversation_metrics": [metric.model_dump(mode="json") for metric in self.conversations],
            "aggregated_metrics": self.aggregated.model_dump(mode="json"),
        }
        if self.questions:
            response["per_question_metrics"] = [metric.model_dump(mode="json") for metric in self.questions]
        return response


def report_on(interactions: Sequence[JudgedInteraction], criteria: Criteria) -> AgenticReport:
    metrics = [score_conversation(turns, criteria) for turns in by_conversation(interactions)]
    questions = score_questions(interactions, criteria)
    aggregated = aggregate_conversations(metrics, criteria)
    return AgenticReport(tuple(metrics), aggregated, tuple(questions), tuple(interactions))
