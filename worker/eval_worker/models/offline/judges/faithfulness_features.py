"""What tells whether an answer is faithful to its context, each 0..1; people's judgements give the weights."""

import math
from collections.abc import Mapping

from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.context.attribution import Attribution
from eval_worker.models.offline.reading.statement import Statement

SIGNS = {
    "near": 1,
    "whole": 1,
    "in_two": 1,
    "found": 1,
    "in_order": 1,
    "copied": 1,
    "strange_names": -1,
    "strange_numbers": -1,
    "asked": -1,
}
_BORNE_OUT, _ALMOST_WHOLE = 0.5, 0.8
_USED, _FEWEST_USED = 0.2, 4  # the latter in words that stand near in the same order
_FEWEST_WORDS = 4  # of a sentence that tells how bad the others may be; a scrap counts for itself alone
_FAULT = 0.3  # what one weighs beside the shares, to tell which sentence is the worst
_WEIGHTS_OF_RANK = [(name, 1.0 if sign > 0 else -_FAULT) for name, sign in SIGNS.items()]
_MOST_OF_REFUSAL = 4  # topic words


def features_of(analysis: Analysis) -> dict[str, float] | None:
    """Means over the answer's sentences, long ones weighing more; None where nothing can be looked up in the context.

    A sentence that the context does not bear out counts a quarter like the worst of them, so that the mean is hardly
    raised by some that happen to share a few words with the context. A turn of a conversation is more than knowledge:
    there the sentence counts that uses it most.
    """
    decided = analysis.nothing_said or claims_nothing(analysis) or analysis.says_only_yes_or_no
    if decided or not analysis.interaction.has_context:
        return None
    sentences = [(found.size, _of_sentence(one, found)) for one, found in analysis.attributed]
    if analysis.dialogue:
        telling = [one for size, one in sentences if one["near"] >= _USED and size * one["in_order"] >= _FEWEST_USED]
        if telling:
            return max(telling, key=_rank)
    if any(features["near"] < _BORNE_OUT for _, features in sentences):
        whole = [features for size, features in sentences if size >= _FEWEST_WORDS]
        worst = min(whole or [features for _, features in sentences], key=_rank)
        sentences = [(size, one if one["near"] >= _BORNE_OUT else _towards(worst, one)) for size, one in sentences]
    words = sum(size for size, _ in sentences)
    return {name: math.fsum([size * one[name] for size, one in sentences]) / words for name in SIGNS}


def _towards(worst: Mapping[str, float], one: Mapping[str, float]) -> dict[str, float]:
    """A quarter of the way: in words of their own people say most of what is so with few of the context's."""
    return {name: worst[name] / 4 + one[name] * 3 / 4 for name in SIGNS}


def claims_nothing(analysis: Analysis) -> bool:
    """Whether the answer says that it has none, and no more than that."""
    told = sum(len(one.stems) for one in analysis.answer)
    return not analysis.attributed or (analysis.refusal and told <= _MOST_OF_REFUSAL)


def _of_sentence(sentence: Statement, found: Attribution) -> dict[str, float]:
    whole = max(0.0, (found.near - _ALMOST_WHOLE) / (1 - _ALMOST_WHOLE))
    return {
        "near": found.near,
        "whole": whole,
        "in_two": found.in_two,
        "found": found.found,
        "in_order": found.in_order,
        "copied": found.copied,
        "strange_names": found.strange_names,
        "strange_numbers": found.strange_numbers,
        "asked": float(sentence.is_question),
    }


def _rank(features: Mapping[str, float]) -> float:
    return math.fsum([weight * features[name] for name, weight in _WEIGHTS_OF_RANK])
