"""Relevance: does the answer address the query?"""

from eval_worker.evaluation.judges.model import Judgement
from eval_worker.evaluation.text.asks import Asks
from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.plausible import is_plausible
from eval_worker.models.offline.spans import named
from eval_worker.models.offline.vocabulary import POINTS_BACK

_NOTHING, _WRONG, _REFUSED, _REFUSED_RIGHTLY = 0.0, 0.15, 0.25, 0.5
_OTHER_LANGUAGE = 0.65
_DIRECT, _DIRECT_AND_BORNE_OUT = 0.9, 0.97
_UNTOLD = 0.45
_RESTATED_IN_CONTEXT = 0.9  # the answer restates the context's sentence on the topic in other words
_ENOUGH = 0.65  # nobody repeats every word of a question
_LOWEST, _HIGHEST = 0.08, 0.97
_DRIFT_COST = 0.45
_KIND_MISSED = 0.7


def judge_relevance(analysis: Analysis) -> Judgement:
    early = _without_words(analysis)
    if early is not None:
        return early
    coverage, missing = _coverage(analysis)
    score = _LOWEST + (_HIGHEST - _LOWEST) * min(1.0, coverage / _ENOUGH)
    reason = "the answer speaks of what the query asks"
    if missing:
        reason = (
            f"the answer says nothing of {named(missing)}"
            if coverage < _ENOUGH
            else f"{reason}, but not {named(missing)}"
        )
    strays = stray_sentences(analysis)
    if strays:
        score *= 1 - _DRIFT_COST * len(strays) / (len(strays) + analysis.sentences_to_the_point)
        reason += f"; off topic: {strays[0]!r}"
    if not has_what_was_asked(analysis):
        score *= _KIND_MISSED
        reason += f"; the query asks for {analysis.question.asks}, and the answer has none"
    return Judgement(score, reason)


def _without_words(analysis: Analysis) -> Judgement | None:  # noqa: PLR0911  # one line a case
    """The cases in which counting words would tell nothing."""
    if analysis.nothing_said:
        return Judgement(_NOTHING, f"{analysis.nothing_said}: the query is not addressed")
    if analysis.all_contradicted:
        return Judgement(_WRONG, f"the query is not answered: {analysis.contradictions[0].conflict}")
    if analysis.refusal:
        return _of_refusal(analysis)
    if analysis.language_asked_for:
        reason = (
            f"the answer is in {analysis.language_asked_for} as asked, so its words can't be held against the query's"
        )
        return Judgement(_OTHER_LANGUAGE, reason)
    if analysis.direct and (analysis.is_fragment or analysis.is_list or analysis.says_only_yes_or_no):
        return _of_direct(analysis)
    if not analysis.topic and not analysis.support:
        return Judgement(_UNTOLD, "the query names no topic and there is no context, so nothing tells whether it fits")
    return None


def _of_direct(analysis: Analysis) -> Judgement:
    if analysis.support and all(one.score > _ENOUGH for one in analysis.support):
        return Judgement(_DIRECT_AND_BORNE_OUT, "a direct answer to what the query asks")
    by_shape_alone = not analysis.context and analysis.answer_stems.isdisjoint(analysis.topic)
    if by_shape_alone and not is_plausible(analysis.answer_text, analysis.answer, analysis.question):
        return Judgement(_UNTOLD, "it is as short as a direct answer, but does not look like one")
    return Judgement(_DIRECT, "a direct answer to what the query asks")


def _of_refusal(analysis: Analysis) -> Judgement:
    topic = analysis.topic
    known = sum(stem in analysis.ground for stem in topic) / len(topic) if topic and analysis.context else 0.0
    if known > _ENOUGH:
        return Judgement(_REFUSED, "the answer says that it has none, though the context speaks of the topic")
    return Judgement(_REFUSED_RIGHTLY, "the answer says that it has none to give")


def _coverage(analysis: Analysis) -> tuple[float, list[str]]:
    """The share of the query's topic that the answer touches, and the words that it does not."""
    topic = analysis.topic
    if not topic:
        return _of_the_whole_context(analysis), []
    restated = analysis.borne_out_stems
    found, missing = 0.0, list[str]()
    for stem in topic:
        if stem in analysis.answer_stems:
            found += 1
        elif stem in restated:
            found += _RESTATED_IN_CONTEXT
        else:
            missing.append(analysis.query.surface.get(stem, stem))
    return found / len(topic), missing


def _of_the_whole_context(analysis: Analysis) -> float:
    """A query like "Summarize the article." has no topic but the context's."""
    return _ENOUGH * sum(one.score for one in analysis.support) / len(analysis.support)


def stray_sentences(analysis: Analysis) -> list[str]:
    """Sentences that share no word with the query, the context or the rest of the answer."""
    if len(analysis.claims) < 2:  # noqa: PLR2004  # one sentence alone is judged by its coverage
        return []
    counts: dict[str, int] = {}
    for claim in analysis.claims:
        for stem in claim.stems:
            counts[stem] = counts.get(stem, 0) + 1
    return [
        claim.text
        for position, claim in enumerate(analysis.claims)
        if claim.stems
        and not (position and POINTS_BACK.match(claim.text))
        and not any(s in analysis.query.surface or s in analysis.ground or counts[s] > 1 for s in claim.stems)
    ]


_QUANTITIES = frozenset(
    ["one", "none", "no", "many", "several", "few", "free", "hundred", "thousand", "million", "half"]
)
_TIMES = frozenset(
    [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "today",
        "tomorrow",
        "yesterday",
        "now",
        "never",
        "always",
        "soon",
        "when",
        "after",
        "before",
        "during",
        "until",
    ]  # a list to read
)


def has_what_was_asked(analysis: Analysis) -> bool:
    """Whether something of the kind that the question asks for stands in the answer."""
    asks = analysis.question.asks
    words = [word for one in analysis.answer for word in one.words]
    # Number words and months are known in few languages: most others get the benefit of the doubt.
    if asks not in {Asks.NUMBER, Asks.DATE} or 2 * sum(map(str.isascii, words)) < len(words):
        return True
    if any(one.numbers for one in analysis.answer) or any(map(str.isdigit, analysis.answer_text)):
        return True
    return not (_TIMES if asks is Asks.DATE else _QUANTITIES).isdisjoint(words)
