"""What a query gives to be reworked: rewritten, combined, corrected. An answer keeps what it says, and changes how."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from eval_worker.evaluation.text.words import Words
from eval_worker.models.offline.analysis import Analysis

_SCANNED, _FEWEST_WORDS = 6000, 4
_OPENING = re.compile(
    r"^\W*(?:(?:please|kindly|(?:can|could|would) you|i want you to|your task is to)\s+)*"
    r"(?:re-?write|rephrase|paraphrase|re-?word|revise|correct|proofread|edit|combine|merge|shorten|condense|simplify|"
    r"rearrange|improve|fix|restate|reformulate|polish|change|transform|turn|take|make (?:this|it|that|the|my)|"
    r"schreib\w*|formulier\w*|korrigier\w*|"
    r"verbesser\w*|réécri\w+|reformule\w*|corrige\w*|reescrib\w+|riscriv\w+|reescrev\w+|herschrijf|перепиши\w*|исправь\w*)\b",
    re.IGNORECASE,
)
_POINTS_TO_IT = re.compile(
    r"\b(?:following|given|this|these|those|below|sentences?|texts?|paragraphs?|passages?|statements?|folgende\w*|satz|"
    r"diesen|suivante?s?|cette|phrase|siguientes?|esta|frase|oración|seguente|seguinte|volgende|zin|следующ\w+|"
    r"предложени\w+)\b",
    re.IGNORECASE,
)
_SAYS_OTHER_THINGS = re.compile(
    r"translat|übersetz|tradui|traduc|expand|stor(?:y|ies)\b|questions?\b|poem", re.IGNORECASE
)
_CODE = re.compile(r"\w\(|\(\)|[{};=]|\[\d|->")
_END_OF_OPENING = re.compile(r"(?<=[.?!:])\s+|\n+")


@dataclass(frozen=True, slots=True)
class Rework:
    """`orders` open the query, `material` is the rest of it."""

    orders: str
    material: str


def given_to_rework(analysis: Analysis) -> Rework | None:
    """What the query gives to be reworked; with a context it gives none."""
    return None if analysis.context else _rework_of(analysis.interaction.user_query)


def reworks(analysis: Analysis) -> bool:
    """Whether the answer, to a query that gives something to be reworked, does not have that word for word."""
    given = given_to_rework(analysis)
    if given is None:
        return False
    if _CODE.search(given.material):  # of code a bracket or a colon may be all that was wrong
        return "".join(given.material.split()) not in "".join(analysis.whole_text.split())
    return _row(Words(given.material).sequence) not in _row(Words(analysis.whole_text).sequence)


@lru_cache(maxsize=16)  # asked of one query for each core of its answer
def _rework_of(query: str) -> Rework | None:
    """None where nothing is given to be reworked, or what comes of it need not keep its words, as in a translation."""
    end = _END_OF_OPENING.search(query[:_SCANNED])
    if end is None:
        return None
    orders, material = query[: end.start()], query[end.end() : _SCANNED].strip()
    points_to_it = _POINTS_TO_IT.search(orders) or query[end.start() :].startswith("\n\n")
    if not _OPENING.match(orders) or not points_to_it or _SAYS_OTHER_THINGS.search(orders):
        return None
    return Rework(orders, material) if len(material.split()) >= _FEWEST_WORDS else None


def _row(words: Sequence[str]) -> str:
    return f" {' '.join(words)} "
