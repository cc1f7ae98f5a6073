"""Light stemming: enough that `encrypts`, `encrypted` and `encryption` meet, without a dictionary."""

import re

from eval_worker.evaluation.text.numbers_in_text import ENGLISH_NUMBERS, number_value
from eval_worker.evaluation.text.word_cache import WordCache
from eval_worker.evaluation.text.words import is_unspaced

_SUFFIXES = (
    "izations", "ization", "ations", "ation", "nesses", "ness", "ments", "ment", "ities", "ity", "ingly", "edly",
    "ions", "ion", "ings", "ing", "ally", "ly", "ates", "ated", "ate", "als", "al", "ed", "es", "s",
)  # fmt: skip
_SHORTEST_STEM = 4
_SHORTEST_OF_PLAIN = 3
_PLAIN = frozenset({"ed", "es", "s", "ing", "ings"})
_PREFIX_OF_OTHERS = 5  # inflected languages that are not English change what comes after it
# Names end like particles do, so the one ending goes before another, too: 고양이 and 고양이는 meet.
_KOREAN_PARTICLE = re.compile(
    r"(?<=..)[이가]?(?:은|는|이|가|을|를|의|와|과|도|에|에서|로|으로|에게|부터|까지|입니다|이다|란|이란|이며|이고|예요|이에요)$"
)
_ARABIC_ARTICLE = re.compile(r"^[وفبك]?ال(?=...)|^لل(?=...)")
_ELIDED = re.compile(r"(?:l|d|qu|j|n|m|t|c|s|un|all|dell|nell|sull|dall|quell|quest)['’](?=\w{2})")
_IRREGULAR_VERBS = """
wrote/writ written/writ won/win lost/lose made/mak built/build began/begin begun/begin bought/buy brought/bring
caught/catch chose/choos chosen/choos drew/draw drawn/draw fell/fall fallen/fall flew/fli flows/flow found/find gave/giv
given/giv grew/grow grown/grow held/hold kept/keep knew/know known/know led/lead left/leav met/meet paid/pay ran/run
rose/ris risen/ris said/say sang/sing sold/sell sent/send shot/shoot spoke/speak spent/spend stood/stand taught/teach
thought/think took/tak taken/tak told/tell understood/understand wore/wear went/go goes/go died/die people/person
children/child men/man women/woman mice/mouse feet/foot
"""
_IRREGULAR: dict[str, str] = ENGLISH_NUMBERS | {
    form: root for form, _, root in (pair.partition("/") for pair in _IRREGULAR_VERBS.split())
}


def _stem(word: str) -> str:  # noqa: PLR0911  # the first rule that applies decides
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if elided := _ELIDED.match(word):
        return _stem(word[elided.end() :])
    if word[0].isdecimal():
        return number_value(word) if word.isascii() else word
    if not word.isalpha() or is_unspaced(word):
        return word
    if not word.isascii():
        return _stem_elsewhere(word)
    if len(word) <= _SHORTEST_OF_PLAIN:
        return word
    if word.endswith("ies") and len(word) > _SHORTEST_STEM:
        return word[:-3] + "i"
    for suffix in _SUFFIXES if word.endswith(_SUFFIXES) else ():
        shortest = _SHORTEST_OF_PLAIN if suffix in _PLAIN else _SHORTEST_STEM
        if word.endswith(suffix) and len(word) - len(suffix) >= shortest and not word.endswith(("ss", "us", "is")):
            return _tidy(word[: -len(suffix)])
    return _tidy(word)


def _stem_elsewhere(word: str) -> str:
    if "가" <= word[-1] <= "힣":
        word = _KOREAN_PARTICLE.sub("", word)
    elif "ا" <= word[0] <= "ي":
        word = _ARABIC_ARTICLE.sub("", word)
    return _stem(word) if word.isascii() else word[:_PREFIX_OF_OTHERS]


def _tidy(root: str) -> str:
    """The endings that differ between `run` and `runn(ing)`, `scrambl(ing)` and `scramble`, `city` and `citi(es)`."""
    if len(root) > _SHORTEST_OF_PLAIN and root.endswith("e"):
        root = root[:-1]
    if len(root) > _SHORTEST_OF_PLAIN and root[-1] == root[-2] and root[-1] in "bdgmnprt":
        root = root[:-1]
    return root[:-1] + "i" if root.endswith("y") else root


stem = WordCache(_stem).__getitem__
"""The part of a word that its forms share."""
