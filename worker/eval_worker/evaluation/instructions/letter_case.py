"""Letters and signs: upper or lower case, no commas, no exclamation marks, emojis or none."""

import re
from collections.abc import Iterator
from functools import lru_cache

from eval_worker.evaluation.instructions.check import Check, told
from eval_worker.evaluation.instructions.request import is_reported
from eval_worker.evaluation.text.prefiltered import Prefiltered

_UPPER = Prefiltered(
    r"\b(?:in|using|use|all in|only)\s+(?:all\s+|only\s+)?(?:upper[ -]?case|capital letters|(?:all[ -])?caps|"
    r"capitals)\b|\ball[ -]caps\b|"
    r"\bin großbuchstaben\b|\ben majuscules\b|\ben mayúsculas\b",
    words=("upper", "capital", "caps", "großbuchstaben", "majuscules", "mayúsculas"),
)
_LOWER = Prefiltered(
    r"\b(?:in|using|use|only)\s+(?:all\s+|only\s+)?(?:lower[ -]?case|small letters)\b|\bno capital letters\b|"
    r"\bin kleinbuchstaben\b|\ben minuscules\b|\ben minúsculas\b",
    words=("lower", "small letters", "capital", "kleinbuchstaben", "minuscules", "minúsculas"),
)
_ABOUT_A_PART = re.compile(
    r"\b(?:words?|letters?|titles?|headings?|names?|acronyms?|each|every|at least|first|convert|change)\b",
    re.IGNORECASE,
)
_WITHOUT = r"\b(?:no|without(?: using)?(?: any)?|(?:do not|don't|never) use(?: any)?|avoid(?: using)?(?: any)?)\s+"
_SIGNS = {
    "commas": (Prefiltered(_WITHOUT + r"commas?\b", words=("comma",)), re.compile("[,,、،]")),
    "exclamation marks": (
        Prefiltered(_WITHOUT + r"exclamation (?:marks?|points?)\b", words=("exclamation",)),
        re.compile("[!!]"),
    ),
    "question marks": (Prefiltered(_WITHOUT + r"question marks?\b", words=("question mark",)), re.compile("[?？]")),
    "emojis": (
        Prefiltered(_WITHOUT + r"emojis?\b", words=("emoji",)),
        re.compile("[\U0001f300-\U0001faff\u2600-\u27bf]"),
    ),
    "digits": (Prefiltered(_WITHOUT + r"(?:digits|numerals)\b", words=("digits", "numerals")), re.compile(r"\d")),
    "hashtags": (Prefiltered(_WITHOUT + r"hashtags?\b", words=("hashtag",)), re.compile(r"#\w")),
}
_WANTED_SIGNS = {
    name: Prefiltered(
        rf"\b(?:use|with|include|add|using)\s+(?:\w+\s+){{0,2}}?{name}?\b", words=(name.removesuffix("s"),)
    )
    for name in ("emojis", "hashtags")
}
_BEFORE = 40


def check_letters(orders: str, answer: str) -> Iterator[Check]:
    wanted = _wanted(orders)
    if "uppercase" in wanted:
        yield told("asked for uppercase", kept=answer == answer.upper(), otherwise="the answer has lowercase letters")
    if "lowercase" in wanted:
        yield told("asked for lowercase", kept=answer == answer.lower(), otherwise="the answer has capitals")
    for name, (_, sign) in _SIGNS.items():
        if f"no {name}" in wanted:
            yield told(f"asked for no {name}", kept=sign.search(answer) is None, otherwise="the answer has some")
    for name in _WANTED_SIGNS:
        if name in wanted and f"no {name}" not in wanted:
            kept = _SIGNS[name][1].search(answer) is not None
            yield told(f"asked for {name}", kept=kept, otherwise="the answer has none")


@lru_cache(maxsize=16)  # several checks and judges ask it of one query, whose orders are short
def _wanted(orders: str) -> frozenset[str]:
    """What is asked for by name: a case, a sign, or no such sign."""
    cases = (
        name for name, pattern in (("uppercase", _UPPER), ("lowercase", _LOWER)) if _asks_for_case(pattern, orders)
    )
    unwanted = (f"no {name}" for name, (pattern, _) in _SIGNS.items() if pattern.search(orders))
    return frozenset((*cases, *unwanted, *(name for name, one in _WANTED_SIGNS.items() if one.search(orders))))


def _asks_for_case(pattern: Prefiltered, orders: str) -> bool:
    match = pattern.search(orders)
    if match is None or is_reported(orders, match.start()):
        return False
    return _ABOUT_A_PART.search(orders, max(0, match.start() - _BEFORE), match.start()) is None
