"""A context, indexed so that the place where it speaks of a claim is found at once, and what the query gives."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from eval_worker.evaluation.text.asks import Asks
from eval_worker.models.offline.reading.statement import Statement, capitals_in

_BEGINNING = 8  # letters
_MOST_POSTINGS = 48  # a word that stands in more sentences tells none of them apart


@dataclass(frozen=True, slots=True)
class Premise:
    """What the query gives, so that the answer need not prove it. A bare "Yes." makes the query itself the claim.

    `is_sole` says that the answer makes one claim and no more.
    """

    asks: Asks
    marked: bool
    topic: tuple[str, ...]
    is_fragment: bool
    is_sole: bool = True
    stems: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the context a claim is spoken of: its best sentence, and that with its neighbours."""

    sentence: Statement
    window: tuple[Statement, ...]
    stems: frozenset[str]

    def share(self, stems: Iterable[str]) -> float:
        wanted = list(stems)
        return sum(stem in self.stems for stem in wanted) / len(wanted) if wanted else 0.0


class Index:
    """The sentences of a context by their stems. Work per claim is bounded, so that the whole stays linear."""

    def __init__(self, sentences: list[Statement]) -> None:
        self.sentences = sentences
        self.capitals = capitals_in(sentences)
        self.numbers = frozenset[str]().union(*(sentence.numbers for sentence in sentences))
        self.frequency = Counter(chain.from_iterable(sentence.stems for sentence in sentences))
        self.postings: dict[str, list[int]] = {}
        for position, sentence in enumerate(sentences):
            for stem in sentence.stems:
                places = self.postings.get(stem)
                if places is None:
                    self.postings[stem] = [position]
                elif len(places) < _MOST_POSTINGS:
                    places.append(position)


class Ground:
    """A context as it bears on one query and answer."""

    def __init__(self, index: Index, names: frozenset[str], relevant: int) -> None:
        """`relevant` says how many of the sentences speak of anything that the query or answer does."""
        self._index = index
        self._postings = index.postings
        self._relevant = relevant
        self.names = names
        self.numbers = index.numbers
        self._weights: dict[str, float] = {}
        self._places: dict[int, Place] = {}

    def __contains__(self, stem: str) -> bool:
        return stem in self._postings or stem in self.numbers

    def has_form_of(self, stem: str) -> bool:
        """Whether a long word here begins as it does: endings that are not English have no stem in common."""
        return len(stem) >= _BEGINNING and stem[:_BEGINNING] in self._beginnings

    @cached_property
    def _beginnings(self) -> frozenset[str]:
        return frozenset(stem[:_BEGINNING] for stem in self._postings if len(stem) >= _BEGINNING)

    def weight(self, stem: str) -> float:
        """The rarer the word is in the context, the more it tells; an unknown word tells most."""
        weight = self._weights.get(stem)
        if weight is None:
            weight = self._weights[stem] = math.log(2 + self._relevant / (1 + self._index.frequency[stem]))
        return weight

    def place_of(self, stems: Iterable[str]) -> Place | None:
        scores: dict[int, float] = {}
        for stem in stems:
            weight = self.weight(stem)
            for position in self._postings.get(stem, ()):
                scores[position] = scores.get(position, 0.0) + weight
        if not scores:
            return None
        best = max(scores, key=lambda position: (scores[position], -position))
        if best not in self._places:
            window = tuple(self._index.sentences[max(0, best - 1) : best + 2])
            stems = frozenset[str]().union(*(one.stems for one in window))
            self._places[best] = Place(self._index.sentences[best], window, stems)
        return self._places[best]
