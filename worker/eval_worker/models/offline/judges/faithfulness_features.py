"""What tells whether an answer is faithful to its context, each 0..1; people's judgements give the weights."""

import math
import re
from collections.abc import Container, Mapping, Sequence

from eval_worker.evaluation.text.words import Words
from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.context.attribution import Attribution
from eval_worker.models.offline.reading.harm import asks_for_harm
from eval_worker.models.offline.reading.own_words import says_that_it_lacks
from eval_worker.models.offline.reading.statement import Statement
from eval_worker.models.offline.reading.unknowable import wants_what_cannot_be_known

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
_ALSO = re.compile(
    r"\b(?:also|additionally|in addition|as well as|plus|furthermore|moreover|außerdem|zudem|zusätzlich|también|además|"
    r"aussi|également|de plus|anche|inoltre|também|além disso)\b|さらに|また|还|也|此外",
    re.IGNORECASE,
)
_JOINS = re.compile(
    r"[;；]\s*|[,、，]?\s+(?:and|along with|who|which|und|sowie|et|ainsi que|y|e|и|और)\s+|し、", re.IGNORECASE
)
_SOME = 0.3  # of a sentence's words
_FEWEST_LETTERS, _HALF, _MOST, _IN_CONTEXT = 6, 0.5, 0.7, 0.4  # of a part's telling words
_FEW_ADD = 2  # one in so many sentences
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


def declines_rightly(analysis: Analysis) -> bool:
    """Whether the answer says that it has none, and the context indeed lacks something that the query is about.

    What nobody should help with is declined rightly, whatever the context has; without one what no text can tell is.
    """
    if not analysis.refusal or analysis.dialogue is not None:
        return False
    if declines_harm(analysis):
        return True
    if not analysis.context:
        return wants_what_cannot_be_known(analysis.interaction.user_query)
    return says_that_it_lacks(analysis.answer_text) and any(stem not in analysis.ground for stem in analysis.topic)


def declines_harm(analysis: Analysis) -> bool:
    """Whether the answer declines what nobody should help with."""
    return analysis.refusal and asks_for_harm(analysis.interaction.user_query)


def adds_to_context(analysis: Analysis) -> bool:
    """Whether much of it says something besides what the context has: "…, and also offers …", "…, who later was …"."""
    adding = [_adds(one, found) for one, found in analysis.attributed]
    return sum(adding) * _FEW_ADD >= len(adding) and any(adding)


def _adds(sentence: Statement, found: Attribution) -> bool:
    """Whether one part stands in the context and another does not: of what is in other words each part has a few.

    What follows an "also" need not stand beside anything.
    """
    if not found.missing:
        return False
    besides, parts = _ALSO.search(sentence.text), _JOINS.split(sentence.text) if found.found >= _SOME else []
    if not besides and len(parts) < 2:  # noqa: PLR2004  # nothing stands beside anything
        return False
    missing = frozenset(word for text in found.missing for word in Words(text).sequence)
    if besides and _lacks(*_letters(sentence.text[besides.end() :], missing), _HALF):
        return True
    return _is_told_beside([_letters(part, missing) for part in parts])


def _is_told_beside(parts: Sequence[tuple[int, int]]) -> bool:
    if not parts:
        return False
    lacking, told = (sum(each) for each in zip(*parts, strict=True))
    return any(
        size >= _FEWEST_LETTERS and _lacks(lacks, size, _MOST) and _IN_CONTEXT * (told - size) > lacking - lacks
        for lacks, size in parts
    )


def _lacks(lacking: int, told: int, share: float) -> bool:
    return lacking > share * told


def _letters(part: str, missing: Container[str]) -> tuple[int, int]:
    """Of its telling words: those of the words that are missing, and all."""
    told = Words(part).content()
    return sum(len(word) for word in told if word in missing), sum(map(len, told))


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
