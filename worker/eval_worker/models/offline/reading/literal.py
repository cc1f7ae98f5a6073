"""What is compared sign by sign: code, and the letter of an option."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache

from eval_worker.evaluation.text.stop_words import STOP_WORDS
from eval_worker.evaluation.text.words import Words

_SYNTAX = re.compile(
    r"`[^`\n]+`|[{};]\s*$|\w\([^()\n]*\)|[=!]=|[+*/-]=|->|=>|::|&&|\|\||</",
    re.MULTILINE,
)
_SIGN_OF_SYNTAX = re.compile(  # most prose has none, and is soon done with
    r"[`{};(=:&|<>](?:(?<=[`{};=&|<>])|(?<=\w\()|(?<=::))"
)
_COMMAND = re.compile(
    r"^\s*(?:def|import|from|class|return|SELECT|git|npm|pip|docker|kubectl|curl|sudo|#include|\$)\s\S", re.MULTILINE
)
_STATEMENT = re.compile(
    r"\s*(?:for \w+(?:, ?\w+)* in \S.*:|(?:if|elif|while)\b.*[=<>()\[\]].*:|(?:else|try|finally):|except\b.*:|"
    r"(?:from [\w.]+ )?import [\w.*]+(?: as \w+|, ?\w+)*|(?:return|yield)(?: [^ .?!]+){1,4}|"
    r"(?:(?:const|let|var|int|float|double|auto|final|char|bool|string) )?[a-z_][\w.\[\]]*(?:, ?[a-z_][\w.\[\]]*)* "
    r"?(?:[+*/%|&-]|\*\*|//|:)?= ?[^=.?!]*[^=.?!\s])\s*"
)
"""A line that is nothing but a statement of a common language, whose words are grammar in prose as well."""
_SENTENCE = re.compile(r"[A-Z][a-z]+ .*[.!]$", re.DOTALL)
_TOKEN = re.compile(r"\w+|[^\w\s]")
_FENCE = re.compile(r"```\w*")
_FENCE_LINE = re.compile(r"^\s*```[\w+-]*\s*$", re.MULTILINE)
_OPTION = re.compile(
    r"^\W*\(?([A-Z])[).:]|^\W*([A-Z])\W*$|\((?-i:([A-Z]))\)|"
    r"\b(?:option|choice|answer is|answer:)\s*\W{0,3}([A-Z])\b(?!\s+[a-z])",
    re.IGNORECASE,
)
_MOST_TOKENS, _MOST_COMPARED = 2000, 300
_MOST_GRAMMAR = 0.2  # of the words: code has an `if` and a `for`, too
_MOST_GRAMMAR_OF_LINE = 0.4


def without_fences(text: str) -> str:
    """The text without the lines that open or close a block of code."""
    return _FENCE_LINE.sub("", text)


def sole_letter(text: str) -> str | None:
    """The letter, where a text is no more than the one of an option: "B", "(b)", "B."."""
    letter = text.strip(" \t\r\n().:*\"'")
    return letter.upper() if len(letter) == 1 and letter.isascii() and letter.isalpha() else None


def chosen_letters(sentences: Iterable[str]) -> set[str]:
    """The options that sentences choose: "B) whale", "(B)", "the answer is B"."""
    matches = (_OPTION.search(one[:_MOST_TOKENS]) for one in sentences)
    return {next(filter(None, match.groups())).upper() for match in matches if match}


def letters_alone(sentences: Iterable[str], wanted: str) -> set[str]:
    """The wanted letter, if it stands as a capital by itself and is no article: "Vitamin B helps"."""
    not_an_article = r"(?!\s+[a-z])" if wanted in "AI" else ""
    alone = re.compile(rf"(?<![\w'’]){wanted}(?![\w'’]){not_an_article}")
    return {wanted} if any(alone.search(one) for one in sentences) else set()


@lru_cache(maxsize=256)  # each judge asks it of the same lines
def is_line_of_code(line: str) -> bool:
    """Whether a line shows code and little grammar beside it."""
    if _STATEMENT.fullmatch(line, 0, _MOST_TOKENS):
        return True
    if not _shows_code(line):
        return False
    words = Words(line[:_MOST_TOKENS]).sequence
    return sum(word in STOP_WORDS for word in words) <= _MOST_GRAMMAR_OF_LINE * len(words)


def _shows_code(text: str) -> bool:
    if _SIGN_OF_SYNTAX.search(text) and _SYNTAX.search(text):
        return True
    return _COMMAND.search(text) is not None


def is_code(text: str) -> bool:
    """Whether a text is code, as opposed to prose with some code in it."""
    if len(text) > 10 * _MOST_TOKENS or not _shows_code(text):
        return False
    if _SENTENCE.match(text.strip()) and "```" not in text:
        return False
    words = Words(text).sequence
    return sum(word in STOP_WORDS for word in words) <= max(1, _MOST_GRAMMAR * len(words))


def same_code(wanted: str, text: str) -> bool:
    """Whether the text holds the wanted code, whatever its blanks and quotes."""
    sought, tokens = _tokens(wanted), _tokens(text)
    return "\n" + "\n".join(sought) + "\n" in "\n" + "\n".join(tokens) + "\n"


def share_of_code(wanted: str, text: str) -> float:
    """The share of the wanted code's tokens that the text has in the same order."""
    sought, tokens = _tokens(wanted)[:_MOST_COMPARED], _tokens(text)[:_MOST_COMPARED]
    matched = sum(block.size for block in SequenceMatcher(None, sought, tokens, autojunk=False).get_matching_blocks())
    return matched / len(sought) if sought else 0.0


def _tokens(text: str) -> list[str]:
    bare = _FENCE.sub(" ", text).replace("`", " ").replace('"', "'")
    tokens = _TOKEN.findall(bare)[:_MOST_TOKENS]
    while tokens and tokens[-1] in ".;":
        tokens.pop()
    return tokens
