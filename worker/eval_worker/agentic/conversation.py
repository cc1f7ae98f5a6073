"""Interactions make a conversation, conversations make an agent: counts, and the estimates that follow from them."""

from collections.abc import Hashable, Iterable, Sequence

from eval_worker.agentic.criteria import Criteria
from eval_worker.agentic.judged import Correctness, JudgedInteraction
from eval_worker.agentic.metric import AgenticMetric, AggregatedMetrics, figures_of, interpret


def score_conversation(interactions: Sequence[JudgedInteraction], criteria: Criteria) -> AgenticMetric:
    """Count what is correct in one conversation; n is its judged interactions, c the correct ones."""
    first = interactions[0]
    found = [one.correctness(criteria) for one in interactions]
    correct = found.count(Correctness.CORRECT)
    judged = len(found) - found.count(Correctness.UNKNOWN)
    return AgenticMetric(
        session_id=first.session_id,
        assistant_id=first.assistant_id,
        qa_ids=[one.qa_id for one in interactions],
        total_interactions=len(found),
        judged_interactions=judged,
        correct_interactions=correct,
        is_fully_correct=_all_correct(found),
        threshold=criteria.threshold,
        correctness_scores=[one.stage.score for one in interactions],
        correct_indices=[index for index, each in enumerate(found) if each is Correctness.CORRECT],
        reasons=[one.stage.reason for one in interactions],
        tool_correctness_scores=[one.tools for one in interactions],
        **figures_of(criteria.mode.estimate(judged, correct, criteria.k)),
    )


def aggregate_conversations(metrics: Iterable[AgenticMetric], criteria: Criteria) -> AggregatedMetrics:
    """Count the fully correct; n is the conversations of which that is known, c those of which it is true."""
    found = [metric.is_fully_correct for metric in metrics]
    correct, known = found.count(True), len(found) - found.count(None)
    estimate = criteria.mode.estimate(known, correct, criteria.k)
    return AggregatedMetrics(
        total_conversations=known,
        fully_correct_conversations=correct,
        unknown_conversations=len(found) - known,
        conversation_success_rate=correct / known if known else None,
        interpretation=interpret(estimate.pass_at_k, estimate.pass_pow_k),
        **figures_of(estimate),
    )


def by_conversation(interactions: Iterable[JudgedInteraction]) -> list[list[JudgedInteraction]]:
    """Put together the turns of each conversation, in the order in which each first appeared."""
    groups: dict[Hashable, list[JudgedInteraction]] = {}
    for one in interactions:
        groups.setdefault(one.conversation, []).append(one)
    return list(groups.values())


def _all_correct(found: Sequence[Correctness]) -> bool | None:
    if Correctness.WRONG in found:
        return False
    return None if Correctness.UNKNOWN in found else True
