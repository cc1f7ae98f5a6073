"""Completeness: is every part of the query answered, with as much as there is to say?"""

import re
from collections.abc import Mapping

from eval_worker.evaluation.instructions.examples import EXAMPLE_MARKERS
from eval_worker.evaluation.judges.model import Judgement
from eval_worker.evaluation.text.asks import Asks
from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.calibrated import calibrated
from eval_worker.models.offline.completeness_features import features_of
from eval_worker.models.offline.relevance import has_what_was_asked, judge_relevance
from eval_worker.models.offline.requests import Request, find_requests, is_task
from eval_worker.models.offline.synonyms import meaning

_NOTHING, _WRONG, _REFUSED, _WHOLE = 0.0, 0.12, 0.2, 0.98
_FOUND = 0.5
_STEEPNESS = 1.5  # a missing part costs more than its share
# What the thing asked for is worth by itself, however little is said about it.
_SETTLED, _NAMED, _ALL_PARTS, _NO_MORE = 0.9, 0.7, 0.8, 0.0
_LEAST_OF_PARTS = 0.05
_TO_THE_POINT = 0.5
_ASKS_FOR_ONE = re.compile(r"\W*(?:what|which|who)(?:'s| is| was)\b", re.IGNORECASE)
_OFF_TOPIC = 0.25
_IN_DETAIL = re.compile(
    r"\b(?:in detail|detailed|thorough(?:ly)?|comprehensive|in depth|step by step|ausführlich|en détail|en detalle|"
    r"in dettaglio|подробно)\b|详细|詳しく",
    re.IGNORECASE,
)
_SUBSTANCE_OF_DETAIL, _LEAST_OF_DETAIL = 0.75, 0.4
_SCANNED = 2000
_LONGEST_CLOSED = 300  # characters
_WANTS_MORE = re.compile(
    r"^\W*(?:please )?(?:explain|describe|discuss|list|write|make|create|design|generate|compare|"
    r"summari[sz]e|outline|come)\b|"
    r"\b(?:list of|examples?|tables?|what (?:\w+ )?are|which are|reasons|steps|ways|how to|how do(?:es)?|why)\b",
    re.IGNORECASE,
)
_CLOSED = frozenset({Asks.POLAR, Asks.CHOICE, Asks.NUMBER, Asks.DATE, Asks.PERSON, Asks.PLACE})


def judge_completeness(analysis: Analysis) -> Judgement:
    features = features_of(analysis)
    if features is None:
        return _without_features(analysis)
    requests = find_requests(analysis.interaction.user_query)
    shares = _shares_answered(analysis, requests) if len(requests) > 1 else []
    least = (_ALL_PARTS if min(shares) >= 1 else _NO_MORE) if shares else _settled(analysis)
    score = least + (_WHOLE - least) * calibrated("completeness").score(features)
    if shares:
        score *= max(_LEAST_OF_PARTS, (sum(shares) / len(shares)) ** _STEEPNESS)
    score *= _depth(analysis, features)
    if not _is_on_topic(analysis, features):
        score *= _OFF_TOPIC
    return Judgement(score, _reason(analysis, features, requests, shares))


def _without_features(analysis: Analysis) -> Judgement:
    if analysis.nothing_said:
        return Judgement(_NOTHING, f"{analysis.nothing_said}: no part of the query is answered")
    if analysis.all_contradicted:
        return Judgement(_WRONG, f"the query is not answered: {analysis.contradictions[0].conflict}")
    return Judgement(_REFUSED, "the answer says that it has none, so no part of the query is answered")


def _settled(analysis: Analysis) -> float:
    """A closed question is settled by what it asks for: "Paris." leaves nothing open."""
    query = analysis.interaction.user_query.strip()
    if len(query) > _LONGEST_CLOSED or "\n\n" in query or _WANTS_MORE.search(query):
        return _NO_MORE
    closed = analysis.question.asks in _CLOSED and (analysis.question.marked or analysis.direct)
    if not (closed or analysis.direct or _ASKS_FOR_ONE.match(query)):
        return _NO_MORE
    if has_what_was_asked(analysis) and judge_relevance(analysis).score >= _TO_THE_POINT:
        return _SETTLED if closed else _NAMED
    return _NO_MORE


def _shares_answered(analysis: Analysis, requests: list[Request]) -> list[float]:
    topics = [request for request in requests if not request.wants_examples]
    found = {request: _answered(analysis, request, topics) for request in topics}
    share_of_topics = sum(found.values()) / len(topics) if topics else 1.0
    examples = 1.0 if EXAMPLE_MARKERS.search(analysis.answer_text) else 0.0
    return [found.get(request, examples * share_of_topics) for request in requests]


def _answered(analysis: Analysis, request: Request, topics: list[Request]) -> float:
    """By the words that set this part apart from the others, or by an answer of the kind that it asks for."""
    others = {stem for other in topics if other is not request for stem in other.stems}
    own = [stem for stem in request.stems if stem not in others]
    if not own and not _has_kind(analysis, request.asks):
        return 0.0
    own = own or list(request.stems)
    stated = analysis.borne_out_stems if analysis.support else analysis.answer_stems
    share = sum(stem in analysis.answer_stems for stem in own) / len(own)
    if share < _FOUND and _has_kind(analysis, request.asks):
        share = max(share, sum(stem in stated for stem in own) / len(own))
    return 1.0 if share >= _FOUND else share


def _has_kind(analysis: Analysis, asks: Asks) -> bool:
    if asks in {Asks.NUMBER, Asks.DATE}:
        return any(one.numbers for one in analysis.answer) or any(map(str.isdigit, analysis.answer_text))
    if asks in {Asks.PERSON, Asks.PLACE}:
        return any(one.names - set(analysis.query.surface) for one in analysis.answer)
    return True


def _depth(analysis: Analysis, features: Mapping[str, float]) -> float:
    """What is asked for in detail takes some words."""
    if _IN_DETAIL.search(analysis.interaction.user_query[:_SCANNED]):
        return max(_LEAST_OF_DETAIL, min(1.0, features["substance"] / _SUBSTANCE_OF_DETAIL))
    return 1.0


def _is_on_topic(analysis: Analysis, features: Mapping[str, float]) -> bool:
    """Whether anything at all links the answer to the query."""
    if not analysis.topic or analysis.language_asked_for or (analysis.direct and _settled(analysis)):
        return True
    if is_task(analysis.interaction.user_query):
        return True
    if analysis.is_list and _WANTS_MORE.search(analysis.interaction.user_query):
        return True
    said = {meaning(stem) for stem in analysis.borne_out_stems}
    return features["recall"] > 0 or any(meaning(stem) in said for stem in analysis.topic)


def _reason(analysis: Analysis, features: Mapping[str, float], requests: list[Request], shares: list[float]) -> str:
    missing = [request.text[:60] for request, share in zip(requests, shares, strict=False) if share < _FOUND]
    if missing:
        return f"of the {len(requests)} things asked for, not answered: {'; '.join(map(repr, missing))}"
    if not _is_on_topic(analysis, features):
        return "nothing links the answer to what the query asks"
    faults = _faults(analysis, features)
    answered = f"all {len(requests)} things asked for are answered" if shares else "what was asked for is answered"
    return f"{answered}, but {'; '.join(faults)}" if faults else answered


_MUCH_COPIED, _MUCH_REPEATED, _LITTLE = 0.4, 0.2, 0.35


def _faults(analysis: Analysis, features: Mapping[str, float]) -> list[str]:
    faults: list[str] = []
    if features["unfinished"]:
        faults.append("the text breaks off")
    if features["repeated"] > _MUCH_REPEATED:
        faults.append("much of it repeats itself")
    if features["copied"] > _MUCH_COPIED:
        faults.append("much of it only repeats the query")
    if _depth(analysis, features) < 1:
        faults.append("not in detail")
    if _settled(analysis):
        return faults
    if analysis.context and features["recall"] < _LITTLE:
        faults.append(f"with {features['recall']:.0%} of what the context says on it")
    elif features["substance"] < _LITTLE:
        faults.append("with little to say")
    return faults
