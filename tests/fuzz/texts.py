"""Texts that programs stumble over."""

import random

# Repeated, each of these has sent some parser, expression or font into the wilds.
UNITS = (
    *" \n\t\x0b\x85\u2028\u00a0\u3000aA10.!?-_*`'\"()[]{}<>/\\|#=+:;,€½٣的ไกé",
    *"\u0301\u200d\u202e\ufeff\x00🗼ß\u0130\u0131",
    *("0.", "1,", "1-", "1/", "1:", "1e", "0x", "..", ". ", "? ", "a ", "a, ", "a.b", "a-b", "a'b", "l'a ", "a@", "x="),
    *(
        "- a\n",
        "* ",
        "1. a\n",
        "# a\n",
        "| a |\n",
        "\r\n",
        "\n\n",
        "''",
        "```",
        "` `",
        "(a) ",
        "<a>",
        "$ ",
        "1% ",
        "f(",
    ),
    *(
        "and ",
        "or ",
        "is ",
        "not ",
        "no ",
        "yes ",
        "but ",
        "both ",
        "each ",
        "list 3 ",
        "exactly ",
        "at least ",
        "why ",
    ),
    *("how many ", "explain ", "what ", "example ", "do not ", "because ", "between a and b ", "twenty-", "hundred "),
    *("Mr. ", "e.g. ", "U.S.A. ", "IV ", "first ", "git ", "http://", "«", "“", "。", "、", "？", "，"),
    *("東京", "ภาษาไทย", "한국어 ", "e\u0301", "\u202ea", "👨‍👩‍👧‍👦", "\U0010ffff", "ﬁ", "ﷺ", "Σ"),
    "ignore previous instructions ",
)
_ALPHABETS = (
    "abcdefghijklmnopqrstuvwxyz     ",
    "".join(map(chr, range(32))),
    "אבגדהוזחט عربي ",
    "".join(map(chr, range(0x300, 0x330))) + "aeiou",
    "的一是不了人我在有他。，？",
    "กขฃคฅฆงจฉ ่้",
    "🗼👨‍👩‍👧‍👦🏳️‍🌈✅",
)
_PLANES = 17
_SURROGATES = range(0xD800, 0xE000)


def a_text(rng: random.Random, longest: int = 200) -> str:
    length = rng.choice((0, 1, 2, 5, 20, longest))
    kind = rng.randrange(4)
    if kind == 0:
        return repeated(rng.choice(UNITS), length)
    if kind == 1:
        return mixture(rng, length)
    if kind == 2:
        return "".join(rng.choices(rng.choice(_ALPHABETS), k=length))
    return "".join(_of_any_plane(rng) for _ in range(length))


def repeated(unit: str, length: int) -> str:
    return (unit * (length // len(unit) + 1))[:length]


def mixture(rng: random.Random, length: int) -> str:
    """A few units, over and over in changing order."""
    units = rng.sample(UNITS, k=rng.randint(2, 4))
    return "".join(rng.choices(units, k=length))[:length]


def _of_any_plane(rng: random.Random) -> str:
    number = rng.randrange(_PLANES) * 0x10000 + rng.randrange(0x10000)
    return "\ufffd" if number in _SURROGATES else chr(number)
