"""Faithfulness: does the context bear out what the answer claims?"""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from eval_worker.evaluation.judges.model import CannotJudge, Judgement
from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.calibrated import calibrated
from eval_worker.models.offline.context.numbers_nowhere import numbers_nowhere
from eval_worker.models.offline.context.support import Support
from eval_worker.models.offline.judges.additions import adds_to_context
from eval_worker.models.offline.judges.declining import declines_harm, declines_rightly
from eval_worker.models.offline.judges.faithfulness_features import SIGNS, claims_nothing, features_of
from eval_worker.models.offline.judges.kin import is_of_what_the_context_tells
from eval_worker.models.offline.reading.dialogue import holds_talk
from eval_worker.models.offline.reading.own_words import asks_for_other_words
from eval_worker.models.offline.reading.spans import named, unsupported_spans
from eval_worker.models.offline.reading.tokens import key_of

NO_CONTEXT = "no context given"
_NOTHING, _CLAIMS_NOTHING = 0.0, 0.5
_DECLINES_RIGHTLY, _IN_OTHER_WORDS = 0.8, 0.6
_BORNE_OUT = 0.8
_CONTRADICTED = 0.25  # of its score: what else the answer says may be true
_WHOLLY = {name: float(sign > 0) for name, sign in SIGNS.items()}
_LEVELS = 10  # raters tell apart no more; what lies between two levels has not reached the higher one
_STRICTLY = ((0.0, 0.0), (0.15, 0.3), (0.25, 0.5), (0.45, 0.6), (0.65, 0.75), (0.85, 0.88), (1.0, 1.0))
_KINDLY = ((0.0, 0.0), (0.15, 0.4), (0.25, 0.62), (0.35, 0.72), (0.55, 0.8), (0.85, 0.92), (1.0, 1.0))
_LEFT_BY_NUMBER, _LEAST_LEFT = 0.68, 0.45
_AS_GOOD_AS = 0.1  # of a level


def judge_faithfulness(analysis: Analysis) -> Judgement | CannotJudge:
    if not analysis.interaction.has_context:
        return CannotJudge(NO_CONTEXT)
    rule = _decided(analysis)
    if rule is not None:
        return rule
    features = features_of(analysis)
    if features is None:
        return _of_yes_or_no(analysis.support)
    strange = numbers_nowhere((one for one, _ in analysis.attributed), [*analysis.context, *analysis.query_sentences])
    left = _share_left_by(strange)
    strict = holds_talk(analysis.context) or adds_to_context(analysis)
    score = _as_people_say(_level(features), _STRICTLY if strict else _KINDLY) * left
    if analysis.contradictions:
        return Judgement(_CONTRADICTED * score, f"{analysis.contradictions[0].conflict}")
    if score < _IN_OTHER_WORDS * left and (reason := _why_in_other_words(analysis)):
        return Judgement(_IN_OTHER_WORDS * left, reason)
    return Judgement(score, _reason(analysis, score, strange))


def _decided(analysis: Analysis) -> Judgement | None:
    if analysis.nothing_said:
        return Judgement(_NOTHING, f"{analysis.nothing_said}: there is nothing to check against the context")
    if declines_harm(analysis):
        return Judgement(_DECLINES_RIGHTLY, "the answer declines what nobody should help with")
    if declines_rightly(analysis):
        return Judgement(_DECLINES_RIGHTLY, "the answer says that the context lacks it, and it is not all there")
    if claims_nothing(analysis):
        return Judgement(_CLAIMS_NOTHING, "the answer claims nothing that the context could bear out")
    return None


def _why_in_other_words(analysis: Analysis) -> str | None:
    if analysis.dialogue is not None:
        return None
    if asks_for_other_words(analysis.interaction.user_query):
        return "other words than the context's were asked for, so they can't be held against the answer"
    if is_of_what_the_context_tells(analysis):
        return "the answer is about what the context says, in a language of which few words are known to mean the same"
    return None


def _level(features: Mapping[str, float]) -> float:
    """The calibrated score in relation to that of an answer that stands in the context word for word, in levels.

    A level counts as its middle, so that it is no harsher than the scores in it; the lowest and the highest as 0 and 1.
    """
    model = calibrated("faithfulness")
    reached = math.floor(_LEVELS * model.score(features) / model.score(_WHOLLY) + _AS_GOOD_AS)
    return min(1.0, (reached + 0.5) / _LEVELS) if reached else 0.0


def _as_people_say(level: float, drawn: Sequence[tuple[float, float]]) -> float:
    """What people gave texts of this level, most of them in words of their own: drawn by hand through those points.

    An answer is more often faithful than a turn of the same level, which may be about anything, and than one that adds
    something: raters of WiCE and SummEval against those of BEGIN. A fit to all would follow the most numerous.
    """
    for (low, at_low), (high, at_high) in pairwise(drawn):
        if level <= high:
            return at_low + (at_high - at_low) * (level - low) / (high - low)
    return 1.0


def _share_left_by(strange: Sequence[str]) -> float:
    """What is left for numbers that stand nowhere: words may be other ones for the same, numbers are not."""
    return max(_LEAST_LEFT, _LEFT_BY_NUMBER ** len(strange))


def _of_yes_or_no(found: Sequence[Support]) -> Judgement:
    """The query is the claim; a context without a word bears nothing out."""
    if not found:
        return Judgement(_NOTHING, "the context says nothing that could bear the answer out")
    support = found[0]
    if support.conflict:
        return Judgement(_CONTRADICTED * support.score, support.conflict)
    if support.missing:
        return Judgement(support.score, f"{named(support.missing)} {_is_not(support.missing)} in the context")
    return Judgement(support.score, "the context bears out what the answer says")


def _reason(analysis: Analysis, score: float, strange: Sequence[str]) -> str:
    if strange:
        return f"{named(strange)} {'stands' if len(strange) == 1 else 'stand'} neither in the context nor in the query"
    given = frozenset(map(key_of, analysis.query.words))
    spans = [
        span
        for one, found in analysis.attributed
        for span in unsupported_spans(one.text, [word for word in found.missing if key_of(word) not in given])
    ]
    if spans and score >= _BORNE_OUT:
        return f"the context bears out the answer, but {named(spans)} {_is_not(spans)} in it"
    if spans:
        return f"{named(spans)} {_is_not(spans)} in the context"
    if score >= _BORNE_OUT:
        return "the context bears out what the answer says"
    one, _ = min(analysis.attributed, key=lambda pair: pair[1].near)
    if one.is_question:
        return f"the answer asks where it should tell: {named([one.text])}"
    return f"the context has the words of the answer, but does not say this: {named([one.text])}"


def _is_not(things: Sequence[str]) -> str:
    return "is not" if len(things) == 1 else "are not"
