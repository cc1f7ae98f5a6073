"""How many of something a query wants, and how many an answer has."""

import re
from dataclasses import dataclass
from enum import StrEnum

from eval_worker.evaluation.text.sentences import split_sentences
from eval_worker.evaluation.text.words import Words
from eval_worker.models.offline.numbers_in_text import NUMBER_WORDS

_SCANNED = 2000
_NUMBER = r"(\d{1,4}|" + "|".join(sorted(map(re.escape, NUMBER_WORDS), key=lambda word: (-len(word), word))) + ")"
_QUALIFIER = (
    r"(exactly|precisely|only|just|at least|no (?:fewer|less) than|a minimum of|minimum|at most|no more than|up to|"
    r"a maximum of|maximum|within|under|below|fewer than|less than|more than|over|about|around|approximately|"
    r"genau|exactement|exactamente|mindestens|höchstens|au moins|au plus|al menos|como máximo)"
)
_UNIT = (
    r"(sentences?|words?|characters?|letters?|paragraphs?|lines?|bullet points?|bullets?|sätzen?|phrases?|mots|"
    r"palabras)"
)
_OF_TEXT = re.compile(
    rf"(?:\b{_QUALIFIER}\s+)?\b{_NUMBER}[\s-]+(?:short |brief |single |full |complete )?{_UNIT}\b", re.IGNORECASE
)
_SINGLE = re.compile(
    r"\b(?:in|as|with|using|into|to) (?:a|one) (?:single |short |brief |complete )?"
    r"(sentence|word|paragraph|line)\b",
    re.IGNORECASE,
)
_VERB = (
    r"(?:give|list|name|provide|write|suggest|tell|show|mention|state|identify|find|generate|create|recommend|describe|"
    r"explain|propose|offer|share|include|pick|choose|what are|which are|nenne|gib|donne[rz]?|cite[rz]?|liste[rz]?|"
    r"dame|da|nombra|lista|enumera|elenca|dammi|dê|назови|приведи|перечисли)"
)
_OF_ITEMS = re.compile(
    rf"\b{_VERB}\s+(?:me\s+|us\s+|mir\s+|-moi\s+|down\s+)?(?:the\s+|your\s+|a list of\s+|any\s+)?"
    rf"(?:top\s+|best\s+|main\s+|first\s+)?"
    rf"(?:{_QUALIFIER}\s+)?{_NUMBER}\s+(?!times\b|years?\b|days?\b|hours?\b|minutes?\b|percent\b|{_UNIT})"
    r"((?:[^\W\d_][\w'-]*\s*){1,5})",
    re.IGNORECASE,
)
_OF_ITEMS_UNSPACED = re.compile(
    r"(只|恰好|至少|最多)?(\d{1,3}|[一二两三四五六七八九十])\s*(?:个|個|种|種|条|條|项|項|つ)"
)

_MARKED_LINE = re.compile(r"^[ \t]*(?:[-*•–]|\(?\d{1,3}[.):、])[ \t]*[^\W_]", re.MULTILINE)
_INLINE_MARK = re.compile(r"(?:^|[\s:;,(])\(?(\d{1,2})[.)]\s+\S")
_LIST_LEAD = re.compile(r"\b(?:are|is|include|includes|including|such as|like|namely|follows)\b:?|[::]", re.IGNORECASE)
_SEPARATOR = re.compile(r"\s*[,;、,;]\s*(?:(?:and|or|und|et|y|e|и)\s+)?|\s+(?:and|or|und|et|y|&|и)\s+|和|以及")
_LONGEST_LIST = 20_000


class Bound(StrEnum):
    EXACTLY = "exactly"
    AT_LEAST = "at least"
    AT_MOST = "at most"
    ABOUT = "about"
    PLAIN = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    bound: Bound
    number: int
    unit: str

    def __str__(self) -> str:
        return f"{self.bound} {self.number} {self.unit}".strip()


_BOUNDS = {
    Bound.EXACTLY: "exactly precisely only just genau exactement exactamente 只 恰好",
    Bound.AT_LEAST: "least fewer_than less_than minimum mindestens moins menos 至少 more over",
    Bound.AT_MOST: "most maximum up within under below höchstens plus máximo 最多",
    Bound.ABOUT: "about around approximately",
}


def wanted_lengths(query: str) -> list[Wanted]:
    """Limits on the text itself: "at most 50 words", "in one sentence"."""
    query = query[:_SCANNED]
    found = [Wanted(Bound.EXACTLY, 1, match.group(1).lower() + "s") for match in _SINGLE.finditer(query)]
    taken = {one.unit for one in found}
    for match in _OF_TEXT.finditer(query):
        qualifier, number, unit = match.groups()
        before = query[max(0, match.start() - 12) : match.start()].lower()
        plural = unit.lower().rstrip("s") + "s"
        if (
            plural in taken
            or "each" in query[match.end() : match.end() + 12]
            or before.rstrip().endswith(("the", "first"))
        ):
            continue
        bound = _bound(qualifier)
        number = _number(number)
        if qualifier and qualifier.lower() in {"under", "below", "fewer than", "less than"}:
            number -= 1
        elif qualifier and qualifier.lower() in {"more than", "over"}:
            number += 1
        found.append(Wanted(bound, number, plural))
        taken.add(plural)
    return found


def wanted_items(query: str) -> Wanted | None:
    """How many things the answer is to name."""
    query = query[:_SCANNED]
    match = _OF_ITEMS.search(query)
    if match:
        return Wanted(_bound(match.group(1)), _number(match.group(2)), " ".join(match.group(4).split()[:3]))
    match = _OF_ITEMS_UNSPACED.search(query)
    if match and re.search(r"列|举|舉|给|給|写|寫|说|挙|教え|書", query):
        return Wanted(_bound(match.group(1)), _number(match.group(2)), "items")
    return None


def _bound(qualifier: str | None) -> Bound:
    if not qualifier:
        return Bound.PLAIN
    words = qualifier.lower().split()
    if words[0] == "no" and len(words) > 1:
        return Bound.AT_MOST if words[1] == "more" else Bound.AT_LEAST
    if words[0] in {"fewer", "less"}:
        return Bound.AT_MOST
    return next((bound for bound, known in _BOUNDS.items() if set(known.split()) & set(words)), Bound.PLAIN)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else NUMBER_WORDS[text.lower()]


def count_of(unit: str, answer: str) -> int:
    """How many of a unit of text the answer has."""
    if unit.startswith(("word", "mot", "palabra")):
        return Words(answer).count
    if unit.startswith(("character", "letter")):
        return len(answer.strip())
    if unit.startswith("paragraph"):
        return len([part for part in re.split(r"\n\s*\n", answer) if part.strip()])
    if unit.startswith("line"):
        return len([line for line in answer.splitlines() if line.strip()])
    if unit.startswith("bullet"):
        return len(_MARKED_LINE.findall(answer))
    return len(split_sentences(answer))


def count_items(answer: str, wanted: int) -> int:
    """How many things the answer names: list items, or what a sentence enumerates, or sentences where it has no list.

    Text may be read in more than one way; a list that is marked as one is believed, else the reading nearest to what
    was wanted.
    """
    answer = answer[:_LONGEST_LIST]
    marked = len(_MARKED_LINE.findall(answer))
    inline = len({match.group(1) for match in _INLINE_MARK.finditer(answer)})
    if max(marked, inline) > 1:
        return max(marked, inline)
    enumerated = [_enumerated(sentence) for sentence in split_sentences(answer)]
    longest = max(enumerated, default=0)
    if longest > 1:
        return longest
    readings = [len(enumerated), sum(any(map(str.isalnum, line)) for line in answer.splitlines())]
    return min(readings, key=lambda count: (abs(count - wanted), count))


def _enumerated(sentence: str) -> int:
    sentence = " ".join(sentence.split())
    lead = _LIST_LEAD.search(sentence)
    listed = sentence[lead.end() :] if lead else sentence
    return len([part for part in _SEPARATOR.split(listed) if part and any(map(str.isalnum, part))])
