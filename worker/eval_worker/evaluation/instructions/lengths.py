"""How long the answer is to be: sentences, words, characters, paragraphs, lines; for the whole or for each item."""

import re
from collections.abc import Iterator
from functools import lru_cache

from eval_worker.evaluation.instructions.amount import NUMBER, QUALIFIER, Amount, Bound, amount, check_amount
from eval_worker.evaluation.instructions.check import BROKEN, KEPT, Check
from eval_worker.evaluation.instructions.items import marked_items
from eval_worker.evaluation.instructions.request import is_reported
from eval_worker.evaluation.text.prefiltered import Prefiltered
from eval_worker.evaluation.text.sentences import split_sentences
from eval_worker.evaluation.text.words import Words

_UNITS = {
    "sentences": "sentences? sätzen? satz oraci(?:ón|ones) frasi frases предложени(?:е|я|й|ях)",
    "words": "words? wörtern? wort mots? palabras? parol[ae] palavras? слова?",
    "characters": "characters? letters? zeichen caract[èe]res? caratteri caracteres символов",
    "paragraphs": "paragraphs? absätzen? absatz paragraphes? párrafos? paragrafi parágrafos? абзац(?:а|ев)?",
    "lines": "lines? zeilen? lignes? líneas? righe linhas?",
    "bullet points": r"bullet[\s-]points? bullets? stichpunkten?",
}
_UNIT = "|".join(one for known in _UNITS.values() for one in known.split())
_OF_TEXT = Prefiltered(
    rf"(?:\b(?P<qualifier>{QUALIFIER})\s+)?(?:\bbetween\s+)?(?<![\w.,])(?P<number>{NUMBER})"
    rf"(?:\s*(?:-|–|to|and|bis|à|a)\s*(?P<upper>{NUMBER}))?[\s-]+"
    rf"(?:short |brief |single |full |complete |simple |long )?(?P<unit>{_UNIT})\b(?P<each>[^.?!\n]{{0,12}}\beach\b)?",
    words=(
        "sentence",
        "satz",
        "sätz",
        "oraci",
        "frasi",
        "frases",
        "предложени",
        "word",
        "wort",
        "wört",
        "mot",
        "palabra",
        "parol",
        "palavra",
        "слов",
        "character",
        "letter",
        "zeichen",
        "caract",
        "caratteri",
        "символов",
        "paragra",
        "absatz",
        "absätz",
        "párrafo",
        "parágrafo",
        "абзац",
        "line",
        "zeile",
        "ligne",
        "línea",
        "righe",
        "linha",
        "bullet",
        "stichpunkt",
    ),
)
_UNSPACED = re.compile(
    r"(?P<qualifier>只用|恰好|正好|至少|最多|不超过|少于)?\s*(?P<number>\d{1,4}|[一二两三四五六七八九十])\s*"
    r"(?P<unit>句话|句|个字|字|文字|文|段)(?:以内|以下|内)?"
)
_UNSPACED_UNITS = {"句话": "sentences", "句": "sentences", "文": "sentences", "段": "paragraphs"}
_WITHIN_UNSPACED = re.compile(r"以内|以下|不超过|少于|内$")
_ONE = Prefiltered(
    r"\b(?:in|as|with|using|into|to|within|write|give(?: me)?|provide|generate|compose|create|construct|make|form)\s+"
    r"(?:me\s+)?(?P<number>an?|one|only one|just one)\s+(?:(?:single|short|brief|complete|concise|simple|one|long|"
    r"clear)\s+)*"
    r"(?P<unit>sentence|word|paragraph|line)\b(?!\s*-|\s+(?:or|of code|break|structure|by|count|processor|document|"
    r"each|\w+ed)\b)",
    words=("sentence", "word", "paragraph", "line"),
)
_FEW = Prefiltered(
    r"\b(?:in|with|write|give(?: me)?|using|type)\s+(?:just |only )?a few\s+(?P<unit>sentences|words)\b",
    words=("a few",),
)
_OWNED = re.compile(
    r"\b(?:the|first|last|these|those|following|given|have|has|had|my|both|previous|above|are|is|all)\s+$",
    re.IGNORECASE,
)
_EVERY = Prefiltered(
    rf"\b(?:each|every)\b[^.?!\n]{{0,60}}?\b(?:(?P<qualifier>{QUALIFIER})\s+)?(?P<number>{NUMBER}|a|an)\s+"
    rf"(?:short |single )?(?P<unit>sentences?|words?)\b",
    words=("each", "every"),
)
_OF_EACH = re.compile(r"\b(?:each|every)\b[^.?!\n]{0,60}$", re.IGNORECASE)
_CHANGED = re.compile(r"\s+(?:changed|replaced|removed|added|different|missing|swapped|each)\b", re.IGNORECASE)
_NAMES_WORDS = re.compile(
    r"\s+(?:that|which|to|for|with|start\w*|begin\w*|rhym\w*|describ\w*|relat\w*|from|about|you|i)\b", re.IGNORECASE
)
_LISTS = re.compile(
    r"\b(?:list|name|find|suggest|think of|choose|pick|give(?: me)?|tell me|what are)\s+(?:the\s+)?$", re.IGNORECASE
)
_LEAST_CHARACTERS = 20  # fewer are the persons of a story, or the letters of a word
_FEW_AT_LEAST, _FEW_AT_MOST = 2, 6
_MOST_NAMED = 12
_BEFORE = 14
_LEAST_ITEMS = 2


@lru_cache(maxsize=16)  # several checks and judges ask it of one query, whose orders are short
def wanted_lengths(orders: str) -> tuple[Amount, ...]:
    """Limits on the text as a whole, one a unit: "at most 50 words", "in one sentence"."""
    found: dict[str, Amount] = {}
    for one in (*_single(orders), *_counted(orders), *_unspaced(orders)):
        found.setdefault(one.unit, one)
    return tuple(found.values())


def check_lengths(orders: str, answer: str) -> Iterator[Check]:
    for wanted in wanted_lengths(orders):
        yield check_amount(wanted, count_of(wanted.unit, answer))
    yield from _check_each(orders, answer)


def count_of(unit: str, answer: str) -> int:
    """How many of a unit of text the answer has."""
    match unit:
        case "words":
            return Words(answer).count
        case "characters":
            return len(answer.strip())
        case "paragraphs":
            return sum(any(map(str.isalnum, part)) for part in re.split(r"\n[ \t]*\n", answer))
        case "lines":
            return sum(any(map(str.isalnum, line)) for line in answer.splitlines())
        case "bullet points":
            return len(marked_items(answer))
        case _:
            return len(split_sentences(answer))


def _single(orders: str) -> Iterator[Amount]:
    for match in _ONE.finditer(orders):
        if not (is_reported(orders, match.start()) or _OF_EACH.search(orders[: match.start()][-70:])):
            strict = match.group("number").lower() not in {"a", "an"} or match.group().lower().startswith(
                ("in", "as", "us")
            )
            yield Amount(Bound.EXACTLY if strict else Bound.PLAIN, 1, match.group("unit").lower() + "s")
    for match in _FEW.finditer(orders):
        yield Amount(
            Bound.BETWEEN,
            _FEW_AT_LEAST,
            match.group("unit").lower(),
            _FEW_AT_MOST * (5 if match.group("unit") == "words" else 1),
        )


def _counted(orders: str) -> Iterator[Amount]:
    for match in _OF_TEXT.finditer(orders):
        wanted = amount(
            match.group("qualifier"), match.group("number"), _unit(match.group("unit")), match.group("upper")
        )
        if not (match.group("each") or _is_other_matter(orders, match, wanted)):
            yield wanted


def _is_other_matter(orders: str, match: re.Match[str], wanted: Amount) -> bool:
    before, after = orders[: match.start()], orders[match.end() : match.end() + 20]
    if _CHANGED.match(after):
        return True
    if wanted.unit == "characters" and wanted.number < _LEAST_CHARACTERS:
        return True
    if wanted.unit == "words" and not wanted.bound and wanted.number <= _MOST_NAMED and _LISTS.search(before[-20:]):
        return _NAMES_WORDS.match(after) is not None
    if _OF_EACH.search(before[-70:]):
        return True
    return _OWNED.search(before[-_BEFORE:]) is not None or is_reported(orders, match.start())


def _unit(word: str) -> str:
    word = word.lower()
    return next(unit for unit, known in _UNITS.items() if any(re.fullmatch(one, word) for one in known.split()))


def _unspaced(orders: str) -> Iterator[Amount]:
    match = None if orders.isascii() else _UNSPACED.search(orders)
    if match and re.search(r"[用写寫在请請回答概括总總述说說書で]", orders):
        unit = _UNSPACED_UNITS.get(match.group("unit"), "characters")
        wanted = amount(match.group("qualifier"), match.group("number"), unit)
        yield Amount(Bound.AT_MOST, wanted.number, unit) if _WITHIN_UNSPACED.search(match.group()) else wanted


@lru_cache(maxsize=16)  # several checks and judges ask it of one query, whose orders are short
def _wanted_of_each(orders: str) -> Amount | None:
    match = _EVERY.search(orders) or next((one for one in _OF_TEXT.finditer(orders) if one.group("each")), None)
    if match is None or is_reported(orders, match.start()):
        return None
    if _OWNED.search(orders[: match.start("number")][-_BEFORE:]):
        return None
    number = match.group("number")
    return amount(
        match.group("qualifier"), "1" if number.lower() in {"a", "an"} else number, _unit(match.group("unit"))
    )


def _check_each(orders: str, answer: str) -> Iterator[Check]:
    """Of "each item in one sentence" and "of 5 words each": how many of the items keep it."""
    wanted = _wanted_of_each(orders)
    if wanted is None:
        return
    items = marked_items(answer) or [line for line in answer.splitlines() if line.strip()]
    if len(items) < _LEAST_ITEMS:
        return
    scores = [check_amount(wanted, count_of(wanted.unit, item)).score for item in items]
    kept = sum(score >= KEPT for score in scores)
    score = KEPT if kept == len(items) else BROKEN + (KEPT - BROKEN) * kept / len(items) / 2
    yield Check(score, f"asked for {wanted} in each, {kept} of the answer's {len(items)} have that")
