"""What in a text tells people that it does not hang together, as features of 0 to 1: 0 is without fault.

All of them count faults and none counts merits, so more text can only cost. Scraps, order and
opening are held against summaries alone: readers expect those to flow and to go the way of their source, while an
answer to a question may be terse and take its facts from anywhere.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice, pairwise

from eval_worker.evaluation.text.stop_words import STOP_WORDS
from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.literal import is_line_of_code
from eval_worker.models.offline.statement import Statement

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

_COMPARED = 40  # each sentence with so many before it, which keeps it linear
_MOST_SENTENCES = 400
_UNREMARKABLE = 0.4  # of a sentence's words: what sentences on one topic share anyway
_ENOUGH_WORDS = 13
_ENOUGH_STEMS, _WORDS_FOR_ONE_STEM = 5, 3
_STUTTER_WITHIN, _MOST_STUTTERS = 4, 3
_MOST_PHRASES, _MOST_OPENINGS, _MOST_LEAPS = 6, 2, 4
_PHRASE_TO_REPEAT = 3
_OPENING_SENTENCES = 2
_TAKEN_FROM = 0.3
_MOST_PLACES = 60  # sentences of the source that are looked up for one word
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
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
    return {
        "says_again": _says_again(prose),
        "alike_openings": _alike_openings(prose),
        "scraps": _scraps(prose) if is_summary else 0.0,
        "stutter": _stutter(prose),
        "repeated_phrases": _repeated_phrases(prose),
        "vague": 0.0 if analysis.direct and analysis.is_fragment else _vague(analysis, prose),
        "leaps": leaps,
        "without_opening": without_opening,
    }


def wants_summary(analysis: Analysis) -> bool:
    return bool(analysis.context) and (
        not analysis.topic or _WANTS_SUMMARY.search(analysis.interaction.user_query[:_QUERY_SCANNED]) is not None
    )


def _prose(analysis: Analysis) -> list[Statement]:
    """The sentences, without code and without rows of tables."""
    statements = analysis.claims or analysis.answer
    if "```" in analysis.answer_text:
        statements = analysis.reader.read(_FENCED.sub("\n", analysis.answer_text))
    prose = (one for one in statements if one.words and not (_TABLE_ROW.match(one.text) or is_line_of_code(one.text)))
    return list(islice(prose, _MOST_SENTENCES))


def _says_again(prose: Sequence[Statement]) -> float:
    """How much of a sentence an earlier one has said, at the worst."""
    worst = 0.0
    said = [frozenset(one.stems) for one in prose]
    for position, stems in enumerate(said):
        before = said[max(0, position - _COMPARED) : position]
        if before and stems:
            worst = max(worst, max(len(stems & other) for other in before) / len(stems))
    return max(0.0, worst - _UNREMARKABLE) / (1 - _UNREMARKABLE)


def _alike_openings(prose: Iterable[Statement]) -> float:
    openings = Counter(one.words[:2] for one in prose if len(one.words) > 2)  # noqa: PLR2004  # more than the opening
    return _share(_repetitions(openings), _MOST_OPENINGS)


def _scraps(prose: Sequence[Statement]) -> float:
    """How far the shortest of several sentences is from a full one."""
    if len(prose) == 1:
        return 0.0
    return 1 - _share(min(len(one.words) for one in prose), _ENOUGH_WORDS)


def _stutter(prose: Iterable[Statement]) -> float:
    """Words of topic that come back at once: "the club , the club 's club"."""
    found = sum(
        word in one.words[max(0, place - _STUTTER_WITHIN) : place]
        for one in prose
        for place, word in enumerate(one.words)
        if word not in STOP_WORDS and not word.isdigit()
    )
    return _share(found, _MOST_STUTTERS)


def _repeated_phrases(prose: Iterable[Statement]) -> float:
    phrases = Counter(phrase for one in prose for phrase in zip(one.words, one.words[1:], one.words[2:], strict=False))
    return _share(_repetitions(phrases), _MOST_PHRASES)


def _vague(analysis: Analysis, prose: Sequence[Statement]) -> float:
    """How few words, for its length, tie the text to what was asked and given; without a context, words of topic."""
    stems = {stem for one in prose for stem in one.stems}
    known = sum(not analysis.context or one in analysis.query.surface or one in analysis.ground for one in stems)
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


def _repetitions(counts: Counter[tuple[str, ...]]) -> int:
    return sum(count - 1 for count in counts.values())


def _share(found: float, most: float) -> float:
    return min(found, most) / most
