"""Words of a text, in any script. Linear in the length of the text, whatever stands in it."""

import re
import unicodedata
from collections.abc import Collection, Iterable

from eval_worker.evaluation.text.stop_words import GRAMMAR_ELSEWHERE, STOP_WORDS, UNSPACED_STOP_WORDS

# Vowel signs and accents that stand beside their letter; `\w` leaves them out and would cut Hindi or Thai words apart.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u0900-\u0903\u093a-\u094f\u0951-\u0957"
    "\u0962\u0963\u0981-\u0983\u09bc-\u09d7\u0a01-\u0a03\u0a3c-\u0a51\u0a70-\u0a75\u0a81-\u0a83\u0abc-\u0acd"
    "\u0b01-\u0b03\u0b3c-\u0b57\u0bbe-\u0bd7\u0c00-\u0c04\u0c3c-\u0c56\u0c81-\u0c83\u0cbc-\u0cd6\u0d00-\u0d03"
    "\u0d3b-\u0d4d\u0d57\u0d81-\u0d83\u0dca-\u0ddf\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece"
    "\u0f18-\u0f3f\u0f71-\u0f87\u102b-\u103e\u1056-\u1059\u17b4-\u17d3\u17dd\u200c\u200d\u3099\u309a"
)
_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HIRAGANA = "\u3041-\u309f"
_KATAKANA = "\u30a0-\u30ff\u31f0-\u31ff"
_SOUTH_EAST = "\u0e00-\u0e4f\u0e80-\u0ecf\u0edc-\u0edf\u1000-\u103f\u1050-\u109f\u1780-\u17d3\u17dc\u17dd"

_WORD = re.compile(rf"\w[\w{_MARKS}]*(?:'[\w{_MARKS}]+|[.,]\d+)*")  # marks alone, joiners among them, are none
_WORD_WITHOUT_MARKS = re.compile(r"\w+(?:'\w+|[.,]\d+)*")  # the same, where there are none: a third of the time
_UNSPACED = re.compile(f"[{_HAN}{_HIRAGANA}{_KATAKANA}{_SOUTH_EAST}]")
_RUN = re.compile(
    f"([{_HAN}]+)|([{_HIRAGANA}]+)|([{_KATAKANA}]+)|([{_SOUTH_EAST}]+)|[^{_HAN}{_HIRAGANA}{_KATAKANA}{_SOUTH_EAST}]+"
)
_UNSPACED_STOPS = re.compile("|".join(sorted(map(re.escape, UNSPACED_STOP_WORDS), key=lambda word: (-len(word), word))))
# How many characters make one word, by the group of _RUN that matched: enough to tell one word from two.
_CHARACTERS_A_WORD = {1: 2, 2: 5, 3: 12, 4: 5}
_PIECE = {1: 2, 2: 12, 3: 12, 4: 4}
_HIRAGANA_GROUP, _LONGEST_PARTICLE = 2, 2  # shorter runs of hiragana are grammar
# Unicode's canonical ordering is quadratic in a run of combining marks: short pieces keep an attack on it harmless.
_NORMALIZED_AT_ONCE = 256


# Latin-1 is one byte a character, so one table lowers letters and blanks out the rest: five times as fast as a regex.
_NARROW = "latin-1"
_SUPERSCRIPTS = dict(zip("²³¹ªº", "231ao", strict=True))
_WORD_TABLE = bytes(
    ord(_SUPERSCRIPTS.get(character, character.lower() if character.isalnum() or character == "'" else " "))
    for character in map(chr, range(256))
)
_PIECE_TABLE = bytes(
    ord(character.lower() if character.isalnum() or character in "_'.," else " ") for character in map(chr, range(256))
)
_DECIMAL_TABLE = bytes(
    ord("0" if character.isdecimal() else "." if character == "," else character) for character in map(chr, range(256))
)
_DECIMAL = b"0.0"
_NO_WORDS = frozenset[str]()
_OUTER_QUOTE = re.compile(r"'(?:(?<!\S')|(?!\S))")
# What typographers and language models put into plain English; without it the text is narrow again.
_TYPOGRAPHY = {"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "...", "•": "-", "→": "-"}
_TO_PLAIN = str.maketrans(_TYPOGRAPHY)
_MOST_LETTERS_OF_ABBREVIATION = 3


def fold(text: str) -> str:
    """The text in the one spelling that is compared: no case, no width, accents composed, straight apostrophes."""
    if text.isascii():
        return text.lower()
    if len(text) <= _NORMALIZED_AT_ONCE:
        folded = unicodedata.normalize("NFKC", text)
    else:
        starts = range(0, len(text), _NORMALIZED_AT_ONCE)
        folded = "".join(unicodedata.normalize("NFKC", text[at : at + _NORMALIZED_AT_ONCE]) for at in starts)
    lowered = folded.lower().replace("’", "'").replace("‘", "'").replace("_", " ")
    return lowered.replace("i\u0307", "i") if "İ" in folded else lowered


def is_plain(text: str) -> bool:
    """Whether it is ASCII but for typography."""
    return text.isascii() or text.translate(_TO_PLAIN).isascii()


def _narrow_without_typography(text: str) -> bytes | None:
    for wide, plain in _TYPOGRAPHY.items():
        text = text.replace(wide, plain)
    try:
        return text.encode(_NARROW)
    except UnicodeEncodeError:
        return None


def _with_decimals(raw: bytes) -> list[str]:
    """The words of a text in which a point or a comma is part of some: in ASCII no others have to be searched for."""
    if not raw.isascii():
        return _WORD_WITHOUT_MARKS.findall(fold(raw.decode(_NARROW)))
    words: list[str] = []
    for piece in raw.translate(_PIECE_TABLE).decode(_NARROW).split():
        bare = piece.strip("'.,")
        if "." in bare or "," in bare or "''" in bare:
            words.extend(_WORD_WITHOUT_MARKS.findall(bare))
        elif bare:
            words.append(bare)
    return words


class Words:
    """The folded words of one text, in order. A run of a script without spaces is one entry of `sequence`."""

    __slots__ = ("_keywords", "_quoted", "narrow", "sequence", "unspaced")

    def __init__(self, text: str) -> None:
        self.unspaced = False
        self._keywords: set[str] | None = None
        try:
            raw = text.encode(_NARROW)
        except UnicodeEncodeError:
            raw = _narrow_without_typography(text)
        self.narrow = raw is not None  # Latin-1 but for typography
        if raw is None:
            folded = fold(text)
            self.unspaced = _UNSPACED.search(folded) is not None
            self._quoted = True
            self.sequence: list[str] = _WORD.findall(folded)
            return
        bare = raw.translate(_WORD_TABLE).decode(_NARROW)
        self._quoted = "'" in bare
        # `find`, since `in` first tries whether the bytes are a number, which takes thrice as long.
        if raw.translate(_DECIMAL_TABLE).find(_DECIMAL) >= 0:
            self.sequence = _with_decimals(raw)
        elif self._quoted and _OUTER_QUOTE.search(bare):
            self.sequence = [stripped for word in bare.split() if (stripped := word.strip("'"))]
        else:
            self.sequence = bare.split()

    @property
    def count(self) -> int:
        """How many words there are; in scripts without spaces, by the usual length of a word."""
        if self.unspaced:
            return sum(_count_in_run(word) for word in self.sequence)
        count = len(self.sequence)
        if 1 < count <= _MOST_LETTERS_OF_ABBREVIATION and all(map(_is_single_letter, self.sequence)):
            return 1  # n/a, U.S.
        return count

    @property
    def keywords(self) -> set[str]:
        """The distinct words that carry a topic."""
        if self._keywords is None:
            # As few loops in Python as can be.
            if self.unspaced:
                self._keywords = set(self.content())
            else:
                kept = set(self.sequence) - STOP_WORDS
                # Looked for by name: the marks of the languages are grammar, and are no more among what is kept.
                if not GRAMMAR_ELSEWHERE.keys().isdisjoint(kept):
                    kept -= grammar_in(self.sequence)
                self._keywords = {word.removesuffix("'s") for word in kept} if self._quoted else kept
        return self._keywords

    def missing(self, wanted: set[str]) -> set[str]:
        """The wanted keywords that this text lacks."""
        # Looking a few words up beats building the set of all.
        return wanted - self.keywords if self.unspaced or self._quoted else wanted.difference(self.sequence)

    def content(self) -> list[str]:
        """The words that carry a topic, in order; runs without spaces are cut into overlapping pieces."""
        kept: Iterable[str] = self.sequence
        if self.unspaced:
            kept = (piece for word in kept for piece in _pieces(word))
        if grammar := grammar_in(self.sequence):
            kept = [word for word in kept if word not in grammar]
        if not self._quoted:
            return [word for word in kept if word not in STOP_WORDS]
        return [word.removesuffix("'s") for word in kept if word not in STOP_WORDS]


def grammar_in(words: Collection[str]) -> frozenset[str]:
    """What is grammar by the language of the other words: the German article of "die Stadt ist", not "they die"."""
    if GRAMMAR_ELSEWHERE.keys().isdisjoint(words):
        return _NO_WORDS
    return frozenset(word for word, marks in GRAMMAR_ELSEWHERE.items() if word in words and not marks.isdisjoint(words))


def _is_single_letter(word: str) -> bool:
    return len(word) == 1 and word.isalpha()


def is_unspaced(word: str) -> bool:
    return _UNSPACED.match(word) is not None


def _count_in_run(word: str) -> int:
    total = 0
    for match in _RUN.finditer(word):
        size = _CHARACTERS_A_WORD.get(match.lastindex or 0)
        total += 1 if size is None else -(-(match.end() - match.start()) // size)
    return total


def _pieces(word: str) -> Iterable[str]:
    """Words of one run: cut at stop words and where the script changes, long ones into overlapping pieces."""
    if not _UNSPACED.search(word):
        yield word
        return
    for part in _UNSPACED_STOPS.split(word):
        for match in _RUN.finditer(part):
            run, size = match.group().removesuffix("'s").strip("'"), _PIECE.get(match.lastindex or 0)
            if not run:  # of a possessive: 王's
                continue
            if match.lastindex == _HIRAGANA_GROUP and len(run) <= _LONGEST_PARTICLE:
                continue
            if size is None or len(run) <= size:
                yield run
            else:
                yield from (run[start : start + size] for start in range(len(run) - size + 1))
