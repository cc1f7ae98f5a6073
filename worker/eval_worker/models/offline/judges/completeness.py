"""Completeness: is every part of the query answered, with as much as there is to say?"""

import re
from collections.abc import Mapping
from dataclasses import replace

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.model import Judgement
from eval_worker.evaluation.text.asks import Asks
from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.calibrated import calibrated
from eval_worker.models.offline.judges.answer_size import is_small_task_done
from eval_worker.models.offline.judges.completeness_features import features_of, is_unfinished, measured
from eval_worker.models.offline.judges.coverage import Coverage, coverage_of
from eval_worker.models.offline.judges.declining import declines_harm, declines_rightly
from eval_worker.models.offline.judges.relevance import has_what_was_asked, judge_relevance
from eval_worker.models.offline.judges.relevance_rules import answers_greeting
from eval_worker.models.offline.judges.reworking import Rework, given_to_rework, reworks

_NOTHING, _WRONG, _REFUSED, _REFUSED_RIGHTLY, _UNCHANGED, _WHOLE = 0.0, 0.12, 0.2, 0.6, 0.2, 0.98
# What an answer is worth for having the thing asked for, however little it says about it.
_SETTLED, _ALL_PARTS, _NAMED, _SMALL_TASK, _NO_MORE = 0.9, 0.8, 0.7, 0.65, 0.0
_LEAST_KEPT = 0.25
_SHARPNESS = 1.6  # it is fitted to preferences, which tell no level
_TO_THE_POINT = 0.5
_LONGEST_CLOSED = 300  # characters
_CLOSED = frozenset({Asks.POLAR, Asks.CHOICE, Asks.NUMBER, Asks.DATE, Asks.PERSON, Asks.PLACE})
_ASKS_FOR_ONE = re.compile(r"\W*(?:(?:what|which|who)(?:'s| is| was)|define)\b", re.IGNORECASE)
_WANTS_MORE = re.compile(
    r"^\W*(?:please )?(?:explain|describe|discuss|list|write|make|create|design|generate|compare|"
    r"summari[sz]e|outline|come)\b|"
    r"\b(?:list of|examples?|tables?|what (?:\w+ )?are|which are|reasons|steps|ways|how to|how do(?:es)?|why)\b",
    re.IGNORECASE,
)
_WANTS_REASON = re.compile(
    r"\b(?:explain|justify|why|give (?:a |the )?reasons?|reasoning|begründe\w*|warum|pourquoi)\b", re.IGNORECASE
)
_MUCH_COPIED, _MUCH_REPEATED, _LITTLE = 0.4, 0.2, 0.35


def judge_completeness(analysis: Analysis) -> Judgement:
    if answers_greeting(analysis) and not analysis.nothing_said:
        return Judgement(_SETTLED, "a greeting asks for no more")
    features = features_of(analysis)
    if features is None:
        return _without_features(analysis)
    rework = given_to_rework(analysis)
    if rework:
        return _of_rework(analysis, rework)
    coverage = coverage_of(analysis, features)
    settled = _settled(analysis, features)
    if settled and analysis.direct:
        coverage = replace(coverage, on_topic=True)
    least = (_ALL_PARTS if coverage.is_whole else _NO_MORE) if coverage.parts else settled
    if not coverage.parts and is_small_task_done(analysis):
        least = max(least, _SMALL_TASK)
    if coverage.items is not None and coverage.is_whole:
        least = max(least, _ALL_PARTS)
    score = (least + (_WHOLE - least) * calibrated("completeness").score(features, _SHARPNESS)) * coverage.factor
    faults = _faults(
        features,
        coverage,
        grounded=bool(analysis.context),
        settled=least > _NO_MORE,
        unfinished=is_unfinished(analysis),
    )
    return Judgement(score, _reason(coverage, faults))


def _of_rework(analysis: Analysis, rework: Rework) -> Judgement:
    """What was given to be reworked is to be found again, if not as it was."""
    if not reworks(analysis):
        return Judgement(_UNCHANGED, "the text is given back as it was")
    features = measured(Analysis(Interaction(rework.orders, analysis.answer_text, rework.material)))
    score = _WHOLE * calibrated("completeness").score(features, _SHARPNESS) * min(1.0, features["recall"] / _LEAST_KEPT)
    return Judgement(score, f"the answer keeps {features['recall']:.0%} of what was given to be reworked")


def _without_features(analysis: Analysis) -> Judgement:
    if analysis.nothing_said:
        return Judgement(_NOTHING, f"{analysis.nothing_said}: no part of the query is answered")
    if analysis.all_contradicted:
        return Judgement(_WRONG, f"the query is not answered: {analysis.contradictions[0].conflict}")
    if declines_harm(analysis):
        return Judgement(_ALL_PARTS, "there is no more to say to what nobody should help with")
    if declines_rightly(analysis):
        return Judgement(_REFUSED_RIGHTLY, "what was asked for can't be told, and the answer says so")
    return Judgement(_REFUSED, "the answer says that it has none, so no part of the query is answered")


def _settled(analysis: Analysis, features: Mapping[str, float]) -> float:
    """A closed question is settled by what it asks for: "Paris." leaves nothing open."""
    query = analysis.interaction.user_query.strip()
    if analysis.picks_option:
        return _NO_MORE if _WANTS_REASON.search(query) else _SETTLED
    if analysis.dialogue is not None or len(query) > _LONGEST_CLOSED or "\n\n" in query or _WANTS_MORE.search(query):
        return _NO_MORE
    closed = analysis.question.asks in _CLOSED and (analysis.question.marked or analysis.direct)
    if not (closed or analysis.direct or _ASKS_FOR_ONE.match(query)):
        return _NO_MORE
    unknown = bool(analysis.context) and not features["recall"] and analysis.yes_or_no is None
    if (
        (unknown and not (closed and analysis.direct and analysis.is_fragment))
        or is_unfinished(analysis)
        or not has_what_was_asked(analysis)
    ):
        return _NO_MORE
    if judge_relevance(analysis).score < _TO_THE_POINT:
        return _NO_MORE
    return _SETTLED if closed or (analysis.direct and analysis.is_fragment) else _NAMED


def _reason(coverage: Coverage, faults: list[str]) -> str:
    count = len(coverage.parts)
    if coverage.missing:
        named = "; ".join(repr(part.text[:60]) for part in coverage.missing)
        return f"of the {count} things asked for, not answered: {named}"
    if not coverage.on_topic:
        return "nothing links the answer to what the query asks"
    answered = f"all {count} things asked for are answered" if coverage.parts else "what was asked for is answered"
    return f"{answered}, but {'; '.join(faults)}" if faults else answered


def _faults(
    features: Mapping[str, float], coverage: Coverage, *, grounded: bool, settled: bool, unfinished: bool
) -> list[str]:
    found = {
        "the text breaks off": unfinished,
        "much of it repeats itself": features["repeated"] > _MUCH_REPEATED,
        "much of it only repeats the query": features["copied"] > _MUCH_COPIED,
        "not in detail": coverage.detail < 1,
        "not as many as asked for": coverage.items is not None and coverage.items < 1,
        f"with {features['recall']:.0%} of what the context says on it": (
            grounded and not settled and features["recall"] < _LITTLE
        ),
        "with little to say": not grounded and not settled and features["substance"] < _LITTLE,
    }
    return [fault for fault, applies in found.items() if applies]
