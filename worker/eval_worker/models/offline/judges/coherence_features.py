"""What in a text tells people that it does not hang together, as features of 0 to 1: 0 is without fault.

All of them count faults and none counts merits. Some faults are sure to come with length, so they count per short
text's worth of words on the matter: filler and loops make no room for more. What is asked about may
come back. Scraps, order and opening are held against summaries alone: readers expect those to flow and to go the way
of their source, while an answer to a question may be terse and take its facts from anywhere.
"""

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice, pairwise

from eval_worker.evaluation.text.sentences import LIST_MARK, split_sentences
from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.judges.repetition import (
    alike_openings,
    repeated_phrases,
    says_again,
    stutters,
    where_it_jars,
)
from eval_worker.models.offline.reading.literal import is_line_of_code
from eval_worker.models.offline.reading.statement import Statement
from eval_worker.models.offline.reading.vocabulary import REFERS_BACK

SIGNS = {
    "says_again": -1,
    "alike_openings": -1,
    "scraps": -1,
    "stutter": -1,
    "repeated_phrases": -1,
    "vague": -1,
    "leaps": -1,
    "without_opening": -1,
}

_STEMS_OF_SHORT_TEXT = 28  # distinct: three or four sentences, such as people judged the faults of
_MOST_SENTENCES = 400
_ENOUGH_WORDS = 13
_ENOUGH_STEMS, _WORDS_FOR_ONE_STEM = 5, 3
_MOST_STUTTERS = 3
_MOST_PHRASES, _MOST_OPENINGS, _MOST_LEAPS = 6, 2, 4
_OPENING_SENTENCES = 2
_TAKEN_FROM = 0.3
_MOST_PLACES = 60  # sentences of the source that are looked up for one word
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_MARKED_LINE = re.compile(rf"^[ \t]*(?:{LIST_MARK}|#{{1,6}})[ \t]+\S.*$", re.MULTILINE)
_TABLE_ROW = re.compile(r"\s*\|")
_WANTS_SUMMARY = re.compile(
    r"summar|tl;?dr|recap|abstract|zusammenfass|fasse\b|résum|resum|riassum|samenvat|sammanfatt|streszcz|podsumuj|"
    r"özetle|кратк|резюм|підсум|сумар|总结|總結|摘要|概括|要約|まとめ|요약|สรุป|tóm tắt|لخص|ملخص|सारांश|"
    r"περίληψη|תקציר|ringkas",
    re.IGNORECASE,
)
_QUERY_SCANNED = 2000


def features_of(analysis: Analysis) -> dict[str, float] | None:
    """Return the faults by name; None where there are no sentences that could have any: a list, code, a table."""
    if analysis.nothing_said or analysis.is_list:
        return None
    prose = _prose(analysis)
    if not prose:
        return None
    is_summary = wants_summary(analysis)
    leaps, without_opening = _against_source(analysis, prose) if is_summary else (0.0, 0.0)
    room = room_for_faults(analysis)
    asked = frozenset(analysis.asked.words)
    flows = is_read_as_text(analysis)
    places = where_it_jars(prose, flows=flows)
    openings = alike_openings(prose, places, asked, items_of(analysis.answer_text))
    return {
        "says_again": says_again(prose, places, frozenset(analysis.asked.stems), room),
        "alike_openings": _excess(openings, _MOST_OPENINGS, room),
        "scraps": _scraps(prose) if is_summary else 0.0,
        "stutter": _excess(stutters(prose, asked, flows=flows), _MOST_STUTTERS, room),
        "repeated_phrases": _excess(repeated_phrases(prose, places, asked), _MOST_PHRASES, room),
        "vague": 0.0 if analysis.direct and analysis.is_fragment else _vague(analysis, prose),
        "leaps": leaps,
        "without_opening": without_opening,
    }


def wants_summary(analysis: Analysis) -> bool:
    return bool(analysis.context) and (
        not analysis.topic or _speaks_of_summary(analysis.interaction.user_query[:_QUERY_SCANNED])
    )


@lru_cache(maxsize=16)  # asked more than once of one query, whose head is short
def _speaks_of_summary(query: str) -> bool:
    return _WANTS_SUMMARY.search(query) is not None


def is_read_as_text(analysis: Analysis) -> bool:
    """Whether it is to flow, as a summary and talk are; an answer may list, and say alike what is alike."""
    return analysis.dialogue is not None or wants_summary(analysis)


def _prose(analysis: Analysis) -> list[Statement]:
    """The sentences, without code and without rows of tables."""
    statements = analysis.claims_said or analysis.answer
    if "```" in analysis.answer_text:
        statements = analysis.reader.read(_FENCED.sub("\n", analysis.answer_text))
    prose = (one for one in statements if one.words and not (_TABLE_ROW.match(one.text) or is_line_of_code(one.text)))
    return list(islice(prose, _MOST_SENTENCES))


def room_for_faults(analysis: Analysis) -> float:
    """How much the text says on the matter, in short texts: saying it again, or speaking of other things, is no more.

    What opens with "this" has a link to any text, so filler may well, and does not count.
    """
    counted = (one for one in analysis.claims or analysis.answer if REFERS_BACK.match(one.text) is None)
    return max(1.0, len(set[str]().union(*(one.stems for one in counted))) / _STEMS_OF_SHORT_TEXT)


def items_of(text: str) -> frozenset[str]:
    """The sentences that open an item of a list or a heading."""
    return frozenset(sentence for line in _MARKED_LINE.findall(text) for sentence in split_sentences(line)[:1])


def _scraps(prose: Sequence[Statement]) -> float:
    """How far the shortest of several sentences is from a full one."""
    if len(prose) == 1:
        return 0.0
    return 1 - _share(min(len(one.words) for one in prose), _ENOUGH_WORDS)


def _vague(analysis: Analysis, prose: Sequence[Statement]) -> float:
    """How few words, for its length, tie the text to what was asked and given; without a context, words of topic."""
    stems = set[str]().union(*(one.stems for one in prose))
    query, ground = analysis.query.surface, analysis.ground
    known = sum(one in query or one in ground for one in stems) if analysis.context else len(stems)
    words = sum(len(one.words) for one in prose)
    return 1 - _share(known, max(1.0, min(_ENOUGH_STEMS, words / _WORDS_FOR_ONE_STEM)))


def _against_source(analysis: Analysis, prose: Sequence[Statement]) -> tuple[float, float]:
    """Steps to another place of the source than the next, and the share missing of what the source opens with."""
    source = analysis.context
    places: dict[str, list[int]] = {}
    for position, one in enumerate(source):
        for stem in one.stems:
            places.setdefault(stem, []).append(position)
    taken = [place for one in prose if (place := _place_in_source(one, places, len(source))) is not None]
    leaps = sum(not 0 <= after - before <= 1 for before, after in pairwise(taken))
    opening = {stem for one in source[:_OPENING_SENTENCES] for stem in one.stems}
    told = sum(any(stem in one.surface for one in prose) for stem in opening)
    return _share(leaps, _MOST_LEAPS), 1 - told / len(opening) if opening else 0.0


def _place_in_source(one: Statement, places: dict[str, list[int]], size: int) -> int | None:
    """The sentence of the source that shares most with this one, rare words counting more; None if it is too little."""
    shared: dict[int, list[float]] = {}
    weights: list[float] = []
    for stem in one.stems:
        found = places.get(stem, [])
        weight = math.log((size + 1) / (len(found) + 0.5))
        weights.append(weight)
        for place in found[:_MOST_PLACES]:
            shared.setdefault(place, []).append(weight)
    if not shared:
        return None
    sums = {place: round(math.fsum(found), 6) for place, found in shared.items()}
    best = max(sums, key=lambda place: (sums[place], -place))
    return best if sums[best] > _TAKEN_FROM * math.fsum(weights) else None


def _excess(found: int, most: int, room: float) -> float:
    """Faults per short text; each such text beyond the first may have one that nobody minds."""
    return _share(max(0.0, found - (room - 1)) / room, most)


def _share(found: float, most: float) -> float:
    return min(found, most) / most
