"""Instruction: are the query's explicit instructions kept?"""

from collections.abc import Sequence

from eval_worker.evaluation.instructions import Check, verify_instructions
from eval_worker.evaluation.judges.model import Judgement
from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.relevance import judge_relevance

_NOTHING, _WRONG, _REFUSED = 0.0, 0.3, 0.3
_WEIGHT_OF_WORST = 0.8
_RESPONSIVE = 0.5
_KEPT = 0.95


def judge_instruction(analysis: Analysis) -> Judgement:
    if analysis.nothing_said:
        return Judgement(_NOTHING, f"{analysis.nothing_said}: no instruction is followed")
    addressed = judge_relevance(analysis).score
    checks = verify_instructions(analysis.interaction.user_query, analysis.answer_text)
    if not checks:
        return _without_instruction(analysis, addressed)
    score = min(_combined(checks), _REFUSED) if analysis.refusal else _combined(checks)
    worst = min(checks, key=lambda check: check.score)
    if addressed < _RESPONSIVE:
        return Judgement(
            min(score, _WRONG + addressed), f"{worst.finding}; and the answer hardly addresses what was asked"
        )
    broken = [check.finding for check in checks if check.score < _KEPT]
    return Judgement(score, "; ".join((broken or [check.finding for check in checks])[:3]))


def _without_instruction(analysis: Analysis, addressed: float) -> Judgement:
    if analysis.all_contradicted:
        return Judgement(_WRONG, "no explicit instruction was found, but the answer is not what the context answers")
    if analysis.refusal:
        return Judgement(_REFUSED, "no explicit instruction was found, but the query itself is declined")
    if addressed >= _RESPONSIVE:
        return Judgement(1.0, "no explicit instruction was found, and the answer responds to the query")
    return Judgement(
        _WRONG + addressed, "no explicit instruction was found, but the answer hardly responds to the query"
    )


def _combined(checks: Sequence[Check]) -> float:
    """One broken instruction is not made good by others that are kept."""
    worst = min(check.score for check in checks)
    mean = sum(check.score for check in checks) / len(checks)
    return _WEIGHT_OF_WORST * worst + (1 - _WEIGHT_OF_WORST) * mean if mean < 1 else 1.0
