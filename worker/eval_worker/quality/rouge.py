"""ROUGE: how many words or word pairs, or how long a sequence of words, two texts share, as F1.

Lin, C.-Y. (2004), ROUGE: A package for automatic evaluation of summaries. Words are lower-cased and not stemmed; in
scripts without spaces each character counts as a word.
"""

from collections import Counter
from collections.abc import Hashable, Sequence

from eval_worker.evaluation.text.words import Words, is_unspaced

MOST_WORDS = 20_000
"""Of each text; what comes after is not compared, since the longest common sequence takes their product."""


def rouge_words(text: str) -> list[str]:
    found = [piece for word in Words(text).sequence for piece in (word if is_unspaced(word) else (word,))]
    return found[:MOST_WORDS]


def rouge_n(answer: Sequence[str], reference: Sequence[str], n: int) -> float:
    """Return the F1 of shared n-grams, each as often as it stands in both; 0 where there is none."""
    ours, theirs = _ngrams(answer, n), _ngrams(reference, n)
    return _f1((ours & theirs).total(), ours.total(), theirs.total())


def rouge_l(answer: Sequence[str], reference: Sequence[str]) -> float:
    """Return the F1 of the longest common subsequence of words."""
    return _f1(longest_common_subsequence(answer, reference), len(answer), len(reference))


def longest_common_subsequence(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """Return its length, a bit for each word of the second text in one big integer.

    Hyyrö, H. (2004), Bit-parallel LCS-length computation revisited, AWOCA.
    """
    places: dict[Hashable, int] = {}
    for place, word in enumerate(second):
        places[word] = places.get(word, 0) | 1 << place
    every = (1 << len(second)) - 1
    unmatched = every
    for word in first:
        matching = unmatched & places.get(word, 0)
        if matching:
            unmatched = (unmatched + matching | unmatched - matching) & every
    return len(second) - unmatched.bit_count()


def _ngrams(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(words[start:] for start in range(n)), strict=False))


def _f1(shared: int, ours: int, theirs: int) -> float:
    return 2 * shared / (ours + theirs) if shared else 0.0
