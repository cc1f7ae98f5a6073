"""What a text says again: sentences, openings, phrases and words.

Where a text is to flow, all of it jars. An answer may say alike what is alike (steps, options, the questions of a
form): there only sentences without news do, those that have no word of topic but what stood before.
"""

import math
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from itertools import pairwise

from eval_worker.evaluation.text.stop_words import STOP_WORDS
from eval_worker.models.offline.reading.literal import is_line_of_code
from eval_worker.models.offline.reading.statement import Statement
from eval_worker.models.offline.reading.vocabulary import REFERS_BACK

_COMPARED = 40  # each sentence with so many before it, which keeps it linear
_UNREMARKABLE = 0.4  # of a sentence's words: what sentences on one topic share anyway
_STUTTER_WITHIN = 4
_SYMBOLS_OF_FORMULA = 2
_FEWEST_TO_CIRCLE, _MOST_WITHOUT_NEWS = 4, 0.4


def where_it_jars(prose: Sequence[Statement], *, flows: bool) -> Collection[int]:
    """Return the places of sentences that may not say again what stood before: all, or those without news."""
    return range(len(prose)) if flows else _without_news(prose)


def _without_news(prose: Iterable[Statement]) -> frozenset[int]:
    """Those without a word of topic that none before said, or denied: others are parallel."""
    known: dict[bool, set[str]] = {True: set(), False: set()}
    places: list[int] = []
    for place, one in enumerate(prose):
        said = known[one.negated]
        if one.stems and said.issuperset(one.stems):
            places.append(place)
        said.update(one.stems)
    return frozenset(places)


def share_repeated(answer: Sequence[Statement], *, flows: bool) -> float:
    """The share, 0 to 1, of an answer that only says again what stood before, as models do that got into a loop."""
    prose = [one for one in answer if not is_line_of_code(one.text)]
    sentences = [one for one in prose if len(one.words) > 2]  # noqa: PLR2004  # "Yes, sir." may come twice
    again = len(sentences) - len({one.words for one in sentences})
    said = {one.words for one in sentences if not REFERS_BACK.match(one.text)}  # any filler may refer back
    repeated = again / (again + max(1, len(said))) if again else 0.0
    places = where_it_jars(prose, flows=flows)
    return max(repeated, _share_of_stuttering(prose, places), 0.0 if flows else _share_of_circling(prose, places))


def _share_of_circling(prose: Sequence[Statement], jarring: Iterable[int]) -> float:
    """Of the words, those of sentences without news, where these are a great part of it."""
    words = sum(len(one.words) for one in prose)
    if len(prose) < _FEWEST_TO_CIRCLE or not words:
        return 0.0
    share = sum(len(prose[place].words) for place in jarring) / words
    return share if share > _MOST_WITHOUT_NEWS else 0.0


def _share_of_stuttering(prose: Sequence[Statement], jarring: Container[int]) -> float:
    """Three words in a row that came just so before, as models do that got into a loop."""
    words = sum(len(one.words) for one in prose)
    if words < 12:  # noqa: PLR2004  # too little to loop
        return 0.0
    repeated = sum(1 for _ in _repetitions(prose, jarring)) / (words - 2)
    return repeated if repeated > 0.2 else 0.0  # noqa: PLR2004  # some phrases return in any text


def says_again(prose: Sequence[Statement], jarring: Iterable[int], asked: frozenset[str], room: float) -> float:
    """How much of a sentence an earlier one has said: the mean of the worst, one for each short text."""
    said = [frozenset(one.stems) - asked for one in prose]
    found: list[float] = []
    for position in jarring:
        stems = said[position]
        before = said[max(0, position - _COMPARED) : position]
        share = max(len(stems & other) for other in before) / len(stems) if before and stems else 0.0
        found.append(max(0.0, share - _UNREMARKABLE) / (1 - _UNREMARKABLE))
    counted = round(room)
    return math.fsum(sorted(found, reverse=True)[:counted]) / counted


def alike_openings(
    prose: Sequence[Statement], jarring: Container[int], asked: frozenset[str], marked: Collection[str]
) -> int:
    """Sentences that open like an earlier one: items and headings may, and what begins with what was asked about."""
    seen = set[tuple[str, ...]]()
    found = 0
    for place, one in enumerate(prose):
        opening = one.words[:2]
        if len(one.words) <= 2 or one.text in marked or _names_asked(opening, asked):  # noqa: PLR2004  # no more than the opening
            continue
        found += opening in seen and place in jarring
        seen.add(opening)
    return found


def stutters(prose: Iterable[Statement], asked: Collection[str], *, flows: bool) -> int:
    """Words of topic that come back at once: "the club , the club 's club". What was asked about may, but not twice."""
    within = _STUTTER_WITHIN if flows else 1
    return sum(
        word in one.words[max(0, place - (1 if word in asked else within)) : place]
        for one in prose
        if _has_topic_twice(one.words)
        for place, word in enumerate(one.words)
        if word not in STOP_WORDS and not word.isdigit() and not _is_symbol(word)
    )


def _has_topic_twice(words: Sequence[str]) -> bool:
    topic = [word for word in words if word not in STOP_WORDS]
    return len(set(topic)) < len(topic)


def repeated_phrases(prose: Iterable[Statement], jarring: Container[int], asked: frozenset[str]) -> int:
    """Phrases that come again, each counted once, but for those that name what was asked about."""
    return sum(not _names_asked(phrase, asked) for phrase in set(_repetitions(prose, jarring)))


def _repetitions(prose: Iterable[Statement], jarring: Container[int]) -> Iterator[tuple[str, ...]]:
    """Every three words in a row that come again in one sentence, or in one of the jarring that some other has."""
    before = set[tuple[str, ...]]()
    for place, one in enumerate(prose):
        here = set[tuple[str, ...]]()
        for phrase in _phrases_of(one.words):
            if phrase in here or (place in jarring and phrase in before):
                yield phrase
            here.add(phrase)
        before |= here


def _phrases_of(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every three words in a row, but for the letters and figures of a formula."""
    triples = zip(words, words[1:], words[2:], strict=False)
    symbols = [place for place, word in enumerate(words) if len(word) == 1 and word.isascii()]
    if all(after - before > _SYMBOLS_OF_FORMULA for before, after in pairwise(symbols)):
        return triples
    return (triple for triple in triples if sum(map(_is_symbol, triple)) < _SYMBOLS_OF_FORMULA)


def _is_symbol(word: str) -> bool:
    return len(word) == 1 and word.isascii()


def _names_asked(phrase: tuple[str, ...], asked: frozenset[str]) -> bool:
    topic = [word for word in phrase if word not in STOP_WORDS]
    return bool(topic) and asked.issuperset(topic)
