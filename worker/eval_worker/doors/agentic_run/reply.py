"""What is said of conversations that were judged, as it is described to callers."""

from typing import Literal

from pydantic import BaseModel

from eval_worker.agentic.metric import AgenticMetric, AggregatedMetrics, QuestionMetric


class RunReply(BaseModel):
    """`per_question_metrics` is there only where a question was answered more than once."""

    success: Literal[True]
    per_conversation_metrics: list[AgenticMetric]
    aggregated_metrics: AggregatedMetrics
    per_question_metrics: list[QuestionMetric] = []
