"""Numbers of a text by their value: 1,000 and 1000, three and 3 are the same."""

import re
from collections.abc import Collection

_DIGIT = re.compile(r"\d")
# What may stand before it is looked at last: the leading set alone finds the few places to look at.
_NUMERAL = re.compile(
    r"[-−\d](?:(?<![\w.].)|(?<=[a-zA-Z$€£¥#\u3040-\u30ff\u4e00-\u9fff-]\d))(?:(?<=\d)\d*|(?<=[-−])\d+)(?:[.,]\d+)*",
    re.DOTALL,
)
_THOUSANDS = re.compile(r"^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$")
NUMBER_WORDS = {
    word: value
    for value, words in enumerate(
        [
            "\n        zero",
            "one un uno une ein eine uma um один 一 一つ",
            "two dos deux zwei due dois два 两 二 二つ",
            "\n        three tres trois drei tre três три 三 三つ",
            "four cuatro quatre vier quattro quatro четыре 四 四つ",
            "\n        five cinco cinq fünf cinque пять 五 五つ",
            "six seis sechs sei шесть 六",
            "seven siete sept sieben sette sete семь 七",
            "\n        eight ocho huit acht otto oito восемь 八",
            "nine nueve neuf neun nove девять 九",
            "ten diez dix zehn dieci dez десять 十",
            "\n        eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty\n        ",
        ]
    )
    for word in words.split()
} | dict(zip(["thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], range(30, 100, 10), strict=True))
_ENGLISH = """
two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
twenty thirty forty fifty sixty seventy eighty ninety
"""
ENGLISH_NUMBERS = {word: str(NUMBER_WORDS[word]) for word in _ENGLISH.split()}
"""Without "one", which is seldom a count, and "zero"."""

_COMPOUND = re.compile(
    r"\b(twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)[- ](one|two|three|four|five|six|seven|eight|nine)\b",
    re.IGNORECASE,
)

_HAN_COUNT = re.compile(
    r"[二两三四五六七八九十](?<![一二两三四五六七八九十百千第].)(?=个?月|個月|[年天日周人个個次倍歳岁%元円]|小[时時])"
)


def find_numbers(text: str, words: Collection[str]) -> set[str]:
    """The values, each in one spelling; `words` are the folded ones of the text."""
    found = set(map(number_value, _NUMERAL.findall(text))) if _DIGIT.search(text) else set[str]()
    if not text.isascii():
        found.update(str(NUMBER_WORDS[word]) for word in _HAN_COUNT.findall(text))
    if not ENGLISH_NUMBERS.keys().isdisjoint(words):
        found.update(ENGLISH_NUMBERS[word] for word in words if word in ENGLISH_NUMBERS)
    return found


def with_compounds_in_digits(text: str) -> str:
    """The text with its "twenty-five" as 25, as its "twenty" and its "five" are read as numbers by themselves."""
    if "ty" not in text and "TY" not in text:
        return text
    return _COMPOUND.sub(lambda found: str(NUMBER_WORDS[found[1].lower()] + NUMBER_WORDS[found[2].lower()]), text)


def number_value(digits: str) -> str:
    digits = digits.replace("−", "-")
    if _THOUSANDS.match(digits):
        digits = digits.replace(",", "")
    digits = digits.replace(",", ".")
    if digits.count(".") == 1:
        digits = digits.rstrip("0").rstrip(".")
    sign = "-" if digits.startswith("-") else ""
    return sign + (digits.removeprefix("-").lstrip("0") or "0")
