"""How a context bears out one claim: what it supports, what it lacks, and what it contradicts."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from eval_worker.evaluation.text.asks import Asks
from eval_worker.models.offline.statement import Statement
from eval_worker.models.offline.vocabulary import OPPOSITES

_MOST_POSTINGS = 48  # a word that stands in more sentences tells none of them apart
_ALIGNED, _CLOSELY_ALIGNED = 0.5, 0.75
_GIVEN = 0.4  # what a word weighs that the query already said
_CONTRADICTED, _WRONG_NUMBER, _UNKNOWN_NAME = 0.05, 0.35, 0.6
_FEW_NEW_WORDS = 3
_RESTATED = 0.6


@dataclass(frozen=True, slots=True)
class Premise:
    """What the query gives, so that the answer need not prove it. A bare "Yes." makes the query itself the claim."""

    asks: Asks
    marked: bool
    topic: tuple[str, ...]
    is_fragment: bool
    stems: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Support:
    """`missing` are the claim's words that the context lacks, in order; `restated` the stems it stands for there."""

    claim: Statement
    score: float
    missing: tuple[str, ...]
    conflict: str | None = None
    restated: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in the context a claim is spoken of: its best sentence, and that with its neighbours."""

    sentence: Statement
    window: tuple[Statement, ...]
    stems: frozenset[str]

    def share(self, stems: Iterable[str]) -> float:
        wanted = list(stems)
        return sum(stem in self.stems for stem in wanted) / len(wanted) if wanted else 0.0


class Ground:
    """A context, indexed by stem. Work per claim is bounded, so that the whole stays linear."""

    def __init__(self, sentences: list[Statement], names: frozenset[str], relevant: int) -> None:
        """Index the sentences. `relevant` says how many of them speak of anything that the query or answer does."""
        self.sentences = sentences
        self._relevant = relevant
        self.names = names
        self._postings: dict[str, list[int]] = {}
        self._frequency: Counter[str] = Counter()
        self.numbers: set[str] = set()
        for position, sentence in enumerate(sentences):
            self.numbers |= sentence.numbers
            self._frequency.update(sentence.stems)
            for stem in sentence.stems:
                places = self._postings.setdefault(stem, [])
                if len(places) < _MOST_POSTINGS:
                    places.append(position)

    def __contains__(self, stem: str) -> bool:
        return stem in self._postings or stem in self.numbers

    def weight(self, stem: str) -> float:
        """The rarer the word is in the context, the more it tells; an unknown word tells most."""
        return math.log(2 + self._relevant / (1 + self._frequency[stem]))

    def place_of(self, stems: Iterable[str]) -> _Place | None:
        scores: dict[int, float] = {}
        for stem in stems:
            weight = self.weight(stem)
            for position in self._postings.get(stem, ()):
                scores[position] = scores.get(position, 0.0) + weight
        if not scores:
            return None
        best = max(scores, key=lambda position: (scores[position], -position))
        window = tuple(self.sentences[max(0, best - 1) : best + 2])
        return _Place(self.sentences[best], window, frozenset(stem for one in window for stem in one.stems))


def support_of(ground: Ground, claim: Statement, premise: Premise) -> Support:
    given = premise.stems
    place = ground.place_of(claim.stems)
    missing = tuple(claim.surface[stem] for stem in claim.stems if stem not in ground and stem not in given)
    score = _share_borne_out(ground, claim, place, given)
    if place is None:
        return Support(claim, score, missing)
    conflict = _conflict(ground, claim, place, premise)
    if conflict:
        return Support(claim, _CONTRADICTED, missing, conflict)
    unknown_numbers = claim.numbers - ground.numbers - premise.numbers
    if unknown_numbers:
        score = min(score, _WRONG_NUMBER)
    elif (claim.names & ground.names) - frozenset(ground.names.intersection(place.stems)) and any(
        name not in ground and name not in given for name in claim.names
    ):
        score = min(score, _UNKNOWN_NAME)
    restated = frozenset(place.sentence.stems) if score >= _RESTATED else frozenset[str]()
    return Support(claim, score, missing, restated=restated)


def _share_borne_out(ground: Ground, claim: Statement, place: _Place | None, given: frozenset[str]) -> float:
    """The weighted share of the claim's words that the context has, most of them in one place."""
    if not claim.stems:
        return 1.0
    total = borne_out = nearby = 0.0
    for stem in claim.stems:
        weight = ground.weight(stem) * (_GIVEN if stem in given else 1.0)
        total += weight
        borne_out += weight * (stem in ground)
        nearby += weight * (place is not None and stem in place.stems)
    return 0.6 * borne_out / total + 0.4 * nearby / total


def _conflict(ground: Ground, claim: Statement, place: _Place, premise: Premise) -> str | None:
    for found in (
        _other_number(ground, claim, place, premise),
        _denial(claim, place),
        _opposite(claim, place, premise),
        _names_swapped(ground, claim, place),
        _other_answer(ground, claim, place, premise),
    ):
        if found:
            return found
    return None


def _other_number(ground: Ground, claim: Statement, place: _Place, premise: Premise) -> str | None:
    wrong = claim.numbers - ground.numbers - premise.numbers
    words = [stem for stem in claim.stems if not any(map(str.isdigit, stem)) and stem not in claim.numbers]
    there = {number for one in place.window for number in one.numbers} - claim.numbers
    if wrong and there and (not words or place.share(words) >= _ALIGNED):
        return f"the answer says {_listed(wrong)}, the context {_listed(there)}"
    return None


def _denial(claim: Statement, place: _Place) -> str | None:
    sentence = place.sentence
    shared = sum(stem in sentence.surface for stem in claim.stems)
    close = shared >= _CLOSELY_ALIGNED * len(claim.stems) and shared >= _ALIGNED * len(sentence.stems)
    if close and claim.negated != sentence.negated:
        return f"the context says the opposite: {_quoted(sentence.text)}"
    return None


def _opposite(claim: Statement, place: _Place, premise: Premise) -> str | None:
    if place.share(claim.stems) < _ALIGNED:
        return None
    said, there = set(claim.words), {word for one in place.window for word in one.words}
    for word in claim.words:
        for opposite in sorted(OPPOSITES.get(word, ())):
            if opposite in there and word not in there and opposite not in said and word not in premise.words:
                return f"the answer says {word!r} where the context says {opposite!r}"
    return None


def _names_swapped(ground: Ground, claim: Statement, place: _Place) -> str | None:
    """All the rest of the claim stands in one sentence of the context, which has another name in the place of one."""
    sentence = place.sentence
    names = ground.names.intersection(claim.stems)
    away = [name for name in claim.stems if name in names and name not in sentence.surface]
    rest = [stem for stem in claim.stems if stem not in away]
    if len(away) != 1 or not rest or any(stem not in sentence.surface for stem in rest):
        return None
    instead = [name for name in sentence.stems if name in ground.names and name not in claim.surface]
    both_begin = away[0] == claim.initial and sentence.initial in instead and len(rest) > 1
    if both_begin:
        instead = [name for name in instead if name == sentence.initial]
    elif len(instead) != 1 or len(names) < 2:  # noqa: PLR2004  # a pair of names in either
        return None
    return f"the context says {sentence.surface[instead[0]]!r} where the answer says {claim.surface[away[0]]!r}"


def _other_answer(ground: Ground, claim: Statement, place: _Place, premise: Premise) -> str | None:
    """The context answers a question of fact, and the little that the claim adds to the query is not in it."""
    if premise.asks is Asks.OPEN or (premise.asks is Asks.UNKNOWN and not premise.marked):
        return None
    new = [stem for stem in claim.stems if stem not in premise.stems]
    if premise.asks in {Asks.POLAR, Asks.CHOICE}:
        new = [stem for stem in claim.stems if stem in ground.names and stem not in ground]
    topic = [stem for stem in premise.topic if stem not in new]
    if not topic or not new or len(new) > _FEW_NEW_WORDS or any(stem in ground for stem in new):
        return None
    there = {stem for one in place.window for stem in one.stems if stem not in claim.surface}
    named = any(stem in ground.names for stem in new) and not ground.names.isdisjoint(there)
    if not there or place.share(topic) < (_ALIGNED if named else _CLOSELY_ALIGNED):
        return None
    if premise.is_fragment or sum(stem in claim.surface for stem in topic) >= _ALIGNED * len(topic):
        return f"the context answers otherwise and does not have {_listed(claim.surface[stem] for stem in new)}"
    return None


def _listed(values: Iterable[str]) -> str:
    return " and ".join(sorted(values)[:3])


def _quoted(text: str, longest: int = 80) -> str:
    return repr(text if len(text) <= longest else text[: longest - 1] + "…")
