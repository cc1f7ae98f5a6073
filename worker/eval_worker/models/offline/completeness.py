"""Completeness: is every part of the query answered?"""

import re

from eval_worker.evaluation.judges.model import Judgement
from eval_worker.evaluation.text.asks import Asks
from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.relevance import judge_relevance
from eval_worker.models.offline.requests import Request, find_requests
from eval_worker.models.offline.vocabulary import EXAMPLE_MARKERS

_NOTHING, _WRONG, _REFUSED, _WHOLE = 0.0, 0.12, 0.2, 0.97
_FOUND = 0.5
_STEEPNESS = 1.5  # a missing part costs more than its share
_IN_DETAIL = re.compile(
    r"\b(?:in detail|detailed|thorough(?:ly)?|comprehensive|in depth|step by step)\b", re.IGNORECASE
)
_WORDS_OF_DETAIL, _WORDS_OF_EXPLANATION = 40, 6
_LEAST_OF_DETAIL, _OF_SHORT_EXPLANATION = 0.4, 0.6
_OF_RECALL = 0.2


def judge_completeness(analysis: Analysis) -> Judgement:
    if analysis.nothing_said:
        return Judgement(_NOTHING, f"{analysis.nothing_said}: no part of the query is answered")
    if analysis.all_contradicted:
        return Judgement(_WRONG, f"the query is not answered: {analysis.contradictions[0].conflict}")
    if analysis.refusal:
        return Judgement(_REFUSED, "the answer says that it has none, so no part of the query is answered")
    requests = find_requests(analysis.interaction.user_query)
    if len(requests) > 1:
        return _of_parts(analysis, requests)
    return _of_the_whole(analysis)


def _of_parts(analysis: Analysis, requests: list[Request]) -> Judgement:
    topics = [request for request in requests if not request.wants_examples]
    found = {request: _answered(analysis, request, topics) for request in topics}
    share_of_topics = sum(found.values()) / len(topics) if topics else 1.0
    examples = 1.0 if EXAMPLE_MARKERS.search(analysis.answer_text) else 0.0
    shares = [found.get(request, examples * share_of_topics) for request in requests]
    missing = [request.text[:60] for request, share in zip(requests, shares, strict=True) if share < _FOUND]
    partly = [r.text[:60] for r, share in zip(requests, shares, strict=True) if _FOUND <= share < 1]
    score = _WHOLE * (sum(shares) / len(shares)) ** _STEEPNESS
    score *= _depth(analysis)
    if missing:
        return Judgement(
            score, f"of the {len(requests)} things asked for, not answered: {'; '.join(map(repr, missing))}"
        )
    if partly:
        return Judgement(score, f"of the {len(requests)} things asked for, only partly answered: {partly[0]!r}")
    return Judgement(score, f"all {len(requests)} things asked for are answered")


def _answered(analysis: Analysis, request: Request, topics: list[Request]) -> float:
    """By the words that set this part apart from the others, or by an answer of the kind that it asks for."""
    others = {stem for other in topics if other is not request for stem in other.stems}
    own = [stem for stem in request.stems if stem not in others] or list(request.stems)
    stated = analysis.borne_out_stems if analysis.support else analysis.answer_stems
    share = sum(stem in analysis.answer_stems for stem in own) / len(own)
    if share < _FOUND and _has_kind(analysis, request.asks):
        share = max(share, sum(stem in stated for stem in own) / len(own))
    return 1.0 if share > _FOUND else share


def _has_kind(analysis: Analysis, asks: Asks) -> bool:
    if asks in {Asks.NUMBER, Asks.DATE}:
        return any(map(str.isdigit, analysis.answer_text))
    if asks in {Asks.PERSON, Asks.PLACE}:
        return any(one.names - set(analysis.query.surface) for one in analysis.answer)
    return True


def _of_the_whole(analysis: Analysis) -> Judgement:
    addressed = judge_relevance(analysis).score
    score = min(_WHOLE, addressed * 1.05) * _depth(analysis)
    if analysis.question.asks is Asks.OPEN and analysis.context:
        score *= 1 - _OF_RECALL + _OF_RECALL * _recall(analysis)
    if score >= 0.8:  # noqa: PLR2004  # the same bound as a pass
        return Judgement(score, "the one thing asked for is answered")
    if addressed >= score / 0.9:
        return Judgement(score, "the answer is short for what the query asks")
    return Judgement(score, "the one thing asked for is answered in part at best")


def _depth(analysis: Analysis) -> float:
    """What is asked for in detail, or to be explained at all, takes some words."""
    words = sum(len(one.words) for one in analysis.answer)
    if _IN_DETAIL.search(analysis.interaction.user_query[:_SCANNED]):
        return max(_LEAST_OF_DETAIL, min(1.0, words / _WORDS_OF_DETAIL))
    if analysis.question.asks is Asks.OPEN and words < _WORDS_OF_EXPLANATION and not analysis.direct:
        return _OF_SHORT_EXPLANATION
    return 1.0


_SCANNED = 2000


def _recall(analysis: Analysis) -> float:
    """How much of what the context says on the topic the answer says too."""
    topic = set(analysis.topic)
    on_topic = [one for one in analysis.context if topic.intersection(one.stems)][:60]
    stems = {stem for one in on_topic for stem in one.stems} - set(analysis.query.surface)
    return len(stems & analysis.answer_stems) / len(stems) if stems else 1.0
