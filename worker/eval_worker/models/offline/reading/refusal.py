"""Whether an answer declines: who explains at length, and does not know one thing, declines nothing."""

from collections.abc import Sequence

from eval_worker.evaluation.text.short_answers import is_refusal
from eval_worker.evaluation.text.words import fold
from eval_worker.models.offline.reading.statement import Statement

_SCANNED = 600
_FEW_WORDS = 50
_FIRST_SENTENCES, _MOST_BESIDES = 3, 4  # who declines says so at once, and explains it at most


def declines(text: str, sentences: Sequence[Statement]) -> bool:
    """Whether the text, whose sentences these are, says that it has no answer, and tells little besides."""
    if not is_refusal(fold(text[:_SCANNED])):
        return False
    told = sum(len(one.words) for one in sentences)
    if told <= _FEW_WORDS:
        return True
    refusing = [one for one in sentences[:_FIRST_SENTENCES] if is_refusal(fold(one.text))]
    return sum(len(one.words) for one in refusing) * _MOST_BESIDES >= told
