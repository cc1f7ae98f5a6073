"""Letters and signs: upper or lower case, no commas, no exclamation marks, emojis or none."""

import re
from collections.abc import Iterator

from eval_worker.evaluation.instructions.check import Check, told
from eval_worker.evaluation.instructions.request import is_reported

_UPPER = re.compile(
    r"\b(?:in|using|use|all in|only)\s+(?:all\s+|only\s+)?(?:upper[ -]?case|capital letters|(?:all[ -])?caps|"
    r"capitals)\b|\ball[ -]caps\b|"
    r"\bin großbuchstaben\b|\ben majuscules\b|\ben mayúsculas\b",
    re.IGNORECASE,
)
_LOWER = re.compile(
    r"\b(?:in|using|use|only)\s+(?:all\s+|only\s+)?(?:lower[ -]?case|small letters)\b|\bno capital letters\b|"
    r"\bin kleinbuchstaben\b|\ben minuscules\b|\ben minúsculas\b",
    re.IGNORECASE,
)
_ABOUT_A_PART = re.compile(
    r"\b(?:words?|letters?|titles?|headings?|names?|acronyms?|each|every|at least|first|convert|change)\b",
    re.IGNORECASE,
)
_WITHOUT = r"\b(?:no|without(?: using)?(?: any)?|(?:do not|don't|never) use(?: any)?|avoid(?: using)?(?: any)?)\s+"
_SIGNS = {
    "commas": (re.compile(_WITHOUT + r"commas?\b", re.IGNORECASE), re.compile("[,,、،]")),
    "exclamation marks": (
        re.compile(_WITHOUT + r"exclamation (?:marks?|points?)\b", re.IGNORECASE),
        re.compile("[!!]"),
    ),
    "question marks": (re.compile(_WITHOUT + r"question marks?\b", re.IGNORECASE), re.compile("[?？]")),
    "emojis": (
        re.compile(_WITHOUT + r"emojis?\b", re.IGNORECASE),
        re.compile("[\U0001f300-\U0001faff\u2600-\u27bf]"),
    ),
    "digits": (re.compile(_WITHOUT + r"(?:digits|numerals)\b", re.IGNORECASE), re.compile(r"\d")),
    "hashtags": (re.compile(_WITHOUT + r"hashtags?\b", re.IGNORECASE), re.compile(r"#\w")),
}
_WANTED_EMOJI = re.compile(r"\b(?:use|with|include|add|using)\s+(?:\w+\s+){0,2}?emojis?\b", re.IGNORECASE)
_WANTED_HASHTAG = re.compile(r"\b(?:use|with|include|add|using)\s+(?:\w+\s+){0,2}?hashtags?\b", re.IGNORECASE)
_BEFORE = 40


def check_letters(orders: str, answer: str) -> Iterator[Check]:
    if _asks_for_case(_UPPER, orders):
        yield told("asked for uppercase", kept=answer == answer.upper(), otherwise="the answer has lowercase letters")
    if _asks_for_case(_LOWER, orders):
        yield told("asked for lowercase", kept=answer == answer.lower(), otherwise="the answer has capitals")
    for name, (unwanted, sign) in _SIGNS.items():
        if unwanted.search(orders):
            yield told(f"asked for no {name}", kept=sign.search(answer) is None, otherwise="the answer has some")
    for name, wanted in (("emojis", _WANTED_EMOJI), ("hashtags", _WANTED_HASHTAG)):
        unwanted, sign = _SIGNS[name]
        if wanted.search(orders) and not unwanted.search(orders):
            yield told(f"asked for {name}", kept=sign.search(answer) is not None, otherwise="the answer has none")


def _asks_for_case(pattern: re.Pattern[str], orders: str) -> bool:
    match = pattern.search(orders)
    if match is None or is_reported(orders, match.start()):
        return False
    return _ABOUT_A_PART.search(orders, max(0, match.start() - _BEFORE), match.start()) is None
