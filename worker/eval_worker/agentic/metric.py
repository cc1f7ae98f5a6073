"""What comes out: the figures of one conversation, of one question, and of all conversations together."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from eval_worker.agentic.statistics.pass_estimate import PassEstimate
from eval_worker.agentic.tools.tool_correctness import ToolCorrectnessScore

Interpretation = Literal["reliable", "inconsistent", "functional", "needs_improvement"]

_HIGH, _FAIR = 0.95, 0.70
_CONSISTENT, _INCONSISTENT = 0.70, 0.50


class _Metric(BaseModel):
    model_config = ConfigDict(frozen=True)


class PassFigures(_Metric):
    """pass@k and pass^k with their intervals, and the unbiased estimates beside them.

    All are None where nothing was judged; intervals where the statistical mode makes none; the unbiased ones where k is
    more than there are trials, which `extrapolated` says.
    """

    k: int
    pass_at_k: float | None
    pass_at_k_ci_low: float | None = None
    pass_at_k_ci_high: float | None = None
    pass_pow_k: float | None
    pass_pow_k_ci_low: float | None = None
    pass_pow_k_ci_high: float | None = None
    unbiased_pass_at_k: float | None = None
    unbiased_pass_pow_k: float | None = None
    extrapolated: bool = False


class _Conversation(_Metric):
    session_id: str
    assistant_id: str
    qa_ids: list[str]
    total_interactions: int
    judged_interactions: int
    correct_interactions: int
    is_fully_correct: bool | None
    threshold: float
    correctness_scores: list[float | None]
    correct_indices: list[int]
    reasons: list[str]
    tool_correctness_scores: list[ToolCorrectnessScore | None]


class AgenticMetric(PassFigures, _Conversation):  # in this order the figures come last, as is documented
    """One conversation; n of its figures is how many of its interactions were judged, c how many are correct.

    A score is None where the judge failed, which is never 0. `is_fully_correct` is None where that leaves it open: no
    interaction is wrong, and one is unknown. `reasons` are the judge's, one for each interaction.
    """


class QuestionMetric(_Metric):
    """One question that K assistants, or one K times, have answered.

    `pass_at_k`: at least one of the K answers is correct; `pass_pow_k`: all are. None where an answer that could not be
    judged leaves it open. `attempts` are the figures for another number of attempts, with K for n.
    """

    qa_id: str
    query: str
    session_ids: list[str]
    assistant_ids: list[str]
    k: int
    threshold: float
    correctness_scores: list[float | None]
    correct_indices: list[int]
    reasons: list[str]
    pass_at_k: bool | None
    pass_pow_k: bool | None
    tool_correctness_scores: list[ToolCorrectnessScore | None]
    attempts: PassFigures


class _Conversations(_Metric):
    total_conversations: int
    fully_correct_conversations: int
    unknown_conversations: int
    conversation_success_rate: float | None


class AggregatedMetrics(PassFigures, _Conversations):
    """All conversations; n of its figures is how many there are, c how many are fully correct.

    Those that are unknown are counted by themselves and left out of n.
    """

    interpretation: Interpretation | None


def figures_of(estimate: PassEstimate) -> dict[str, Any]:
    """Return the estimate as the fields of `PassFigures`."""
    return {name: getattr(estimate, name) for name in PassFigures.model_fields}


def interpret(pass_at_k: float | None, pass_pow_k: float | None) -> Interpretation | None:
    """Say in a word how an agent does; what the documented table leaves open is functional, nothing known is None."""
    if pass_at_k is None or pass_pow_k is None:
        return None
    if pass_at_k > _HIGH and pass_pow_k > _CONSISTENT:
        return "reliable"
    if pass_at_k > _HIGH and pass_pow_k < _INCONSISTENT:
        return "inconsistent"
    return "functional" if pass_at_k >= _FAIR else "needs_improvement"
