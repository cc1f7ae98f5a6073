"""Answers of one word, of yes or no, of one of the options given, and of nothing but the answer."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from eval_worker.evaluation.instructions.check import PARTLY, Check, told
from eval_worker.evaluation.instructions.request import is_reported
from eval_worker.evaluation.text.prefiltered import Prefiltered
from eval_worker.evaluation.text.short_answers import polarity
from eval_worker.evaluation.text.words import Words

_ONE_WORD = Prefiltered(
    r"\b(?:one|single)[ -]word (?:answer|response|reply|only)|\bjust one word\b|\b(?:with|in|using) only one word\b|"
    r"\bmit (?:nur )?einem wort\b|\ben un (?:seul )?mot\b|\b(?:en|con) una (?:sola )?palabra\b|用一个词|一言で",
    words=("word", "wort", "mot", "palabra", "用一个词", "一言で"),
)
_QUOTE = "[\"'“”‘’]?"
_YES_NO = Prefiltered(
    rf"\b(?:(?P<strict>only|just|simply)\s+)?(?:answer|respond|reply|say|output|return|write)s?\s+"
    rf"(?:(?:only|just|simply|either)\s+)*(?:with\s+)?(?:(?:a|only|just|simply|"
    rf"either)\s+)*{_QUOTE}yes{_QUOTE}\s*(?:or|/)\s*{_QUOTE}no{_QUOTE}"
    rf"|\byes{_QUOTE}\s*(?:or|/)\s*{_QUOTE}no{_QUOTE}(?:\s+only|\s*[?:.)]|\s*$|\s+answers?\b)"
    r"|\b(?:antworte|antworten sie)\b[^.?!\n]{0,30}\bja oder nein\b|\bréponds?(?:ez)?\b[^.?!\n]{0,30}\boui ou non\b|"
    r"\bresponde\b[^.?!\n]{0,30}\bsí o no\b|回答是或否|只回答是或不是",
    words=("yes", "ja oder nein", "oui ou non", "sí o no", "回答是或否", "只回答是或不是"),
)
_OPTION = rf"{_QUOTE}\w[\w-]*{_QUOTE}"
_CHOICE = Prefiltered(
    r"\b(?:answer|respond|reply|output|return|classify|label|categori[sz]e|choose|pick|select)\b[^.?!\n]{0,60}?"
    r"\b(?:with|as|into|from|between|either|one of)\b:?\s+"
    r"(?:(?:one of|only|either|the (?:letters?|words?|labels?|options?|categories)|a|an|the following|:)\s+)*"
    rf"(?P<options>{_OPTION}(?:\s*,\s*{_OPTION}){{0,8}}\s*,?\s*(?:or|/)\s*{_OPTION})"
    r"(?=\s*[.!?\n:,;)]|\s*$|\s+(?:only|and))",
    words=(
        "answer",
        "respond",
        "reply",
        "output",
        "return",
        "classify",
        "label",
        "categori",
        "choose",
        "pick",
        "select",
    ),
)
_ONLY = Prefiltered(
    r"\b(?:only|just)\s+(?:the|your|with the)\s+(?:final\s+|correct\s+)?(?:answer|number|letter|name|result|word|"
    r"value|title|code|translation|label)\b|"
    r"\b(?:do not|don't|without)\s+(?:any\s+)?(?:explain(?:ing)?|explanations?|add(?:ing)? (?:any )?(?:explanation|"
    r"comment|text)s?|"
    r"includ(?:e|ing) (?:any )?(?:explanation|other text|additional text)s?|elaborat(?:e|ing)|justify(?:ing)?)\b|"
    r"\b(?:no|without) (?:further |additional |other )?(?:explanations?|comments|commentary|other text|"
    r"additional text|extra text|preamble)\b|"
    r"\band nothing else\b|\bnothing but the answer\b|\bohne (?:weitere )?erklärung\b|\bsans explications?\b|"
    r"\bsin explicaci(?:ón|ones)\b|不要解释|不需要解释",
    words=(
        "only",
        "just",
        "do not",
        "don't",
        "without",
        "no ",
        "nothing",
        "ohne",
        "sans",
        "sin explicaci",
        "不要解释",
        "不需要解释",
    ),
)
_EXPLAINS = re.compile(
    r"\b(?:because|therefore|this is|the reason|as (?:it|they|the)|explanation|note that|in other words|"
    r"this means|"
    r"weil|denn|parce que|porque|perché|потому)\b|因为|なぜなら",
    re.IGNORECASE,
)
_PREAMBLE = re.compile(
    r"^(?:sure|certainly|of course|absolutely|okay|here(?:'s| is| are)|the (?:answer|result|correct answer|"
    r"translation) (?:is|would be)|"
    r"as an ai|gerne|natürlich|bien sûr|voici|claro|por supuesto|aquí)\b",
    re.IGNORECASE,
)
_STRICT = re.compile(r"\b(?:only|just|simply)\b", re.IGNORECASE)
_LONGEST_OPENING = 200


@dataclass(frozen=True, slots=True)
class _Wanted:
    """`yes_or_no` and `options` are the words of the query that ask for them."""

    one_word: bool
    yes_or_no: str | None
    options: str | None
    nothing_else: bool


def check_closed_answers(orders: str, answer: str) -> Iterator[Check]:
    wanted = _wanted(orders)
    if wanted.one_word:
        count = Words(answer).count
        yield told("asked for one word", kept=count == 1, otherwise=f"the answer has {count}")
    if wanted.yes_or_no:
        yield _of_yes_or_no(answer, strict=_STRICT.search(wanted.yes_or_no) is not None)
    elif wanted.options:
        yield _of_choice(Words(wanted.options).sequence, answer)
    if wanted.nothing_else:
        preamble, explains = _PREAMBLE.match(answer.strip()), _EXPLAINS.search(answer[:2000])
        otherwise = "the answer explains" if explains else "the answer has words around it"
        yield told("asked for nothing but the answer", kept=not (preamble or explains), otherwise=otherwise, score=0.4)


def wants_closed_answer(orders: str) -> bool:
    """Whether a word, yes or no, or one of the options given is all that the answer is to be."""
    wanted = _wanted(orders)
    return bool(wanted.one_word or wanted.yes_or_no or wanted.options)


@lru_cache(maxsize=16)  # several checks and judges ask it of one query, whose orders are short
def _wanted(orders: str) -> _Wanted:
    yes_or_no, options = _asks(_YES_NO, orders), _asks(_CHOICE, orders)
    return _Wanted(
        one_word=_asks(_ONE_WORD, orders) is not None,
        yes_or_no=yes_or_no and yes_or_no.group(),
        options=options and options.group("options"),
        nothing_else=_asks(_ONLY, orders) is not None,
    )


def _asks(pattern: Prefiltered, orders: str) -> re.Match[str] | None:
    match = pattern.search(orders)
    return None if match is None or is_reported(orders, match.start()) else match


def _of_yes_or_no(answer: str, *, strict: bool) -> Check:
    words = Words(answer[:_LONGEST_OPENING])
    says = polarity(words.sequence, answer.strip()) is not None
    if says and strict and words.count > 1:
        return Check(PARTLY, "asked for yes or no only, the answer says more")
    return told("asked for yes or no", kept=says, otherwise="the answer says neither")


def _of_choice(words: list[str], answer: str) -> Check:
    options = [word for word in words if word not in {"or", "and", "oder", "ou"}]
    said = Words(answer[:_LONGEST_OPENING]).sequence
    chosen = [option for option in options if option in said]
    asked = f"asked for one of {', '.join(map(repr, options))}"
    return told(asked, kept=bool(chosen), otherwise="the answer has none of them")
