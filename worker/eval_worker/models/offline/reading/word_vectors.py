"""What words are about, by the company that they keep in English text: "yeast" is kin to "dough", "parking" is not.

The vectors are made from GloVe's, which are in the public domain (`benchmarks/word_vectors`). A row has a signed byte a
dimension and is the longer, the rarer the word, so that a sum of rows is what a text is about.

Words of fifteen other languages have rows where the English ones of their meaning are: "levure" is kin to "dough". They
are looked up in a text most of whose words are not known as English ones.
"""

import math
import re
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

DIMENSIONS = 48
STEMS, VECTORS = (Path(__file__).with_name(f"word_vectors.{kind}") for kind in ("txt", "bin"))
STEMS_ELSEWHERE, VECTORS_ELSEWHERE = (
    Path(__file__).with_name(f"word_vectors_elsewhere.{kind}") for kind in ("txt", "bin")
)
_BEGINNING = 6  # letters that tell a word whose endings are not known
_KNOWN_IN_ENGLISH = 0.65  # of the words of an English text, and more
_HAN = re.compile(r"[\u4e00-\u9fff]{2}")


@dataclass(frozen=True, slots=True)
class Subject:
    """What some stems are about together; `known` is how many of them have a vector."""

    vector: tuple[int, ...]
    known: int

    def without(self, part: "Subject") -> "Subject":
        """Return what the rest is about; all of `part` is in it."""
        rest = tuple(a - b for a, b in zip(self.vector, part.vector, strict=True))
        return Subject(rest, self.known - part.known)

    def kinship(self, other: "Subject") -> float:
        """Return the cosine of the two, -1 to 1; 0 where nothing is known of one."""
        length = math.hypot(*self.vector) * math.hypot(*other.vector)
        return sum(a * b for a, b in zip(self.vector, other.vector, strict=True)) / length if length else 0.0


def subject_of(stems: Iterable[str]) -> Subject:
    """Sum up what the distinct stems are about."""
    return _sum_of(frozenset(stems))


def is_english(stems: Iterable[str]) -> bool:
    """Whether nearly all of the stems are known as those of English words."""
    distinct, (places, _) = frozenset(stems), _table()
    return sum(stem in places for stem in distinct) >= _KNOWN_IN_ENGLISH * len(distinct)


@lru_cache(maxsize=64)  # several judges ask it of one answer, and of its cores
def _sum_of(stems: frozenset[str]) -> Subject:
    places, vectors = _table()
    rows = [vectors[place : place + DIMENSIONS] for stem in stems if (place := places.get(stem, -1)) >= 0]
    if len(rows) < _KNOWN_IN_ENGLISH * len(stems):
        rows += _rows_elsewhere(stem for stem in stems if stem not in places)
    return Subject(tuple(map(sum, zip(*rows, strict=True))) or (0,) * DIMENSIONS, len(rows))


def _rows_elsewhere(stems: Iterable[str]) -> list["array[int]"]:
    """The rows of stems that are no English ones; of Chinese words that are not known those of their characters."""
    places, vectors = _table_elsewhere()
    keys = map(key_elsewhere, stems)
    known = (part for key in keys for part in (key if _HAN.fullmatch(key) and key not in places else (key,)))
    return [vectors[place : place + DIMENSIONS] for part in known if (place := places.get(part, -1)) >= 0]


def key_elsewhere(stem: str) -> str:
    """Return what a stem of another language is looked up by: stemming is for English, so its beginning."""
    return stem[:_BEGINNING] if stem.isascii() else stem


@cache
def _table() -> tuple[dict[str, int], "array[int]"]:
    """The row of each stem, and all rows: some 4 MB, read when first asked for."""
    return _read(STEMS, VECTORS)


@cache
def _table_elsewhere() -> tuple[dict[str, int], "array[int]"]:
    return _read(STEMS_ELSEWHERE, VECTORS_ELSEWHERE)


def _read(stems: Path, vectors: Path) -> tuple[dict[str, int], "array[int]"]:
    places = {stem: row * DIMENSIONS for row, stem in enumerate(stems.read_text(encoding="utf-8").split())}
    return places, array("b", vectors.read_bytes())
