"""What links an answer to a word of its query: the word itself, another form of it, or one that means the same."""

from collections.abc import Collection

from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.reading.synonyms import meaning

_RESTATED_IN_CONTEXT = 0.9  # the answer restates the context's sentence on the topic in other words
_SAME_MEANING, _SAME_BEGINNING = 0.9, 0.8
_BEGINNING = 6  # letters: interest and interested, kündigen and Kündigungsfrist


class Links:
    """How far an answer speaks of the stems of a query, each 0..1."""

    def __init__(self, analysis: Analysis) -> None:
        self._said = analysis.answer_stems
        self._meanings = analysis.answer_meanings
        self._restated = analysis.borne_out_stems
        self._beginnings = _beginnings(self._said)

    def to(self, stem: str) -> float:
        if stem in self._said:
            return 1.0
        if stem in self._restated:
            return _RESTATED_IN_CONTEXT
        if meaning(stem) in self._meanings:
            return _SAME_MEANING
        return _SAME_BEGINNING if len(stem) >= _BEGINNING and stem[:_BEGINNING] in self._beginnings else 0.0


def _beginnings(stems: Collection[str]) -> frozenset[str]:
    return frozenset(stem[:_BEGINNING] for stem in stems if len(stem) >= _BEGINNING)
