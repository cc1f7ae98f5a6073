"""Which sentences have to do with what is asked and given.

A word that two sentences share by chance ties them to nothing: any filler speaks of people, and of what is nice.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from eval_worker.evaluation.text.short_answers import is_refusal
from eval_worker.evaluation.text.word_set import word_set
from eval_worker.evaluation.text.words import fold
from eval_worker.models.offline.reading.everyday_words import EVERYDAY
from eval_worker.models.offline.reading.statement import Statement
from eval_worker.models.offline.reading.vocabulary import (
    ABOUT_JUDGING,
    EMPTY_WORDS,
    JUDGED_HERE,
    PLEASANTRIES,
    POINTS_AT_THE_TEXT,
    REFERS_BACK,
    REQUEST_WORDS,
    SAYS_OF_ITSELF,
    SMALL_TALK,
)

Stems = frozenset[str]

FITS_ANYTHING = SMALL_TALK | EMPTY_WORDS
TELLS_LITTLE = EVERYDAY | FITS_ANYTHING | SAYS_OF_ITSELF
_SAID_OF_ITSELF = SAYS_OF_ITSELF | POINTS_AT_THE_TEXT | FITS_ANYTHING
_SAID_TO_PLEASE = PLEASANTRIES | EMPTY_WORDS
_FEWEST_COMMON = _FEWEST_TELLING = 2
_SOME, _A_LOT, _MUCH = 1 / 3, 2 / 5, 1 / 2  # of a sentence's subjects
FEW_WORDS, _NONE = 80, Stems()
_SHORT_TEXT, _SHORT_ANSWER = 30, 12  # subjects
_ABOUT_ITSELF = word_set(
    "explanation text article summary content information advice message overview description work"
)
_MOST_ROUNDS = 8  # of sentences that hang on one another, which keeps the search linear
_SHORT, _OPENING = 3, 3  # words
_SCANNED = 400


_IMPERSONAL = re.compile(
    r"it (?:goes without|turns out|takes\b|(?:is|was|may be|seems|appears)(?: \w+){1,3}? (?:that|to)\b)|"
    r"it['’]s(?: \w+){1,3}? (?:that|to)\b",
    re.IGNORECASE,
)
"""An "it" that stands for nothing said before: "It is true that …"."""


@dataclass(frozen=True, slots=True)
class Matter:
    """The stems of what a query is about, and those of its context."""

    asked: Stems
    given: Stems


def stems_of(statements: Iterable[Statement]) -> Stems:
    return frozenset[str]().union(*(one.subjects for one in statements))


def stems_of_all(statements: Iterable[Statement]) -> Stems:
    return frozenset[str]().union(*(one.stems for one in statements))


def speaks_of_judging(one: Statement) -> bool:
    """Whether it may be meant for the judge. A question seldom is: "How would you rate your stay?"."""
    if ABOUT_JUDGING.isdisjoint(one.stems):
        return False
    return not one.is_question or not JUDGED_HERE.isdisjoint(one.stems)


def topic_of(statements: Iterable[Statement]) -> Stems:
    """Stems that a query is about, as opposed to how it wants its answer."""
    return frozenset(stem for one in statements for stem in one.subjects if one.surface[stem] not in REQUEST_WORDS)


def is_telling(one: Statement) -> bool:
    """Whether it has a word that is not of everyday."""
    return any(stem not in TELLS_LITTLE for stem in one.subjects)


def is_short(one: Statement) -> bool:
    return len(one.words) <= _SHORT


def may_answer(one: Statement) -> bool:
    """Whether it may be an answer: it tells or counts something, or is short and no courtesy: "Yes.", "Nine."."""
    if is_telling(one) or one.numbers:
        return True
    return is_short(one) and (not one.stems or any(stem not in _SAID_TO_PLEASE for stem in one.stems))


def tied(statements: Sequence[Statement], matter: Matter) -> set[int]:
    """Return the positions of those that speak of the matter, or share a telling word with such a one, and so on.

    A refusal belongs to whatever was asked; a sentence that refers back, if it tells anything, to what stands before
    it; and what says no more than the others, in everyday words. A sentence that has no tie gives none to others, so
    adding it changes nothing.
    """
    telling = _telling(matter)
    found = {
        position
        for position, one in enumerate(statements)
        if _speaks_of(one, matter, telling) or is_refusal(fold(one.text[:_SCANNED]))
    }
    speakers: dict[str, list[int]] = {}
    for position, one in enumerate(statements):
        for stem in one.subjects:
            if stem not in TELLS_LITTLE:
                speakers.setdefault(stem, []).append(position)
    referring = (
        [position for position, one in enumerate(statements) if refers_back(one) and _tells_of_it(one)] if found else []
    )
    first = min(found, default=0)  # kept as found grows: to look for it anew would be quadratic
    new = list(found)
    while new:
        for stem in statements[new.pop()].subjects:
            fresh = [position for position in speakers.pop(stem, ()) if position not in found]
            first = min(first, *fresh) if fresh else first
            found.update(fresh)
            new.extend(fresh)
        while not new and referring and referring[-1] > first:
            position = referring.pop()
            if position not in found:
                found.add(position)
                new.append(position)
    said = stems_of(statements[position] for position in found)
    return found | {position for position, one in enumerate(statements) if _says_no_more(one, said)}


def ties_to(matter: Matter) -> Callable[[Statement], bool]:
    """Whether a sentence, read alone, speaks of the matter."""
    telling = _telling(matter)
    return lambda one: _speaks_of(one, matter, telling)


def firmly_tied(statements: Sequence[Statement], matter: Matter) -> set[int]:
    """Return the positions of those that no chance ties, and so no filler.

    They share two telling words with the matter, or one with a short text; or as much with those that do. What is not
    among them ties nothing to it, so with more of that the others are the same.
    """
    telling = _telling(matter)
    asked, given = (text if len(text) <= _SHORT_TEXT else _NONE for text in (matter.asked, matter.given))
    enough = telling & (asked | given)
    found = {
        position
        for position, one in enumerate(statements)
        if _is_firm(one, enough, telling)
        or _is_made_of(one, Matter(asked, given), matter, telling)
        or is_refusal(fold(one.text[:_SCANNED]))
    }
    for _ in range(_MOST_ROUNDS):
        said = stems_of(statements[position] for position in found) - TELLS_LITTLE
        few = said if len(said) <= _SHORT_ANSWER else _NONE
        others = ((position, one) for position, one in enumerate(statements) if position not in found)
        new = {position for position, one in others if _is_firm(one, few, said)}
        if not new:
            break
        found = found | new
    return found


def _is_firm(one: Statement, enough: Stems, telling: Stems) -> bool:
    """`enough` are the stems of which one is."""
    shared = [stem for stem in one.subjects if stem in telling]
    if not shared or _SAID_OF_ITSELF.issuperset(one.subjects):
        return False
    return len(shared) >= _FEWEST_COMMON or not enough.isdisjoint(shared)


def _is_made_of(one: Statement, short: Matter, matter: Matter, telling: Stems) -> bool:
    """Whether it takes all its own words from the matter, or two of them from a query, if only everyday words.

    `short` are the texts that are; of these, one word may be all.
    """
    own = frozenset(stem for stem in one.subjects if stem not in FITS_ANYTHING)
    if not own or _SAID_OF_ITSELF.issuperset(own):
        return False
    if own <= short.given or len(own & short.asked) >= _FEWEST_COMMON:
        return True
    return len(own) >= _FEWEST_COMMON and not telling.isdisjoint(own) and own <= matter.asked | matter.given


def _telling(matter: Matter) -> Stems:
    """The words that tie by themselves. Where a query has none but everyday words, it is about those."""
    asked = matter.asked - TELLS_LITTLE or matter.asked - FITS_ANYTHING or matter.asked
    return asked | (matter.given - TELLS_LITTLE)


def _speaks_of(one: Statement, matter: Matter, telling: Stems) -> bool:
    """A telling word of a short text ties by itself; of a long one any filler may have one, so it takes two."""
    if _SAID_OF_ITSELF.issuperset(one.subjects):
        return False
    shared = [stem for stem in one.subjects if stem in telling]
    if len(shared) >= _FEWEST_COMMON or len(shared) > _MUCH * len(one.subjects):
        return True
    short = (text for text in (matter.asked, matter.given) if len(text) <= _SHORT_TEXT)
    if any(not text.isdisjoint(shared) for text in short):
        return True
    return _speaks_of_commonly(one, matter)


def _speaks_of_commonly(one: Statement, matter: Matter) -> bool:
    """Everyday words tie where there are several, or they are much of a sentence; the more so in a long text."""
    given = matter.given if len(matter.given) <= FEW_WORDS else _NONE  # a long text has all the everyday words
    common = [
        stem
        for stem in one.subjects
        if stem not in FITS_ANYTHING and (stem in matter.asked or (stem in given and stem not in SAYS_OF_ITSELF))
    ]
    asked = sum(stem in matter.asked for stem in common)
    share = len(common) / len(one.subjects) if common else 0.0
    if len(common) == 1 and not asked:
        return share > _MUCH or (share >= _MUCH and len(given) <= _SHORT_TEXT)
    if len(matter.asked) > _SHORT_TEXT:
        return share >= _A_LOT
    return asked >= _FEWEST_COMMON or share >= _SOME


def _says_no_more(one: Statement, said: Stems) -> bool:
    own = [stem for stem in one.subjects if stem not in FITS_ANYTHING]
    return len(own) >= _FEWEST_COMMON and said.issuperset(own)


def refers_back(one: Statement) -> bool:
    """Whether it goes on about what was said before: "It lifts the water"."""
    if REFERS_BACK.match(one.text) is None or _IMPERSONAL.match(one.text):
        return False
    return ABOUT_JUDGING.isdisjoint(one.stems)


def _tells_of_it(one: Statement) -> bool:
    telling = sum(stem not in TELLS_LITTLE for stem in one.subjects)
    return telling >= _FEWEST_TELLING and _ABOUT_ITSELF.isdisjoint(one.words[:_OPENING])
