"""Coherence: does the answer agree with itself, keep to its topic, and read as text?"""

import math
import re
from collections.abc import Mapping

from eval_worker.evaluation.judges.model import Judgement
from eval_worker.evaluation.text.short_answers import is_gibberish, is_mashed
from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.calibrated import calibrated
from eval_worker.models.offline.judges.coherence_features import features_of, is_read_as_text
from eval_worker.models.offline.judges.repetition import share_repeated
from eval_worker.models.offline.judges.self_contradiction import contradiction_in
from eval_worker.models.offline.judges.topic_breaks import cost_of_break, topic_breaks
from eval_worker.models.offline.reading.vocabulary import LEADS_ON

_NOTHING, _FINE = 0.0, 0.97
_CONTRADICTION, _BREAK = 0.3, 0.4
_MOST_SOFT_BREAKS = 4
_REPEATED_COST, _BROKEN_COST = 0.8, 0.7
_ADDRESS = re.compile(r"\b(?:https?://|www\.)\S+", re.IGNORECASE)
_PLAIN_WORD = re.compile(r"\b[a-z]{4,}\b")
_LONG_ENOUGH_TO_END = 5  # words
_LEVELS = 20  # people tell apart no more
_LEVELS_OF_ANSWER = 10  # to a question: one is lost by faults that are worth nearly all of it
_GRAVE = 0.6  # of the score: lighter faults than that are felt less in an answer, the lighter the less
_NEARLY = 0.1
_WORTH_A_WORD = 0.3  # of the log odds
_MOST_NAMED = 2
_FAULTS = {
    "says_again": "a sentence says again what an earlier one said",
    "alike_openings": "sentences open alike",
    "scraps": "a sentence is no more than a scrap",
    "stutter": "words come back at once",
    "repeated_phrases": "phrases are repeated",
    "vague": "few words tie it to what was asked",
    "leaps": "it leaps about in its source",
    "without_opening": "it leaves out what its source opens with",
}


def judge_coherence(analysis: Analysis) -> Judgement:
    """Judge by rules where one is certain, else by what people held against texts.

    The fitted score counts in relation to that of a text without any fault, which is as coherent as can be.
    """
    if analysis.nothing_said:
        return Judgement(_NOTHING, analysis.nothing_said)
    contradiction = contradiction_in(analysis.all_claims)
    if contradiction:
        one, other = contradiction
        return Judgement(_CONTRADICTION, f"{one.text[:80]!r} and {other.text[:80]!r} contradict each other")
    flows = is_read_as_text(analysis)
    score, faults = _of_features(features_of(analysis) or {}, forgiving=not flows)
    hard, soft = topic_breaks(analysis)
    if hard:
        score = min(score, _BREAK / len(hard) ** 0.5)
        faults.insert(0, f"{hard[0][:80]!r} has nothing to do with the rest")
    elif soft:
        score *= math.prod(cost_of_break(one, known=bool(analysis.context)) for one in soft[:_MOST_SOFT_BREAKS])
        faults.insert(0, f"{soft[0][:80]!r} has no visible link to the rest")
    repeated = share_repeated(analysis.said, flows=flows)
    if repeated:
        score *= 1 - _REPEATED_COST * repeated
        faults.append(f"{repeated:.0%} of the sentences repeat others")
    broken = _share_broken(analysis)
    if broken:
        score *= 1 - _BROKEN_COST * broken
        faults.append("part of the text is broken off or garbled")
    return Judgement(score, "; ".join(faults) or "the answer keeps to its topic and does not contradict itself")


def _of_features(features: Mapping[str, float], *, forgiving: bool) -> tuple[float, list[str]]:
    """The score, and the faults that weigh most in it."""
    if not features:
        return _FINE, []
    model = calibrated("coherence")
    costs = {name: -weight * features[name] for name, weight in model.weights.items()}
    felt = sorted((name for name in costs if costs[name] > _WORTH_A_WORD), key=lambda name: (-costs[name], name))
    share = model.score(features) / model.score(dict.fromkeys(features, 0.0))
    return _FINE * (_forgiven(share) if forgiving else round(_LEVELS * share) / _LEVELS), [
        _FAULTS[name] for name in felt[:_MOST_NAMED]
    ]


def _forgiven(share: float) -> float:
    """Who asked a question wants an answer, and overlooks what jars in a summary or in talk."""
    lost = 1 - share
    felt = lost * min(1.0, lost / _GRAVE)
    return math.ceil(_LEVELS_OF_ANSWER * (1 - felt) - _NEARLY) / _LEVELS_OF_ANSWER


def _share_broken(analysis: Analysis) -> float:
    last = analysis.answer[-1].words[-_LONG_ENOUGH_TO_END:] if analysis.answer else ()
    cut_off = len(last) == _LONG_ENOUGH_TO_END and last[-1] in LEADS_ON
    return min(
        1.0,
        3 * _share_of_gibberish(analysis)
        + (0.15 if cut_off else 0.0)
        + (0.5 if "\ufffd" in analysis.answer_text else 0.0),
    )


def _share_of_gibberish(analysis: Analysis) -> float:
    """Of the words. What has a capital is an abbreviation, unless it runs along the keyboard; so is what was given."""
    if not analysis.share_of_gibberish:
        return 0.0
    plain = frozenset(_PLAIN_WORD.findall(_ADDRESS.sub(" ", analysis.answer_text)))
    given = analysis.query.words
    gibberish = filter(is_gibberish, analysis.answer_words)
    found = sum(is_mashed(word) or (word in plain and word not in given) for word in gibberish)
    return found / len(analysis.answer_words)
