"""What an answer says besides what its context has: an invention that goes along with what is so."""

import re
from collections.abc import Container

from eval_worker.evaluation.text.words import Words
from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.context.attribution import Attribution
from eval_worker.models.offline.reading.statement import Statement

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
_FEW = 2  # one in so many sentences


def adds_to_context(analysis: Analysis) -> bool:
    """Whether much of it says something besides what the context has: "…, and also offers …", "…, who later was …"."""
    adding = [_adds(one, found) for one, found in analysis.attributed]
    return sum(adding) * _FEW >= len(adding) and any(adding)


def _adds(sentence: Statement, found: Attribution) -> bool:
    """Whether one part stands in the context and another does not: of what is in other words each part has a few.

    What follows an "also" need not stand beside anything.
    """
    besides = _ALSO.search(sentence.text) if found.missing else None
    parts = _JOINS.split(sentence.text) if found.missing and found.found >= _SOME else []
    if not besides and len(parts) < 2:  # noqa: PLR2004  # nothing stands beside anything
        return False
    missing = frozenset(word for text in found.missing for word in Words(text).sequence)
    if besides and _lacks(_letters(sentence.text[besides.end() :], missing), _HALF):
        return True
    letters = [_letters(part, missing) for part in parts]
    lacking, told = (sum(each) for each in zip((0, 0), *letters, strict=True))
    return any(
        size >= _FEWEST_LETTERS and _lacks((lacks, size), _MOST) and _IN_CONTEXT * (told - size) > lacking - lacks
        for lacks, size in letters
    )


def _lacks(letters: tuple[int, int], share: float) -> bool:
    lacking, told = letters
    return lacking > share * told


def _letters(part: str, missing: Container[str]) -> tuple[int, int]:
    """Of its telling words: those of the words that are missing, and all."""
    told = Words(part).content()
    return sum(len(word) for word in told if word in missing), sum(map(len, told))
