"""Relevance: does the answer address the query?"""

from eval_worker.evaluation.judges.model import Judgement
from eval_worker.evaluation.text.asks import Asks
from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.calibrated import calibrated
from eval_worker.models.offline.dialogue import Dialogue, topical
from eval_worker.models.offline.relevance_features import features_of
from eval_worker.models.offline.relevance_rules import decided
from eval_worker.models.offline.spans import named
from eval_worker.models.offline.vocabulary import POINTS_BACK

_ENOUGH = 0.65  # nobody repeats every word of a question
_RESTATED_IN_CONTEXT = 0.9  # the answer restates the context's sentence on the topic in other words
_LOWEST, _HIGHEST = 0.08, 0.97
_DRIFT_COST = 0.45
_KIND_MISSED = 0.7
_MOST_MISSING = 3
_FEW, _MOST = 0.34, 0.67
_MOSTLY_IN_TEXT, _OFF_TEXT = 0.5, 0.1
_SPEAKS_OF_SOMETHING, _OFF_TOPIC = 3, 0.4
_STEP = 0.05  # the features tell apart no more than raters do, who have a dozen levels at most


def judge_relevance(analysis: Analysis) -> Judgement:
    rule = decided(analysis)
    if rule is not None:
        return rule
    features = features_of(analysis)
    if features is None:
        return _of_topic(analysis)
    score = calibrated("relevance").score(features)
    if analysis.dialogue is None:
        return _of_summary(analysis, score, features["key_words"])
    return _of_reply(analysis, analysis.dialogue, score, features["specific"])


def _of_summary(analysis: Analysis, score: float, key_words: float) -> Judgement:
    said = topical(analysis.answer)
    in_the_text = sum(stem in analysis.salience.stems for stem in said) / len(said) if said else 0.0
    score = _in_steps(max(_OFF_TEXT, score * min(1.0, in_the_text / _MOSTLY_IN_TEXT)))
    if in_the_text < _MOSTLY_IN_TEXT:
        return Judgement(score, "most of the answer is not about the text")
    if key_words > _MOST:
        return Judgement(score, "the answer says what the text is chiefly about")
    missing = analysis.salience.missing(said, _MOST_MISSING)
    surface = {stem: word for one in reversed(analysis.context) for stem, word in one.surface.items()}
    words = named([surface[stem] for stem in missing])
    return Judgement(score, f"of what the text is chiefly about the answer lacks {words}")


def _of_reply(analysis: Analysis, dialogue: Dialogue, score: float, specific: float) -> Judgement:
    said = {stem: word for one in analysis.answer for stem, word in one.surface.items()}
    taken_up = [word for stem, word in said.items() if stem in dialogue.all]
    if not taken_up and len(topical(analysis.answer)) >= _SPEAKS_OF_SOMETHING:
        return Judgement(_in_steps(score * _OFF_TOPIC), "the reply speaks of something else than the conversation")
    if not taken_up:
        return Judgement(_in_steps(score), "the reply would fit any conversation")
    little = ", and says little of it" if specific < _FEW else ""
    return Judgement(_in_steps(score), f"the reply takes up {named(taken_up)} of the conversation{little}")


def _in_steps(score: float) -> float:
    return _STEP * round(score / _STEP)


def _of_topic(analysis: Analysis) -> Judgement:
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


def _coverage(analysis: Analysis) -> tuple[float, list[str]]:
    """The share of the query's topic that the answer touches, and the words that it does not."""
    topic = analysis.topic
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
