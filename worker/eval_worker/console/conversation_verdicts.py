"""Verdicts about whole conversations for people: the figures of all together, and which tools were wrong."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from eval_worker.agentic.metric import AgenticMetric, AggregatedMetrics

MOST_SHOWN = 30  # interactions; an event may have thousands, and its result has them all

_METRICS = TypeAdapter(list[AgenticMetric])


def figures_in_short(agentic: Mapping[str, Any]) -> str:
    """Return `1 of 2 conversations correct, pass@3 0.88, pass^3 0.12`."""
    try:
        figures = AggregatedMetrics.model_validate(agentic.get("aggregated_metrics"))
    except ValidationError:  # another version wrote it
        return "whole conversations"
    count = f"{figures.fully_correct_conversations} of {figures.total_conversations}"
    unknown = f", {figures.unknown_conversations} unknown" if figures.unknown_conversations else ""
    if figures.pass_at_k is None or figures.pass_pow_k is None:
        return f"{count} conversations correct{unknown}"
    k, at_k, pow_k = figures.k, figures.pass_at_k, figures.pass_pow_k
    return f"{count} conversations correct{unknown}, pass@{k} {at_k:.2f}, pass^{k} {pow_k:.2f}"


def wrong_tools(agentic: Mapping[str, Any]) -> Iterator[tuple[float, str]]:
    """Yield the score of each interaction whose tools are not correct, with where it was and what was wrong."""
    try:
        metrics = _METRICS.validate_python(agentic.get("per_conversation_metrics"))
    except ValidationError:
        return
    for metric in metrics:
        for qa_id, tools in zip(metric.qa_ids, metric.tool_correctness_scores, strict=False):
            if tools is not None and not tools.is_correct:
                yield tools.overall_correctness, f"{metric.session_id}, {qa_id}: {tools.reasoning or 'not correct'}"
