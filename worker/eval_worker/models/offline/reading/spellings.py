"""Words brought to a spelling under which their variants meet: accents, doubled letters, endings of other languages."""

import re
import unicodedata

from eval_worker.evaluation.text.word_cache import WordCache
from eval_worker.models.offline.reading.stems import stem

_DOUBLED = re.compile(r"([^\W\d_])\1+")
_BRITISH = (
    (re.compile(r"(?<=[^\W\d_]{2})is(?=(?:e|ed|es|ing|ation|ations|er)$)"), "iz"),
    (re.compile(r"our(?!$)|(?<=[^\W\d_]{2})our$"), "or"),
)
_KOREAN_ENDING = re.compile(r"(?<=[가-힣]{2})(?:입니다|이에요|예요|이다|에서|은|는|이|가|을|를|에|의|로)$")
_ARABIC_OPENING = re.compile(r"^(?:وال|بال|كال|ال|و)(?=[\u0600-\u06ff]{3})")
_CYRILLIC_ENDING = re.compile(r"(?<=[\u0400-\u04ff]{3})[аеёиоуыэюяйь]{1,2}$")
_LONGEST = 64
_SHORTEST_BEFORE_APOSTROPHE = 3


def _loose(word: str) -> str:
    if len(word) > _LONGEST:
        return word
    before, apostrophe, after = word.partition("'")
    if apostrophe:
        word = before if len(before) >= _SHORTEST_BEFORE_APOSTROPHE else after or before
    if not word.isascii():
        word = _CYRILLIC_ENDING.sub("", _ARABIC_OPENING.sub("", _KOREAN_ENDING.sub("", word)))
        word = _unaccented(word)
    for british, american in _BRITISH:
        word = british.sub(american, word)
    return stem(_DOUBLED.sub(r"\1", word)) if word else word


def _unaccented(word: str) -> str:
    """Without the accents of Latin letters; marks of other scripts change what a word says."""
    kept: list[str] = []
    for character in unicodedata.normalize("NFD", word):
        if unicodedata.category(character) == "Mn" and kept and kept[-1].isascii():
            continue
        kept.append(character)
    return unicodedata.normalize("NFC", "".join(kept)).replace("ß", "ss").replace("ø", "o").replace("æ", "ae")


loose = WordCache(_loose).__getitem__
"""The one spelling of all variants of a folded word. What is too long for a word is left as it is."""
