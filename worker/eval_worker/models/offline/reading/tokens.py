"""The words of a sentence brought to the form in which they are looked up elsewhere, tokenised text or plain.

Corpora and pipelines hand texts on tokenised ("do n't", "-lrb- ISS -rrb-") or in lower case. Both forms come out alike.
"""

import re
from collections.abc import Sequence
from itertools import chain, pairwise

from eval_worker.evaluation.text.numbers_in_text import with_compounds_in_digits
from eval_worker.evaluation.text.stop_words import STOP_WORDS
from eval_worker.evaluation.text.word_cache import WordCache
from eval_worker.evaluation.text.words import Words, grammar_in, is_unspaced
from eval_worker.models.offline.reading.clock import in_24_hours
from eval_worker.models.offline.reading.statement import Reader, Statement
from eval_worker.models.offline.reading.stems import stem
from eval_worker.models.offline.reading.synonyms import meaning
from eval_worker.models.offline.reading.vocabulary import LIGHT_WORDS

_BRACKETS = frozenset({"lrb", "rrb", "lsb", "rsb", "lcb", "rcb"})  # how the Penn Treebank writes them
_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_MONTH_OF = {name[:3]: name for name in _MONTHS} | {"sept": "september"}
_ISO_DATE = re.compile(r"(?<!\d)(\d{4})-(0[1-9]|1[0-2])-(\d{2})(?:T[\d:.+Z-]*|(?!\d))")
_NAME_OF_SIGN = {"°c": "degrees celsius", "°f": "degrees fahrenheit", "°": "degrees", "%": "percent"}
_SIGN = re.compile(r"°[cf]\b|°|%", re.IGNORECASE)
_ORDINAL = re.compile(r"(\d{1,9})(?:st|nd|rd|th)")
_GLUED = re.compile(r"(?<![\w.,])(\d+(?:[.,]\d+)*)(m|mio|bn|k)\b", re.IGNORECASE)
_MAGNITUDES = {"m": "million", "mio": "million", "bn": "billion", "k": "thousand"}
_TOKENISED_END = re.compile(r"[.!?](?<=\s[.!?])\s+(?=\S)")
_REWRITTEN = _BRACKETS.union(short for short, name in _MONTH_OF.items() if short != name)
"""The words of nothing but letters that are tokens in another form."""
_LONGEST_TAKEN_APART = 64


def cut_tokenised(sentence: Statement, reader: Reader) -> list[Statement]:
    """The sentences of tokenised text in lower case, where a blank before the full stop is all that ends one."""
    inner = sentence.text[:-1]
    if not ("." in inner or "!" in inner or "?" in inner):  # of most there is no more to ask
        return [sentence]
    ends = [match.end() for match in _TOKENISED_END.finditer(sentence.text)]
    if not ends:
        return [sentence]
    pieces = (sentence.text[start:end].rstrip() for start, end in pairwise([0, *ends, len(sentence.text)]))
    return [one for piece in pieces if (one := reader.read_sentence(piece)).words]


def tokens_of(sentence: Statement) -> list[str]:
    """Folded words in order; of scripts without spaces the overlapping pieces. "2019-01-15" reads 2019 january 15."""
    text, words = sentence.text, list(sentence.words)
    if "°" in text or "%" in text:
        text = _SIGN.sub(lambda sign: f" {_NAME_OF_SIGN[sign[0].lower()]} ", text)
        words = Words(text).sequence
    if sentence.numbers and (plain := in_plain_numbers(text)) != text:
        text = plain
        words = Words(text).sequence
    if not text.isascii() and any(map(is_unspaced, words)):
        words = Words(text).content()
    if grammar := grammar_in(words):
        words = [word for word in words if word not in grammar]
    if "".join(words).isalpha() and _REWRITTEN.isdisjoint(words):
        return words
    return list(chain.from_iterable(map(_TOKENS.__getitem__, words)))


def in_plain_numbers(text: str) -> str:
    """The text with its dates, times of day, shortened millions and twenty-fives spelled in one way."""
    text = with_compounds_in_digits(text)
    if "-" in text:
        text = _ISO_DATE.sub(_spelled_out, text)
    return _GLUED.sub(lambda found: f"{found[1]} {_MAGNITUDES[found[2].lower()]}", in_24_hours(text))


def keys_of(tokens: Sequence[str]) -> list[str]:
    """What each is found by."""
    return list(map(key_of, tokens))


def _tokens_of_word(word: str) -> tuple[str, ...]:
    if len(word) > _LONGEST_TAKEN_APART:
        return (word,)
    if word.isalpha():
        return () if word in _BRACKETS else (_MONTH_OF.get(word, word),)
    if "'" in word:
        if word.endswith("n't"):
            return (*filter(None, [word[:-3]]), "not")
        return tuple(filter(None, word.split("'")))
    ordinal = _ORDINAL.fullmatch(word)
    return (ordinal[1] if ordinal else word,)


def _spelled_out(date: re.Match[str]) -> str:
    year, month, day = date.groups()
    return f"{year} {_MONTHS[int(month) - 1]} {int(day)} "


def _key(token: str) -> str:
    if token in STOP_WORDS or token in LIGHT_WORDS or len(token) > _LONGEST_TAKEN_APART:
        return token
    return meaning(stem(token))


_TOKENS = WordCache(_tokens_of_word)
key_of = WordCache(_key).__getitem__
"""What a token is found by: its stem's meaning; grammar stands for itself."""
