"""How many of something an instruction wants, and how well a count meets that."""

import re
from dataclasses import dataclass
from enum import StrEnum

from eval_worker.evaluation.instructions.check import KEPT, NEARLY, Check
from eval_worker.evaluation.text.numbers_in_text import NUMBER_WORDS
from eval_worker.evaluation.text.word_set import word_set

_VAGUE = {
    "a couple of": 2,
    "a couple": 2,
    "ein paar": 2,
    "un par de": 2,
    "a dozen": 12,
    "one dozen": 12,
    "two dozen": 24,
    "half a dozen": 6,
}
# Of queries alone: elsewhere some of them are other words ("네" is yes).
_COUNTED = {
    word: value
    for value, words in enumerate(
        (
            "दो 두 twee iki duas две اثنين",
            "तीन 세 drie üç ثلاثة ثلاث",
            "चार 네 dört أربعة أربع",
            "पाँच पांच 다섯 vijf beş خمسة خمس",
            "छह 여섯 zes altı ستة ست",
            "सात 일곱 zeven yedi سبعة سبع",
            "आठ 여덟 sekiz ثمانية ثماني",
            "नौ 아홉 negen dokuz تسعة تسع",
            "दस 열 tien عشرة عشر",
        ),
        start=2,
    )
    for word in words.split()
}
_NUMBERS = {**NUMBER_WORDS, **_VAGUE, **_COUNTED}
NUMBER = r"(?:\d{1,4}|" + "|".join(sorted(map(re.escape, _NUMBERS), key=lambda word: (-len(word), word))) + ")"
QUALIFIER = (
    r"(?:exactly|precisely|only|just|at least|at the least|no (?:fewer|less) than|not (?:fewer|less) than|"
    r"a minimum of|minimum(?: of)?|at most|at the most|no more than|not more than|up to|a maximum of|maximum(?: of)?|"
    r"max\.?|within|under|below|fewer than|less than|more than|over|about|around|approximately|roughly|"
    r"genau|exakt|nur|exactement|précisément|seulement|exactamente|precisamente|solamente|solo|sólo|esattamente|soltanto|apenas|بالضبط|فقط|"
    r"exatamente|somente|ровно|только|precies|exact|minstens|hoogstens|"
    r"mindestens|höchstens|maximal|au moins|au plus|"
    r"al menos|por lo menos|como máximo|almeno|al massimo|pelo menos|no máximo|не менее|не более|минимум|максимум)"
)
_ONE_OVER, _FAR_OVER_STEP, _FAR_OVER_LEAST = 0.8, 0.15, 0.4
_UNDER, _NOT_EXACT = 0.35, 0.3
_OVER_LIMIT, _OVER_LIMIT_LEAST = 0.5, 0.1
_NEAR, _ABOUT = 0.1, 0.25
_LONG_UNITS = frozenset({"words", "characters"})


class Bound(StrEnum):
    EXACTLY = "exactly"
    AT_LEAST = "at least"
    AT_MOST = "at most"
    ABOUT = "about"
    BETWEEN = "between"
    PLAIN = ""


_BOUNDS = {
    Bound.EXACTLY: word_set(
        "exactly precisely only just genau exakt nur exactement précisément seulement exactamente precisamente "
        "solamente solo sólo apenas بالضبط فقط "
        "esattamente soltanto exatamente somente ровно только precies exact olarak tam yalnızca sadece "
        "只 只用 仅 僅 恰好 正好 刚好 剛好 ちょうど 正確に ठीक 정확히 딱"
    ),
    Bound.AT_LEAST: word_set("least minimum mindestens moins menos almeno minstens менее минимум more over az 至少"),
    Bound.AT_MOST: word_set(
        "most maximum max max. up within under below fewer less hoogstens höchstens maximal plus máximo massimo более "
        "максимум fazla 最多 不超过 少于"
    ),
    Bound.ABOUT: word_set("about around approximately roughly"),
}
_STRICT = {"under": -1, "below": -1, "fewer than": -1, "less than": -1, "more than": 1, "over": 1}
_DENIED_BOUNDS = {"no fewer": Bound.AT_LEAST, "no less": Bound.AT_LEAST, "no more": Bound.AT_MOST}


@dataclass(frozen=True, slots=True)
class Amount:
    """So many of a unit; `most` is the upper end of `Bound.BETWEEN`, and 0 else."""

    bound: Bound
    number: int
    unit: str
    most: int = 0

    def __str__(self) -> str:
        if self.bound is Bound.BETWEEN:
            return f"{self.number} to {self.most} {self.unit}"
        unit = self.unit.removesuffix("s") if self.number == 1 else self.unit
        return f"{self.bound} {self.number} {unit}".strip()


def amount(qualifier: str | None, number: str, unit: str, upper: str | None = None) -> Amount:
    """Read what the patterns of this module found: "fewer than", "five" and "words" are at most 4 words."""
    low = number_of(number)
    if upper is not None and number_of(upper) > low:
        return Amount(Bound.BETWEEN, low, unit, number_of(upper))
    said = " ".join((qualifier or "").lower().split())
    return Amount(_bound(said), max(0, low + _STRICT.get(said, 0)), unit)


def number_of(text: str) -> int:
    text = " ".join(text.lower().split())
    return int(text) if text.isdecimal() else _NUMBERS[text]


def _bound(qualifier: str) -> Bound:
    if not qualifier:
        return Bound.PLAIN
    denied = " ".join(qualifier.replace("not ", "no ").split()[:2])
    if denied in _DENIED_BOUNDS:
        return _DENIED_BOUNDS[denied]
    words = qualifier.split()
    return next((bound for bound, known in _BOUNDS.items() if not known.isdisjoint(words)), Bound.PLAIN)


def check_amount(wanted: Amount, count: int) -> Check:
    """Too few is a violation; one over a number that was not said to be exact is a minor fault."""
    return Check(_score(wanted, count), f"asked for {wanted}, the answer has {count}")


def _score(wanted: Amount, count: int) -> float:
    number = wanted.number
    match wanted.bound:
        case Bound.AT_LEAST:
            return KEPT if count >= number else _UNDER * count / max(1, number)
        case Bound.AT_MOST:
            return _against_limit(count, number)
        case Bound.BETWEEN:
            return _against_limit(count, wanted.most) if count >= number else _UNDER * count / max(1, number)
        case Bound.ABOUT if abs(count - number) <= max(1, _ABOUT * number):
            return KEPT
        case Bound.EXACTLY if count != number:
            near = wanted.unit in _LONG_UNITS and abs(count - number) <= _NEAR * number
            return NEARLY if near else _NOT_EXACT * min(count, number) / max(count, number)
        case _:
            return _against_number(wanted, count)


def _against_limit(count: int, limit: int) -> float:
    return KEPT if count <= limit else max(_OVER_LIMIT_LEAST, _OVER_LIMIT - (count - limit) / max(1, limit))


def _against_number(wanted: Amount, count: int) -> float:
    number = wanted.number
    if count == number or (wanted.unit in _LONG_UNITS and abs(count - number) <= _NEAR * number):
        return KEPT
    if count > number:
        return max(_FAR_OVER_LEAST, _ONE_OVER - _FAR_OVER_STEP * (count - number - 1))
    return _UNDER * count / number
