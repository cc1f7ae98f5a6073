"""Faithfulness: does the context bear out what the answer claims?"""

from eval_worker.evaluation.judges.model import CannotJudge, Judgement
from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.grounding import Support
from eval_worker.models.offline.spans import named, unsupported_spans

NO_CONTEXT = "no context given"
_NOTHING, _CLAIMS_NOTHING = 0.0, 0.5
_BORNE_OUT = 0.8
_HIGHEST_WITH_CONTRADICTION = 0.35
_YES, _NO_UNCLEAR = 0.6, 0.4


def judge_faithfulness(analysis: Analysis) -> Judgement | CannotJudge:
    if not analysis.interaction.has_context:
        return CannotJudge(NO_CONTEXT)
    if analysis.nothing_said:
        return Judgement(_NOTHING, f"{analysis.nothing_said}: there is nothing to check against the context")
    if analysis.refusal or not analysis.support:
        return Judgement(_CLAIMS_NOTHING, "the answer claims nothing that the context could bear out")
    score = _mean(analysis.support)
    if analysis.contradictions:
        return Judgement(min(score, _HIGHEST_WITH_CONTRADICTION), f"{analysis.contradictions[0].conflict}")
    return Judgement(score, _reason(analysis.support, score))


def _mean(support: list[Support]) -> float:
    """Long claims weigh more, though not in proportion; an invented part costs more than its share of the words."""
    weights = [max(1, len(one.claim.stems)) ** 0.5 for one in support]
    return sum(w * _felt(one.score) for w, one in zip(weights, support, strict=True)) / sum(weights)


def _felt(score: float) -> float:
    return score if score >= _BORNE_OUT else score * score / _BORNE_OUT


def _reason(support: list[Support], score: float) -> str:
    spans = [span for one in support for span in unsupported_spans(one.claim.text, one.missing)]
    if not spans:
        return "the context bears out what the answer says"
    is_not = "is not" if len(spans) == 1 else "are not"
    if score >= _BORNE_OUT:
        return f"the context bears out the answer, but {named(spans)} {is_not} in it"
    return f"{named(spans)} {is_not} in the context"
