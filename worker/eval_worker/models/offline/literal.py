"""What is compared sign by sign: code, and the letter of an option."""

import re
from difflib import SequenceMatcher

from eval_worker.evaluation.text.stop_words import STOP_WORDS
from eval_worker.evaluation.text.words import Words

_CODE = re.compile(
    r"`[^`\n]+`|^\s*(?:def|import|from|class|return|SELECT|git|npm|pip|docker|kubectl|curl|sudo|#include|\$)\s\S|[{};]\s*$|"
    r"\w\([^()\n]*\)|[=!]=|[+*/-]=|->|=>|::|&&|\|\||</",
    re.MULTILINE,
)
_SENTENCE = re.compile(r"[A-Z][a-z]+ .*[.!]$", re.DOTALL)
_TOKEN = re.compile(r"\w+|[^\w\s]")
_FENCE = re.compile(r"```\w*")
_OPTION_ALONE = re.compile(r"^\W*(?:option |answer |choice )?\(?([A-H])\)?\W*(?:$|[).:]\s)", re.IGNORECASE)
_OPTION = re.compile(
    r"^\W*\(?([A-H])[).:]|^\W*([A-H])\W*$|\((?-i:([A-H]))\)|"
    r"\b(?:option|choice|answer is|answer:)\s*\W{0,3}([A-H])\b(?!\s+[a-z])",
    re.IGNORECASE,
)
_MOST_TOKENS, _MOST_COMPARED = 2000, 300
_MOST_GRAMMAR = 0.2  # of the words: code has an `if` and a `for`, too


def option_letter(text: str, *, alone: bool = False) -> str | None:
    """The option that a text chooses; `alone` asks for a text that is no more than an option."""
    if alone:
        match = _OPTION_ALONE.match(text) if len(text.strip(" ().:*")) == 1 else None
        return match[1].upper() if match else None
    match = _OPTION.search(text[:_MOST_TOKENS])
    return next(letter for letter in match.groups() if letter).upper() if match else None


def is_code(text: str) -> bool:
    """Whether a text is code, as opposed to prose with some code in it."""
    if len(text) > 10 * _MOST_TOKENS or _CODE.search(text) is None:
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
