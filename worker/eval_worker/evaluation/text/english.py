"""Whether words are English for sure, and not another language spelled in Latin letters."""

from collections.abc import Sequence

from eval_worker.evaluation.text.word_set import word_set

# Without those that another language may be spelled with: "the", "is", "to" and "me" in Hindi, "you" in Chinese.
_WORDS = word_set("""
    was were been of what which how who why when where does did could would should will and but not for from with about
    on at by an it its this that these those they them their there his her we our your i'm i've my have has had like
    really very some any if don't didn't it's that's than then more name give write explain list a
    """)
_FEWEST, _SHARE = 2, 0.15


def is_english(sequence: Sequence[str]) -> bool:
    found = sum(1 for word in sequence if word in _WORDS)
    return found >= _FEWEST and found >= _SHARE * len(sequence)
