"""How far an answer covers what its query asks for: each part, the number of things wanted, the detail."""

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from eval_worker.evaluation.instructions.amount import Bound
from eval_worker.evaluation.instructions.examples import EXAMPLE_MARKERS
from eval_worker.evaluation.instructions.items import count_items, wanted_items
from eval_worker.evaluation.text.asks import Asks
from eval_worker.evaluation.text.words import is_unspaced
from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.judges.kin import is_in_words_of_its_own
from eval_worker.models.offline.judges.links import Links
from eval_worker.models.offline.judges.measures import gives_measure
from eval_worker.models.offline.judges.relevance_rules import works_with_its_numbers
from eval_worker.models.offline.judges.sides import Sides, sides_of
from eval_worker.models.offline.reading.dialogue import last_turn_of
from eval_worker.models.offline.reading.requests import OF_EACH, Request, find_requests, is_request
from eval_worker.models.offline.reading.synonyms import meaning

_FOUND, _UNTELLABLE = 0.5, 0.7
_STEEPNESS = 1.5  # a missing part costs more than its share
_UNTOLD = 0.3  # no part is called by its name: the answer may still be to all of them
_OFF_TOPIC = 0.25
_IN_DETAIL = re.compile(
    r"\b(?:in detail|detailed|thorough(?:ly)?|comprehensive|in depth|step by step|ausführlich|en détail|en detalle|"
    r"in dettaglio|подробно)\b|详细|詳しく",
    re.IGNORECASE,
)
_SUBSTANCE_OF_DETAIL, _LEAST_OF_DETAIL, _LEAST_OF_ITEMS = 0.75, 0.4, 0.4
_SCANNED = 2000
_ADDRESS = re.compile(r"[\w.]@\w|https?://|\+?\d[\d ()/-]{6,}\d")  # whom to ask may be told by these alone
_SHORTEST_FORM, _ENDING = 6, 3  # letters


@dataclass(frozen=True, slots=True)
class Coverage:
    """`shares` stand beside `parts`, which are none where the query asks for one thing. All shares are 0..1.

    `items` is the share of the number of things wanted, None where no number is.
    """

    parts: tuple[Request, ...]
    shares: tuple[float, ...]
    items: float | None
    detail: float
    on_topic: bool

    @property
    def missing(self) -> list[Request]:
        return [part for part, share in zip(self.parts, self.shares, strict=True) if share < _FOUND]

    @property
    def is_whole(self) -> bool:
        """Whether the query says what it wants part by part or by number, and all of it is there."""
        counted = bool(self.shares) or self.items is not None
        return counted and min(self.shares, default=1.0) >= 1 and (self.items is None or self.items >= 1)

    @property
    def factor(self) -> float:
        """What is left of a score for what is not covered."""
        factor = self.detail * (1.0 if self.items is None else max(_LEAST_OF_ITEMS, self.items))
        if self.shares:
            factor *= (math.fsum(self.shares) / len(self.shares)) ** _STEEPNESS if any(self.shares) else _UNTOLD
        return factor if self.on_topic else factor * _OFF_TOPIC


def coverage_of(analysis: Analysis, features: Mapping[str, float]) -> Coverage:
    """Tell what is covered, given the features of completeness. A turn of talk may leave open what it likes."""
    if analysis.dialogue is not None:
        return Coverage(parts=(), shares=(), items=None, detail=1.0, on_topic=True)
    query = last_turn_of(analysis.interaction.user_query)
    requests = tuple(find_requests(query))
    parts = requests if len(requests) > 1 else ()
    in_detail = _IN_DETAIL.search(query[:_SCANNED]) is not None
    sides = sides_of(query, analysis.answer_text)
    shares = tuple(_shares_answered(analysis, parts, sides))
    if parts and all(part.wants_instances for part in parts) and not any(shares):
        parts, shares = (), ()  # "Bob, 12" gives name and age without a word of either
    if sides:
        parts, shares = _by_sides(query, sides, parts, shares)
    return Coverage(
        parts=parts,
        shares=shares,
        items=_share_of_items(analysis),
        detail=max(_LEAST_OF_DETAIL, min(1.0, features["substance"] / _SUBSTANCE_OF_DETAIL)) if in_detail else 1.0,
        on_topic=_is_on_topic(analysis, features, requests),
    )


def _by_sides(
    query: str, sides: Sides, parts: tuple[Request, ...], shares: tuple[float, ...]
) -> tuple[tuple[Request, ...], tuple[float, ...]]:
    """The two sides, and what the query asks for besides; an answer need not call a side by its name."""
    two = tuple(Request(name, (name,), Asks.OPEN) for name in sides.names)
    besides = [
        (part, share)
        for part, share in zip(parts, shares, strict=True)
        if (part.wants_examples or is_request(part.text) or _is_listed_with(sides, part, query))
        and not any(name in part.text for name in sides.names)
    ]
    return (*two, *(part for part, _ in besides)), (*map(float, sides.given), *(share for _, share in besides))


def _is_listed_with(sides: Sides, part: Request, query: str) -> bool:
    """Whether it stands right before or behind the two sides: "the benefits, risks and costs"."""
    first, last = map(re.escape, sides.names)
    own = re.escape(part.text.split()[0])
    behind = rf"\b{last}\b\s*,?\s*(?:and|as well as)\s+(?:the |its )?{own}\b"
    ahead = rf"\b{own}(?: \w+)?\s*,\s*(?:the )?{first}\b"
    return re.search(rf"{behind}|{ahead}", query[:_SCANNED], re.IGNORECASE) is not None


def _share_of_items(analysis: Analysis) -> float | None:
    wanted = wanted_items(analysis.request.orders)
    if wanted is None or wanted.bound is Bound.AT_MOST:
        return None
    count = count_items(analysis.answer_text, wanted.number)
    return None if count is None else min(1.0, count / wanted.number)


def _shares_answered(analysis: Analysis, parts: tuple[Request, ...], sides: Sides | None) -> list[float]:
    topics = [part for part in parts if not part.wants_examples]
    found = {part: _share_answered(analysis, part, topics) for part in topics}
    of_each = [part for part in topics if part.wants_instances and OF_EACH.search(part.text)]
    if len(topics) == len(parts) and not of_each:
        return [found[part] for part in parts]
    answered = sides.given if sides else [found[part] for part in topics if part not in of_each]
    share_of_topics = math.fsum(answered) / len(answered) if answered else 1.0
    found.update((part, found[part] * share_of_topics) for part in of_each)
    # An example need not share a word with the query, so it may stand in what is left out elsewhere.
    said = "\n".join(one.text for one in analysis.all_said)
    examples = 1.0 if EXAMPLE_MARKERS.search(said) or "```" in said else 0.0
    return [found.get(part, examples * share_of_topics) for part in parts]


def _share_answered(analysis: Analysis, part: Request, topics: list[Request]) -> float:
    """By the words that set this part apart from the others, or by what the context says of it and of no other."""
    others = {meaning(stem) for other in topics if other is not part for stem in other.stems}
    stems = [meaning(stem) for stem in part.stems]
    own = [stem for stem in stems if stem not in others]
    has_kind = _has_kind(analysis, part.asks)
    if not own and not has_kind:
        return 0.0
    own = own or stems
    said = analysis.answer_meanings
    inflected = not analysis.interaction.user_query.isascii()
    share = sum(stem in said or (inflected and _has_form_of(stem, said)) for stem in own) / len(own)
    if any(map(is_unspaced, own)):  # the pieces overlap, and most of them are no words
        share = min(1.0, 2 * share)
    if part.head and all(meaning(stem) in said for stem in part.head):
        return 1.0
    if share < _FOUND and gives_measure(part.text, analysis.answer_text):
        return 1.0
    if share < _FOUND and has_kind:
        share = max(share, _told_by_the_context(analysis, part, others.difference(own)))
        if share < _UNTELLABLE and _is_untellable(analysis, part, topics):
            share = _UNTELLABLE
    return 1.0 if share >= _FOUND and share != _UNTELLABLE else share


def _is_untellable(analysis: Analysis, part: Request, topics: list[Request]) -> bool:
    """Whether context and answer speak of this part in other words than the query, if at all.

    An answer of fewer sentences than parts has hardly told of all of them.
    """
    if not analysis.context or len(analysis.claims) < len(topics):
        return False
    return not any(stem in analysis.ground or analysis.ground.has_form_of(stem) for stem in part.stems)


def _has_form_of(stem: str, said: Collection[str]) -> bool:
    """Whether some word begins with it, or it with some word: languages that are not English decline their nouns."""
    forms = (one for one in said if min(len(one), len(stem)) >= _SHORTEST_FORM)
    return any((one.startswith(stem) or stem.startswith(one)) and abs(len(one) - len(stem)) <= _ENDING for one in forms)


def _told_by_the_context(analysis: Analysis, part: Request, others: set[str]) -> float:
    """The share of what the context's sentence on this part says beyond the query that the answer says too."""
    place = analysis.ground.place_of(part.stems) if analysis.context else None
    if place is None or not others.isdisjoint(map(meaning, place.sentence.stems)):
        return 0.0
    told = [stem for stem in place.sentence.stems if stem not in analysis.query.surface]
    # What the answer says in the sentences that name another topic is told of that one.
    said = {stem for one in analysis.answer if others.isdisjoint(map(meaning, one.stems)) for stem in one.stems}
    return sum(stem in said for stem in told) / len(told) if told else 0.0


def _has_kind(analysis: Analysis, asks: Asks) -> bool:
    if asks in {Asks.NUMBER, Asks.DATE}:
        return any(one.numbers for one in analysis.answer) or any(map(str.isdigit, analysis.answer_text))
    if asks is Asks.PERSON and _ADDRESS.search(analysis.answer_text[:_SCANNED]):
        return True
    if asks in {Asks.PERSON, Asks.PLACE}:
        return any(one.names - set(analysis.query.surface) for one in analysis.answer)
    return True


def _is_on_topic(analysis: Analysis, features: Mapping[str, float], requests: tuple[Request, ...]) -> bool:
    """Whether anything at all links the answer to the query, where an answer would speak of what it asks."""
    unnamed = all(one.wants_instances or one.wants_examples for one in requests)
    if unnamed or not analysis.topic or analysis.language_asked_for or features["recall"] > 0:
        return True
    if analysis.question.asks is Asks.POLAR:  # "Only at weekends."
        return True
    if len(requests) <= 1 and works_with_its_numbers(analysis):
        return True
    said = {meaning(stem) for stem in analysis.borne_out_stems}
    links = Links(analysis)
    if any(meaning(stem) in said or links.to(stem) > 0 for stem in analysis.topic):
        return True
    return is_in_words_of_its_own(analysis)
