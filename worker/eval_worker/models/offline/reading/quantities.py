"""Numbers of a text with their units, by value: "1,500 m", "1.5 km" and "fifteen hundred metres" are the same."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from eval_worker.evaluation.text.numbers_in_text import NUMBER_WORDS
from eval_worker.models.offline.reading.units import CURRENCY_SIGNS, UNITS, Unit

_MAGNITUDES = {
    "hundred": 2, "thousand": 3, "k": 3, "million": 6, "millions": 6, "mio": 6, "billion": 9, "billions": 9, "bn": 9,
    "trillion": 12, "millionen": 6, "milliarden": 9, "millones": 6, "milliards": 9, "тысяч": 3, "миллионов": 6,
    "миллиардов": 9, "千": 3, "万": 4, "萬": 4, "亿": 8, "億": 8,
}  # fmt: skip
_LONGEST_NUMBER = 40  # digits: no longer one is worth comparing by value
_GROUPED = (  # what separates the groups separates no decimals: "1,200,50" is two numbers, "192.168.100.20" is none
    r"\d{1,3}(?:(?:,\d{3})+(?!\d)(?:\.\d+)?|(?:['’ \u00a0\u202f]\d{3})+(?!\d)(?:[.,]\d+)?|"
    r"(?:\.\d{3}){2,}(?!\d|\.\d)(?:,\d+)?)"
)
_NUMBER = re.compile(
    rf"(?:(?<![0-9A-Za-z)\]])[-−])?(?<![0-9A-Za-z_.])(?:\d+/\d+|{_GROUPED}|\d+(?:[.,]\d+)?)(?:(?:st|nd|rd|th)\b)?"
)
_SCALE = re.compile(rf"[ \u00a0-]?({'|'.join(sorted(_MAGNITUDES, key=len, reverse=True))})(?![a-z])", re.IGNORECASE)
_UNIT = re.compile(
    r"[ \u00a0-]?(?:of a )?((?:degrees?|grad|degrés|grados) (?:celsius|fahrenheit|c|f)\b|"
    r"(?:met(?:er|re)s?|kilomet(?:er|re)s?|km|miles?) (?:per|an) (?:second|hour)|km/s|km/h|m/s|°\s?[cf]\b|"
    r"[%‰°€£¥₹₽$]|[^\W\d_]+)",
    re.IGNORECASE,
)
_ROUGHLY = re.compile(
    r"(?:about|around|approximately|roughly|nearly|almost|some|circa|ca\.?|etwa|environ|≈|~)\s*$", re.IGNORECASE
)
_HAN_NUMBER = re.compile("[〇零一二两兩三四五六七八九十百千万萬亿億]+")
_HAN_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_HAN_SCALES = {"十": 10, "百": 100, "千": 1000}
_HAN_GROUPS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}


def _numbered(words: str, first: int, step: int = 1) -> dict[str, Decimal]:
    return {word: Decimal(first + step * place) for place, word in enumerate(words.split())}


_ENGLISH = {
    **_numbered("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen", 0),
    **_numbered("sixteen seventeen eighteen nineteen", 16),
    **_numbered("twenty thirty forty fifty sixty seventy eighty ninety", 20, 10),
    **_numbered("fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth", 4),
    **_numbered("sixteenth seventeenth eighteenth nineteenth twentieth", 16),
    "dozen": Decimal(12),
    "none": Decimal(0),
    "half": Decimal("0.5"),
}
_IN_ENGLISH = "|".join(sorted({*_ENGLISH, *_SCALES}, key=len, reverse=True))
_SPELLED = re.compile(rf"\b(?:{_IN_ENGLISH})(?:(?:\s+and)?[\s-]+(?:{_IN_ENGLISH}))*\b", re.IGNORECASE)
_NOT_ELSEWHERE = frozenset({"due", "otto", "set"})  # words of other languages that are English words or names, too
_ELSEWHERE = {
    word: value
    for word, value in NUMBER_WORDS.items()
    if value > 1 and word not in _ENGLISH and word not in _NOT_ELSEWHERE and not _HAN_NUMBER.match(word)
}
_WORD = re.compile(r"[^\W\d_]{3,}")
_LONGEST_UNSPACED_UNIT = 4  # characters
_FRACTION = re.compile(
    r"\b(?:(a|one|two|three|four|five|seven|nine)[ -])(thirds?|quarters?|fifths?|tenths?)\b(?! (?:of the month|time))",
    re.IGNORECASE,
)
_PARTS = {"third": 3, "quarter": 4, "fifth": 5, "tenth": 10}
_FEW_DIGITS, _FEWER_DIGITS = 3, 2
_CONVERTED = Decimal("0.001")  # what two units of one thing may differ by
_YEAR_PART = range(10, 100)


@dataclass(frozen=True, slots=True)
class Quantity:
    """`readings` are what it may mean: 1.500 is 1.5 or 1500. `slack` is what rounding may have taken off."""

    text: str
    start: int
    end: int
    readings: tuple[Decimal, ...]
    slack: Decimal
    unit: Unit | None = None

    def equals(self, other: "Quantity") -> bool:
        """Whether both say the same. A unit that one of them leaves out is no difference, another one is."""
        one_factor = other_factor = Decimal(1)
        if self.unit and other.unit:
            if not self.unit.may_be(other.unit):
                return self._is_share_of_one(other)
            one_factor, other_factor = self.unit.factor, other.unit.factor
        slack = max(self.slack * one_factor, other.slack * other_factor)
        if one_factor != other_factor:
            slack = max(slack, _CONVERTED * max(self.readings) * one_factor)
        return self._is_share_of_one(other) or any(
            abs(one * one_factor - another * other_factor) <= slack
            for one in self.readings
            for another in other.readings
        )

    def _is_share_of_one(self, other: "Quantity") -> bool:
        """Half is 50%."""
        share, number = (self, other) if self.is_percentage else (other, self)
        if not share.is_percentage or number.unit:
            return False
        rounded = [(one / 100, another) for one in share.readings for another in number.readings]
        return any(abs(one - another) <= number.slack for one, another in rounded)

    @property
    def is_percentage(self) -> bool:
        return self.unit is not None and self.unit.measures == "%"


def ascii_digits(text: str) -> str:
    """The text with every decimal digit as an ASCII one, at the same place."""
    if text.isascii():
        return text
    text = text.replace("٫", ".").replace("٬", ",")
    return re.sub(r"[^\x00-\x7f]", lambda found: _digit(found.group()), text)


def _digit(character: str) -> str:
    return str(unicodedata.decimal(character)) if character.isdecimal() else character


def find_quantities(text: str) -> list[Quantity]:
    """All numbers of a text whose digits are ASCII, in order: in digits, in words, in Han numerals."""
    found = list(_in_digits(text))
    found += _fractions(text)
    taken = {place for one in found for place in range(one.start, one.end)}
    found += [one for one in _in_words(text) if one.start not in taken]
    return sorted(found, key=lambda one: one.start)


def _fractions(text: str) -> Iterator[Quantity]:
    for match in _FRACTION.finditer(text):
        value = _ENGLISH.get(match[1].lower(), Decimal(1)) / _PARTS[match[2].lower().rstrip("s")]
        yield Quantity(match.group(), match.start(), match.end(), (value,), Decimal("0.005"))


def _in_digits(text: str) -> Iterator[Quantity]:
    for match in _NUMBER.finditer(text):
        digits = match.group()
        if len(digits) > _LONGEST_NUMBER or _continues_as_word(text, match.end()):
            continue
        readings = tuple(_readings(digits))
        if readings:
            yield _with_unit(text, match.start(), match.end(), readings, _last_place(digits))


def _continues_as_word(text: str, end: int) -> bool:
    """Whether letters follow that are neither a unit nor a magnitude: "3D", "2nd" is no such case."""
    following = re.match(r"[A-Za-z]+", text[end : end + 12])
    return (
        following is not None
        and following.group().lower() not in UNITS
        and following.group().lower() not in _MAGNITUDES
    )


def _readings(digits: str) -> Iterator[Decimal]:
    digits = digits.rstrip("stndrh").replace("−", "-")
    if "/" in digits:
        above, _, below = digits.partition("/")
        if abs(int(above)) < int(below):
            yield Decimal(above) / Decimal(below)
        return
    bare = re.sub(r"['’ \u00a0\u202f]", "", digits)
    if re.fullmatch(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?", bare):
        yield Decimal(bare.replace(",", ""))
        if bare.count(",") == 1 and "." not in bare:
            yield Decimal(bare.replace(",", "."))
    elif re.fullmatch(r"-?\d{1,3}(?:\.\d{3})+(?:,\d+)?", bare):
        yield Decimal(bare.replace(".", "").replace(",", "."))
        if bare.count(".") == 1 and "," not in bare:
            yield Decimal(bare)
    else:
        yield Decimal(bare.replace(",", "."))


def _last_place(digits: str) -> Decimal:
    """Half of what the last decimal stands for; nothing for a whole number, or one of too few digits to be rounded."""
    decimals = re.search(r"[.,](\d+)$", digits)
    if decimals is None or len(re.sub(r"\D", "", digits).lstrip("0")) < _FEWER_DIGITS:
        return Decimal(0)
    return Decimal(5).scaleb(-len(decimals[1]) - 1)


def _with_unit(text: str, start: int, end: int, readings: tuple[Decimal, ...], slack: Decimal) -> Quantity:
    scale = _SCALE.match(text, end)
    power = _MAGNITUDES[scale[1].lower()] if scale else 0
    roughly = power or _ROUGHLY.search(text[max(0, start - 16) : start])
    if not roughly and sum(map(str.isdigit, text[start:end])) < _FEW_DIGITS:
        slack = Decimal(0)
    end = scale.end() if scale else end
    unit, start, end = _unit_at(text, start, end)
    scaled = tuple(one.scaleb(power) for one in readings)
    return Quantity(text[start:end], start, end, scaled, slack.scaleb(power), unit)


def _unit_at(text: str, start: int, end: int) -> tuple[Unit | None, int, int]:
    before = text[max(0, start - 1) : start]
    if before in CURRENCY_SIGNS:
        return UNITS[before], start - 1, end
    match = _UNIT.match(text, end)
    if match is None:
        return None, start, end
    name = match[1].replace(" ", "").lower()
    unit = UNITS.get(name)
    if unit is None and not name[0].isascii():  # in scripts without spaces the next words follow at once
        known = next((name[:size] for size in range(_LONGEST_UNSPACED_UNIT, 0, -1) if name[:size] in UNITS), "")
        return (UNITS[known], start, match.start(1) + len(known)) if known else (None, start, end)
    return (unit, start, match.end()) if unit else (None, start, end)


def _in_words(text: str) -> Iterator[Quantity]:
    for match in _SPELLED.finditer(text):
        yield _with_unit(text, match.start(), match.end(), (_value_of(match.group()),), Decimal(0))
    if text.isascii():
        return
    for match in _HAN_NUMBER.finditer(text):
        value = _han_value(match.group())
        found = _with_unit(text, match.start(), match.end(), (Decimal(value),), Decimal(0))
        if value > 1 or (value == 1 and found.unit):
            yield found
    for match in _WORD.finditer(text):
        value = _ELSEWHERE.get(match.group().lower())
        if value is not None:
            yield _with_unit(text, match.start(), match.end(), (Decimal(value),), Decimal(0))


def _value_of(spelled: str) -> Decimal:
    total = current = Decimal(0)
    for word in re.findall(r"[a-z]+", spelled.lower()):
        if word in _SCALES and _SCALES[word] == 100:  # noqa: PLR2004  # a hundred multiplies what stands before it
            current = (current or Decimal(1)) * 100
        elif word in _SCALES:
            total += (current or Decimal(1)) * _SCALES[word]
            current = Decimal(0)
        elif word in _ENGLISH:
            value = _ENGLISH[word]
            is_year = current in _YEAR_PART and value in _YEAR_PART  # nineteen eighty-four
            current = current * 100 + value if is_year else current + value
    return total + current


def _han_value(numeral: str) -> int:
    if all(sign in _HAN_DIGITS for sign in numeral):
        return int("".join(str(_HAN_DIGITS[sign]) for sign in numeral[:_LONGEST_NUMBER]))
    total = group = digit = 0
    for sign in numeral[:_LONGEST_NUMBER]:
        if sign in _HAN_DIGITS:
            digit = _HAN_DIGITS[sign]
        elif sign in _HAN_SCALES:
            group += (digit or 1) * _HAN_SCALES[sign]
            digit = 0
        else:
            total += (group + digit or 1) * _HAN_GROUPS[sign]
            group = digit = 0
    return total + group + digit
