"""What a text is chiefly about: its frequent words, those near its beginning before those near its end."""

import heapq
import math
from collections.abc import Collection, Iterable, Sequence

from eval_worker.models.offline.reading.dialogue import topical
from eval_worker.models.offline.reading.statement import Statement

_DECAY = 0.1  # the eleventh sentence counts half as much as the first: texts open with what matters
_MOST_KEY_WORDS = 20
_SHARE_OF_KEY_WORDS = 0.4  # of a short text's words: nobody repeats all of them in a summary


class Salience:
    """Weighs each stem of a text by the sentences that it stands in.

    Frequency is the oldest sign of what matters (Luhn 1958) and position the strongest in prose (Edmundson 1969).
    """

    def __init__(self, sentences: Sequence[Statement]) -> None:
        self._weights: dict[str, float] = {}
        for position, sentence in enumerate(sentences):
            weight = 1 / (1 + _DECAY * position)
            about = topical([sentence])
            for stem in filter(
                about.__contains__, sentence.stems
            ):  # in the text's order: ties must not depend on hashes
                self._weights[stem] = self._weights.get(stem, 0.0) + weight
        key_words = min(_MOST_KEY_WORDS, math.ceil(_SHARE_OF_KEY_WORDS * len(self._weights)))
        self._highest = heapq.nlargest(key_words, self._weights.values())
        self._of_all = math.fsum(self._weights.values())

    @property
    def stems(self) -> Collection[str]:
        return self._weights.keys()

    def key_share(self, stems: Iterable[str], most: int = _MOST_KEY_WORDS) -> float:
        """Return the weight of these distinct stems, 0 to 1, where as much as the `most` key words weigh is 1."""
        wanted = math.fsum(self._highest[:most])
        return min(1.0, self._weight(stems) / wanted) if wanted else 0.0

    def share(self, stems: Iterable[str]) -> float:
        """Return the weight of these distinct stems as a share of the whole text's, 0 to 1."""
        return self._weight(stems) / self._of_all if self._of_all else 0.0

    def missing(self, stems: Iterable[str], most: int) -> list[str]:
        """Return the weightiest stems of the text that are not among these."""
        given = frozenset(stems)
        left = (stem for stem in self._weights if stem not in given)
        return heapq.nlargest(most, left, key=lambda stem: self._weights[stem])

    def _weight(self, stems: Iterable[str]) -> float:
        return math.fsum(sorted(self._weights.get(stem, 0.0) for stem in stems))
