"""How much of one sentence can be attributed to a context: to which places, and how literally.

The measures are those that agree with people in work on attribution and consistency: precision of words weighted by
their rarity (Wang et al., 2020, discuss why overlap alone is not enough), the best matching places of the source
(Laban et al., 2022, SummaC), runs copied from it (Grusky et al., 2018), and words in its order (Lin, 2004, ROUGE-L).
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from eval_worker.evaluation.text.stop_words import STOP_WORDS
from eval_worker.evaluation.text.word_set import word_set
from eval_worker.models.offline.reading.statement import Statement, read_statement
from eval_worker.models.offline.reading.synonyms import meaning
from eval_worker.models.offline.reading.tokens import key_of, keys_of, tokens_of
from eval_worker.models.offline.reading.vocabulary import DIMENSIONS, LEADS_IN, LIGHT_WORDS, NEGATIONS

_MOST_POSTINGS = 64  # a word that stands in more passages tells none of them apart
_MOST_PLACES = 12  # passages with most of a sentence, in which the rest of it is looked for
_LONGEST = 100  # tokens: what is longer is cut, so that work per sentence is bounded
_RUN = 3  # tokens in a row that count as copied
_LEAD = 2  # opening passages, which say whom the whole is about
_GRAMMAR, _SPEAKER = 0.3, 1.0  # what they weigh beside topic words, which weigh from about 1
_SPEAKERS = word_set("i me my mine myself we us our ours you your yours")
_ASKER, _ASKED = word_set("i me my mine we us our"), word_set("you your yours")  # who asks for himself is told "you"
_WEIGHTLESS = word_set(
    """
    a an the is are was were be been being am do does did has have had it its he him his she her hers they them their
    this that these those there here yes no yeah ok well also too just so really and or but then
    of as to in for on at by from with
    der die das den dem des ein eine einen einem einer eines von vom im in am zu zum zur mit für auf ist sind war wird
    werden wurde wurden es sie er auch und oder seine ihre ella él ela ele lui lei zij hij dat она он оно это
    le la les l un une des du de d en dans est sont était il elle c ce et aussi à au aux
    el los las una del es son está están fue se su y e también con por para
    il lo gli i uno della dello dei degli delle del di da nel nella è sono anche
    o os as um uma do dos das no na em são foi também com
    het een van is zijn wordt ook met voor op te
    и в на с это является был была были также
    هو هي في من على إلى و है हैं का की के में से को भी ve bir da de
    """
)
"""Grammar that stands in any text whatever it says."""


def _weight_of_grammar(token: str) -> float:
    if token in _SPEAKERS:
        return _SPEAKER
    return 0.0 if token in _WEIGHTLESS or token in LIGHT_WORDS else _GRAMMAR


_WEIGHTS_OF_GRAMMAR = {token: _weight_of_grammar(token) for token in STOP_WORDS | LIGHT_WORDS}


class Passage:
    """One sentence of a context, or a piece of a long one."""

    def __init__(self, keys: Sequence[str]) -> None:
        self.keys = keys
        self.distinct = frozenset(keys)

    @cached_property
    def runs(self) -> frozenset[tuple[str, ...]]:
        """All that stands in it in a row, three tokens each."""
        return frozenset(_runs(self.keys, _RUN))


@dataclass(frozen=True, slots=True)
class Attribution:
    """Shares of one sentence, each 0..1.

    `near`: its weighted words that stand in one passage or beside it. `in_two`: those in the two passages that have
    most of it. `found`: its words that the context has at all. `in_order`: words that stand near in the same order.
    `copied`: runs of three words that the context has. `strange_names`: names that do not stand near.
    `strange_numbers`: 1 where a number stands nowhere in the context. `denied`: whether it denies and what stands near
    does not. `missing` are its topic words that the context has nowhere, in order.
    """

    size: int
    near: float = 0.0
    in_two: float = 0.0
    found: float = 0.0
    in_order: float = 0.0
    copied: float = 0.0
    strange_names: float = 0.0
    strange_numbers: float = 0.0
    denied: bool = False
    missing: tuple[str, ...] = ()


class Evidence:
    """A context's passages, indexed by the words that they are found by."""

    def __init__(self, sentences: Iterable[Statement], presupposed: Iterable[str] = ()) -> None:
        """Index the sentences. `presupposed` are the keys that need no proof: a question of fact takes them for so."""
        self._presupposed = frozenset(presupposed)
        pieces = (piece for sentence in sentences for piece in _cut(keys_of(tokens_of(sentence))))
        self._passages = [Passage(piece) for piece in pieces]
        self._postings: dict[str, list[int]] = {}
        for position, passage in enumerate(self._passages):
            for key in passage.distinct:
                places = self._postings.get(key)
                if places is None:
                    self._postings[key] = [position]
                elif len(places) < _MOST_POSTINGS:
                    places.append(position)
        self._known: dict[str, list[Attribution]] = {}
        self._lead = frozenset(key for passage in self._passages[:_LEAD] for key in passage.distinct)

    def attribution_of(self, claim: Statement) -> list[Attribution]:
        """How one sentence is borne out, cut into pieces where it is very long. Nothing for one without words."""
        found = self._known.get(claim.text)
        if found is None:
            names = frozenset(map(meaning, claim.names))
            tokens = self._to_prove(tokens_of(_without_lead(claim)))
            found = self._known[claim.text] = [self._attribution(piece, names) for piece in _cut(tokens)]
        return found

    def _to_prove(self, tokens: list[str]) -> list[str]:
        """Without what a number beside it says ("a speed of 30 km/h"), and what the question takes for so.

        The latter where the context has all the rest: what is new to the question is the answer to it.
        """
        unknown = [
            token for token in tokens if token not in _WEIGHTS_OF_GRAMMAR and key_of(token) not in self._postings
        ]
        if not _ASKER.isdisjoint(self._presupposed):
            tokens = [token for token in tokens if token not in _ASKED] or tokens
        if any(token[0].isdecimal() for token in tokens):
            unknown = [token for token in unknown if token not in DIMENSIONS]
            tokens = [token for token in tokens if token not in DIMENSIONS or key_of(token) in self._postings]
        if unknown and self._presupposed.issuperset(map(key_of, unknown)):
            return [token for token in tokens if token not in unknown] or tokens
        return tokens

    def _attribution(self, tokens: Sequence[str], names: frozenset[str]) -> Attribution:
        keys = keys_of(tokens)
        sought = {key: token for token, key in zip(tokens, keys, strict=True) if token not in _WEIGHTS_OF_GRAMMAR}
        missing = tuple(token for key, token in sought.items() if key not in self._postings)
        unknown_number = any(token[0].isdecimal() for token in missing)
        weights = self._weights(sought)
        scores = self._scores(weights)
        mine = [key for key in sought if key in names]
        if not scores:
            away = len(mine) / (len(mine) + 1)
            return Attribution(len(keys), strange_names=away, strange_numbers=float(unknown_number), missing=missing)
        places = sorted(sorted(scores), key=scores.__getitem__, reverse=True)[:_MOST_PLACES]
        best = places[0]
        window = [self._passages[at] for at in (best - 1, best, best + 1) if at in scores]
        near = frozenset[str]().union(*(one.distinct for one in window))
        weighed = [weights.get(key) or _WEIGHTS_OF_GRAMMAR[token] for token, key in zip(tokens, keys, strict=True)]
        total = math.fsum(weighed)
        in_two = self._in_best_two(places, weights)
        unknown = self._unknown(keys, sought, places)
        if self._presupposed and near.issuperset(
            sought
        ):  # all that it tells stands there: the grammar around tells nothing
            unknown = {key for key, weight in zip(keys, weighed, strict=True) if weight and key in unknown}
        return Attribution(
            size=len(keys),
            near=_weight_in(near, keys, weighed) / total if total else 0.0,
            in_two=_weight_in(in_two, keys, weighed) / total if total else 0.0,
            found=(len(keys) - sum(map(unknown.__contains__, keys))) / len(keys),
            in_order=_in_order(keys, window) / len(keys),
            copied=self._copied(keys, places),
            strange_names=sum(key not in near and key not in self._lead for key in mine) / (len(mine) + 1),
            strange_numbers=float(unknown_number),
            denied=not NEGATIONS.isdisjoint(keys) and NEGATIONS.isdisjoint(near),
            missing=missing,
        )

    def _weights(self, sought: Iterable[str]) -> dict[str, float]:
        """The rarer a word is in the passages that speak of the same, the more it tells; an unknown one tells most."""
        postings = {key: self._postings.get(key, ()) for key in sought}
        spoken_of = len(set[int]().union(*postings.values()))
        return {key: math.log(2 + spoken_of / (1 + len(places))) for key, places in postings.items()}

    def _scores(self, weights: dict[str, float]) -> dict[int, float]:
        """The weight of the words that each passage has, of those that have any."""
        scores: dict[int, float] = {}
        for key, weight in weights.items():
            for at in self._postings.get(key, ()):
                scores[at] = scores.get(at, 0.0) + weight
        return scores

    def _in_best_two(self, places: Sequence[int], weights: dict[str, float]) -> frozenset[str]:
        """The words of the best passage and of the one that adds most to it."""
        best = self._passages[places[0]].distinct
        lacking = {key: weight for key, weight in weights.items() if key not in best}
        if not lacking:
            return best
        added = {at: math.fsum([lacking[key] for key in lacking.keys() & self._passages[at].distinct]) for at in places}
        return best | self._passages[max(places, key=lambda at: (added[at], -at))].distinct

    def _unknown(self, keys: Sequence[str], sought: Mapping[str, str], places: Sequence[int]) -> set[str]:
        """What the context does not have; grammar has to stand in a place that is looked at."""
        grammar = {key for key in keys if key not in sought}
        for at in places:
            if not grammar:
                break
            grammar = grammar.difference(self._passages[at].distinct)
        return grammar.union(key for key in sought if key not in self._postings)

    def _copied(self, keys: Sequence[str], places: Sequence[int]) -> float:
        size = min(_RUN, len(keys))
        runs = _runs(keys, size)
        distinct = new = frozenset(runs)
        for passage in (self._passages[at] for at in places):
            new = new.difference(passage.runs if size == _RUN else _runs(passage.keys, size))
            if not new:
                return 1.0
        return sum(run not in new for run in runs) / len(runs) if len(new) < len(distinct) else 0.0


def _without_lead(claim: Statement) -> Statement:
    lead = LEADS_IN.match(claim.text)
    rest = read_statement(claim.text[lead.end() :]) if lead else claim
    return rest if rest.words else claim


def _weight_in(there: frozenset[str], keys: Iterable[str], weights: Iterable[float]) -> float:
    return math.fsum([weight for key, weight in zip(keys, weights, strict=True) if key in there])


def _runs(keys: Sequence[str], size: int) -> list[tuple[str, ...]]:
    return list(zip(*[keys[start:] for start in range(size)], strict=False))


def _cut(tokens: Sequence[str]) -> list[Sequence[str]]:
    return [tokens[start : start + _LONGEST] for start in range(0, len(tokens), _LONGEST)]


def _in_order(keys: Sequence[str], window: Iterable[Passage]) -> int:
    """The length of the longest common subsequence, by bits (Hyyrö, 2004): one step a key, whatever stands there."""
    sought = frozenset(keys)
    there = [key for one in window for key in one.keys if key in sought]
    places: dict[str, int] = {}
    for at, key in enumerate(there):
        places[key] = places.get(key, 0) | 1 << at
    everywhere = rows = (1 << len(there)) - 1
    for key in keys:
        matched = rows & places.get(key, 0)
        rows = ((rows + matched) | (rows - matched)) & everywhere
    return len(there) - rows.bit_count()
