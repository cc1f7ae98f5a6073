"""What a query asks for: yes or no, one of several options, a number, a date, a name, or an explanation."""

import re
from functools import lru_cache

from eval_worker.evaluation.text.asks import Asks
from eval_worker.evaluation.text.question_words import (
    AUXILIARIES,
    DATE_NOUNS,
    FIRST_WORDS,
    HOW_WORDS,
    INDIRECT,
    KOREAN_STEMS,
    NAME_REQUESTS,
    NAMING_VERBS,
    NUMBER_NOUNS,
    OPEN_REQUESTS,
    OR_WORDS,
    PERSON_NOUNS,
    PLACE_NOUNS,
    POLAR_FIRST_WORDS,
    POLAR_MARKS,
    POLAR_WORDS,
    QUANTITIES,
    QUESTION_WORDS,
    UNSPACED_QUESTION_WORDS,
)
from eval_worker.evaluation.text.words import Words, fold
from eval_worker.value_object import value_object

_NAME = Asks.NAME  # in Python 3.11 each look-up of a member is a call
_NOUNS = (
    (NUMBER_NOUNS, Asks.NUMBER),
    (DATE_NOUNS, Asks.DATE),
    (PERSON_NOUNS, Asks.PERSON),
    (PLACE_NOUNS, Asks.PLACE),
)
_POLAR_OPENERS = POLAR_WORDS | POLAR_FIRST_WORDS


@value_object
class Question:
    """`text` is the sentence that was taken for the question; `options` are the words around its "or"."""

    asks: Asks
    text: str
    marked: bool  # with a question mark
    words: tuple[str, ...] = ()
    options: frozenset[str] = frozenset()


# The question stands at the start or at the end of a query; a pasted document may lie between.
_SCANNED = 1200
_LONGEST_CACHED = 4000
_QUESTION_MARKS = ("?", "？", "؟")
# The leading set alone finds the few places to look at.
_END_OF_PART = re.compile(r"[.!?؟。！？\n](?:(?<=[.!?؟])\s+|(?<=[。！？])\s*|(?<=\n)\n*)")
_OPEN_TOPIC = re.compile(r"は[?？]\s*$")  # "The capital of Japan?"
_GREEK = re.compile("[Ͱ-Ͻ]")
_GREEK_MARK = re.compile(r"[;\u037e](?=\s|$)")
_ARITHMETIC = re.compile(r"\d\s*[-+*/×÷^%=]\s*\d")
_MAY_BE_ARITHMETIC = frozenset({Asks.NAME, Asks.UNKNOWN, Asks.POLAR})
_MAY_BE_CHOICE = frozenset({Asks.POLAR, Asks.NAME, Asks.PERSON, Asks.PLACE, Asks.NUMBER, Asks.UNKNOWN, Asks.DATE})


def read_question(query: str) -> Question:
    """Finds the question in a query and what it asks for. Pure, and asked several times of one query: so cached.

    A long one is not, since the cache would keep it: 256 queries of a megabyte each.
    """
    return _cached(query) if len(query) <= _LONGEST_CACHED else read_question_of(query)


@lru_cache(maxsize=256)
def _cached(query: str) -> Question:
    return read_question_of(query)


def read_question_of(query: str, words_of_query: Words | None = None) -> Question:
    """What `read_question` finds, not cached: for who keeps it, and may have the words of the query already."""
    text = _question_sentence(_with_greek_question_marks(query))
    asked = text.endswith(_QUESTION_MARKS)
    folded = fold(text)
    words = words_of_query if words_of_query and text == query else Words(text)
    asks = _by_unspaced_script(folded) if words.unspaced else _by_words(words.sequence, asked=asked)
    if asks in _MAY_BE_ARITHMETIC and _ARITHMETIC.search(folded):
        asks = Asks.POLAR if asks is Asks.POLAR else Asks.NUMBER
    options = _options(words.sequence, folded)
    if options and asks in _MAY_BE_CHOICE:
        asks = Asks.CHOICE
    return Question(asks, text, asked, tuple(words.sequence), options)


def _with_greek_question_marks(query: str) -> str:
    """Greek asks with what looks like a semicolon."""
    return _GREEK_MARK.sub("?", query) if not query.isascii() and _GREEK.search(query) else query


def _question_sentence(query: str) -> str:
    for scanned in (query[-_SCANNED:], query[:_SCANNED]) if len(query) > _SCANNED else (query,):
        for part in reversed(_parts(scanned)):
            if part.endswith(_QUESTION_MARKS) and (part[0].isalnum() or any(map(str.isalnum, part))):
                return part
    return query[:_SCANNED].strip()


def _parts(text: str) -> list[str]:
    """Its sentences and lines, stripped; some may be empty."""
    ends = [match.end() for match in _END_OF_PART.finditer(text)]
    if not ends:
        return [text.strip()]
    return [text[start:end].strip() for start, end in zip([0, *ends], [*ends, len(text)], strict=True)]


def _by_unspaced_script(folded: str) -> Asks:
    found = [(folded.find(word), -len(word), asks) for word, asks in UNSPACED_QUESTION_WORDS.items() if word in folded]
    if found:
        return min(found)[2]
    if _OPEN_TOPIC.search(folded):
        return Asks.NAME
    if any(mark in folded for mark in POLAR_MARKS) or re.search(r"か(?:[。?？]?\s*$|[、。])", folded):
        return Asks.POLAR
    return Asks.POLAR if folded.endswith(_QUESTION_MARKS) else Asks.UNKNOWN


def _by_words(words: list[str], *, asked: bool) -> Asks:  # noqa: PLR0911  # the first rule that applies decides
    if not words:
        return Asks.UNKNOWN
    first, rest = words[0], words[1:]
    if first in FIRST_WORDS and not (rest and rest[0] in {"up", "on", "with", "to", "and", "together"}):
        return _refined(FIRST_WORDS[first], first, rest[:5])
    if first == "was" and rest and rest[0] in {"ist", "sind", "bedeutet", "kostet", "macht", "heißt", "war"}:
        return Asks.NAME
    if first in _POLAR_OPENERS or (asked and not POLAR_WORDS.isdisjoint(words)):
        return Asks.POLAR
    if first in AUXILIARIES:
        return _after_auxiliary(words)
    found = _first_question_word(words)
    if found is not None:
        return found
    if any(word in OPEN_REQUESTS for word in words):
        return _NAME if words[:3].count("write") and words[words.index("write") + 1 :][:1] == ["down"] else Asks.OPEN
    if any(word in NAME_REQUESTS for word in words[:4]):
        return Asks.NAME
    # In many languages only the voice makes a question of a statement, and "The capital of France?" asks for a name.
    return Asks.UNKNOWN


def _after_auxiliary(words: list[str]) -> Asks:
    """`Is it` asks for yes or no, `can you explain` and `do you know when` do not."""
    if words[0] in INDIRECT and words[1:2] == ["you"]:
        if any(word in OPEN_REQUESTS for word in words[2:5]):
            return Asks.OPEN
        found = _first_question_word(words[2:6])
        if found is not None:
            return found
        if any(word in NAME_REQUESTS for word in words[2:5]):
            return Asks.NAME
    return Asks.POLAR


def _first_question_word(words: list[str]) -> Asks | None:
    for position, word in enumerate(words):
        asks = QUESTION_WORDS.get(word)
        if asks is None and not word.isascii():
            asks = _korean(word)
        if asks is None and word.endswith("'s"):
            asks = QUESTION_WORDS.get(word[:-2])
        if asks is not None:
            return _refined(asks, word, words[position + 1 : position + 6])
    return None


def _refined(asks: Asks, word: str, following: list[str]) -> Asks:
    """The noun after "what" or "which", and the adverb after "how", say more than the word itself."""
    if word in HOW_WORDS and following and following[0] in QUANTITIES:
        return Asks.NUMBER
    if word in HOW_WORDS and NAMING_VERBS.intersection(following[:4]):
        return Asks.NAME
    if asks is not _NAME:
        return asks
    return next((kind for nouns, kind in _NOUNS if not nouns.isdisjoint(following[:4])), asks)


def _korean(word: str) -> Asks | None:
    if not "가" <= word[0] <= "힣":
        return None
    return next((asks for stem, asks in KOREAN_STEMS.items() if word.startswith(stem)), None)


def _options(words: list[str], folded: str) -> frozenset[str]:
    """The words next to an "or", two on either side; in scripts without spaces the runs around it."""
    if not OR_WORDS.isdisjoint(words):
        for position, word in enumerate(words):
            if word in OR_WORDS and 0 < position < len(words) - 1:
                return frozenset(words[max(0, position - 2) : position] + words[position + 1 : position + 3])
    if folded.isascii():
        return frozenset()
    for mark in ("还是", "還是", "それとも", "หรือ"):
        if mark in folded and "หรือไม่" not in folded and "หรือเปล่า" not in folded:
            return frozenset(Words(folded).keywords)
    return frozenset()
