"""Words that make no text: typed by a cat, or heaped up."""

from collections.abc import Sequence

from eval_worker.evaluation.text.short_answers import is_gibberish

_FEWEST, _SCANNED = 12, 400  # a long text repeats its words, whatever it says
_TIMES_EACH = 6
_FEW_DISTINCT = 3  # the same word for ever


def share_of_gibberish(words: Sequence[str]) -> float:
    """Return the share of the words that look like no word, 0 to 1."""
    gibberish = set(filter(is_gibberish, set(words)))
    return sum(word in gibberish for word in words) / len(words) if gibberish else 0.0


def is_word_salad(words: Sequence[str]) -> bool:
    """Whether many words are few different ones."""
    words = words[:_SCANNED]
    distinct = len(set(words))
    return len(words) >= _FEWEST and (distinct * _TIMES_EACH < len(words) or distinct <= _FEW_DISTINCT)
