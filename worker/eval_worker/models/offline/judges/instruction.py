"""Instruction: does the answer do what was asked, as it was asked, and no more?"""

from collections.abc import Mapping, Sequence

from eval_worker.evaluation.instructions import Check, verify_instructions
from eval_worker.evaluation.instructions.items import wanted_items
from eval_worker.evaluation.judges.model import Judgement
from eval_worker.evaluation.text.asks import Asks
from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.calibrated import calibrated
from eval_worker.models.offline.judges.declining import declines_harm, declines_rightly
from eval_worker.models.offline.judges.instruction_features import NO_EXCESS, SIGNS, features_of
from eval_worker.models.offline.judges.kin import is_in_words_of_its_own
from eval_worker.models.offline.judges.relevance_rules import answers_greeting, asks_back
from eval_worker.models.offline.judges.unnamed_topic import is_made_up

_NOTHING, _WRONG, _REFUSED = 0.0, 0.3, 0.3
_WEIGHT_OF_WORST = 0.8
_KEPT = 0.95
_OFF_TOPIC = 0.5
_ASIDE = 0.8  # a joke or a slogan need not name what it is on
_GOOD = {name: float(sign > 0) for name, sign in SIGNS.items()} | {"excess": NO_EXCESS}
_OF_GOOD = 0.97
# What no explicit instruction forbids costs less than a broken one does: by the rubric an answer that tries is a 5.
_MOST_LOST = 0.3
_DOES_IT = "the answer does what was asked"
_NOTED = 0.25  # of a feature's range, and of a logit: less is not worth a word
_FAULTS = {
    "taken_up": "it takes up little of what the query says",
    "named": "it leaves out what the query names",
    "excess": "it is far longer than the request calls for",
    "other_matter": "it keeps coming back to what the query does not speak of",
    "invented": "it works on material that nobody gave",
    "preamble": "it opens with courtesies",
}


def judge_instruction(analysis: Analysis) -> Judgement:
    if analysis.nothing_said:
        return Judgement(_NOTHING, f"{analysis.nothing_said}: no instruction is followed")
    checks = _checked(analysis)
    form = _combined(checks)
    if analysis.all_contradicted:
        return Judgement(min(form, _WRONG), "the answer is not what the context answers")
    if analysis.refusal and analysis.dialogue is None:  # who is not sure of something in talk declines nothing
        return _of_refusal(analysis, form)
    features = None if answers_greeting(analysis) else features_of(analysis)
    if features is None:
        return Judgement(_OF_GOOD * form, _reason(checks, ["a turn of a conversation gives none besides"]))
    faults = _faults(features)
    fit = _OF_GOOD * (1 - _MOST_LOST * (1 - _share_of_good(features)))
    if features["taken_up"] == 0 and not (analysis.support or is_in_words_of_its_own(analysis)):
        aside = analysis.question.asks is Asks.UNKNOWN or is_made_up(analysis) or asks_back(analysis)
        share = _ASIDE if aside else _OFF_TOPIC
        return Judgement(form * fit * share, _reason(checks, ["the answer takes up nothing of what was asked"]))
    return Judgement(form * fit, _reason(checks, faults or [_DOES_IT]))


def _of_refusal(analysis: Analysis, form: float) -> Judgement:
    if declines_harm(analysis):
        return Judgement(_OF_GOOD, "what nobody should help with is declined")
    if declines_rightly(analysis):
        return Judgement(_OF_GOOD * form, "what the context lacks can't be told")
    return Judgement(min(form, _REFUSED), "the query itself is declined")


def _checked(analysis: Analysis) -> Sequence[Check]:
    """Of a core and of the whole the worse counts, so that filler makes no item more of too few.

    Sentences and words may speak of nothing asked and belong to what was made up, or make up the length asked for.
    """
    query = analysis.interaction.user_query
    whole = verify_instructions(query, analysis.whole_text)
    counts_items = wanted_items(analysis.request.orders) is not None
    if is_made_up(analysis) or (_combined(whole) >= _KEPT and not counts_items):
        return whole
    return min((verify_instructions(query, text) for text in analysis.texts), key=_combined)


def _share_of_good(features: Mapping[str, float]) -> float:
    """The calibrated score in relation to that of an answer without a fault: pairs tell an order and no level."""
    model = calibrated("instruction")
    return model.score(features) / model.score(_GOOD)


def _combined(checks: Sequence[Check]) -> float:
    """One broken instruction is not made good by others that are kept."""
    worst = min((check.score for check in checks), default=1.0)
    mean = sum(check.score for check in checks) / len(checks) if checks else 1.0
    return _WEIGHT_OF_WORST * worst + (1 - _WEIGHT_OF_WORST) * mean if mean < 1 else 1.0


def _faults(features: Mapping[str, float]) -> list[str]:
    """What keeps the features from the best there are, the gravest first."""
    weights = calibrated("instruction").weights
    lost = {name: weight * (_GOOD[name] - features[name]) for name, weight in weights.items()}
    return [_FAULTS[name] for name in sorted(lost, key=lambda name: (-lost[name], name)) if lost[name] > _NOTED]


def _reason(checks: Sequence[Check], otherwise: Sequence[str]) -> str:
    if not checks:
        return f"no explicit instruction was found; {'; '.join(otherwise[:2])}"
    broken = [check.finding for check in checks if check.score < _KEPT]
    if broken and otherwise[0] == _DOES_IT:
        otherwise = ()
    return "; ".join([*(broken or [check.finding for check in checks])[:3], *otherwise[:1]])
