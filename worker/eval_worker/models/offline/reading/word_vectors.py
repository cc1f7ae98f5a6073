"""What words are about, by the company that they keep in English text: "yeast" is kin to "dough", "parking" is not.

The vectors are made from GloVe's, which are in the public domain (`benchmarks/word_vectors`). A row has a signed byte a
dimension and is the longer, the rarer the word, so that a sum of rows is what a text is about.
"""

import math
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

DIMENSIONS = 48
STEMS, VECTORS = (Path(__file__).with_name(f"word_vectors.{kind}") for kind in ("txt", "bin"))


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


@lru_cache(maxsize=64)  # several judges ask it of one answer, and of its cores
def _sum_of(stems: frozenset[str]) -> Subject:
    places, vectors = _table()
    found = [places[stem] * DIMENSIONS for stem in stems if stem in places]
    rows = [vectors[place : place + DIMENSIONS] for place in found]
    return Subject(tuple(map(sum, zip(*rows, strict=True))) or (0,) * DIMENSIONS, len(rows))


@cache
def _table() -> tuple[dict[str, int], "array[int]"]:
    """The row of each stem, and all rows: some 4 MB, read when first asked for."""
    places = {stem: place for place, stem in enumerate(STEMS.read_text(encoding="ascii").split())}
    return places, array("b", VECTORS.read_bytes())
