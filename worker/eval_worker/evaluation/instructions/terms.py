"""Words that the answer must have, and words that it must not."""

import re
from collections.abc import Iterator
from functools import lru_cache

from eval_worker.evaluation.instructions.check import Check, told
from eval_worker.evaluation.instructions.request import is_reported
from eval_worker.evaluation.text.prefiltered import Prefiltered
from eval_worker.evaluation.text.words import Words

_QUOTED = r"[\"“'‘]([^\"”'’\n]{1,60})[\"”'’]"
_FORBIDDEN = Prefiltered(
    r"\b(?:(?:do not|don't|never|without|avoid|not)\s+(?:ever\s+)?(?:mention(?:ing)?|us(?:e|ing)|includ(?:e|ing)|"
    r"say(?:ing)?|talk(?:ing)? about|refer(?:ring)? to|writ(?:e|ing)|contain(?:ing)?)\s+(?:(?:any|the|of)\s+)?"
    r"(?:(?:words?|terms?|phrases?|letters?|names?)\s+)?|(?:without|avoid) the (?:words?|terms?|phrases?)\s+)"
    rf"(?:{_QUOTED}|([^.,;:!?\n\"]{{1,60}}))",
    words=("not", "don't", "never", "without", "avoid"),
)
_DEMANDED = Prefiltered(
    rf"\b(?:include|mention|use|contain|using|including|containing|with)s?\s+(?:all of\s+)?(?:the\s+)?(?:following\s+)?"
    rf"(?:words?|phrases?|terms?|keywords?|hashtags?)\s*:?\s+(?:{_QUOTED}(?!\s*(?:,|and|or)\s*[\"“'‘])|(#\w+))"
    rf"|\b(?:make sure|be sure|remember)\s+to\s+(?:include|mention|use)\s+(?:the\s+(?:words?\s+)?)?(?:{_QUOTED}|"
    rf"([^.,;:!?\n\"]{{1,40}}))"
    rf"|\b(?:and|must|also|but)\s+mention\s+(?:the\s+)?([^.,;:!?\n\"]{{1,40}})",
    words=("word", "phrase", "term", "hashtag", "sure", "remember", "mention"),
)
_MANY = Prefiltered(
    rf"\b(?:include|use|contain|using|including|containing|with)s?\s+(?:all of\s+)?(?:the\s+|"
    rf"these\s+)?(?:\w+\s+)?(?:following\s+)?(?:words|keywords|terms|phrases)\s*:?\s+"
    rf"({_QUOTED.replace('(', '(?:')}(?:\s*(?:,\s*and|,|and|&)\s*{_QUOTED.replace('(', '(?:')})+)",
    words=("words", "terms", "phrases"),
)
_EACH_QUOTED = re.compile(_QUOTED)
_LETTER = Prefiltered(
    r"\b(?:without (?:using )?(?:the )?letter|avoid (?:using )?the letter|(?:do not|"
    r"don't) use the letter)\s+[\"“'‘]?(\w)\b",
    words=("letter",),
)
_MOST_WORDS_OF_TERM = 4
_TERM_ENDS = re.compile(
    r"\s+(?:in|and|or|to|for|as|when|because|but|at|on|of|that|which|with|if|by)\s+.*$", re.IGNORECASE
)
_NOT_A_TERM = re.compile(
    r"^(?:any|anything|all|more|other|too|it|them|this|that|these|those|your|you|my|me|code|language|explanations?|"
    r"examples?|"
    r"emojis?|hashtags?|commas?|exclamation|question|letter|numbers?|contractions?|jargon|slang|lists?|markdown|html|"
    r"json|"
    r"bullets?|libraries|library|formatting|abbreviations?|adjectives?|adverbs?|quotes?|quotation|punctuation|a|an|"
    r"sources?|"
    r"references?|personal|external|information|details?|words?|sentences?|what|how|why|when|where|who|long|complex|"
    r"technical|"
    r"common|simple|both|each|every|at|up|only|multiple|same|first|function|built)\b",
    re.IGNORECASE,
)
_MISSING = 0.3
_BEFORE = 8


_SUBJECT = re.compile(r"\b(?:i|we|they|who|that|which)\s+$", re.IGNORECASE)  # "words that don't contain" are others


def check_terms(orders: str, answer: str) -> Iterator[Check]:
    unwanted = forbidden_terms(orders)
    demanded = [term for term in _demanded_terms(orders) if term not in unwanted]
    said = f" {' '.join(Words(answer).sequence)} " if unwanted or demanded else ""
    for term in unwanted:
        yield told(f"asked to leave out {term!r}", kept=f" {term} " not in said, otherwise="the answer has it")
    for term in demanded:
        kept = f" {term} " in said
        yield told(f"asked to include {term!r}", kept=kept, otherwise="the answer does not have it", score=_MISSING)
    if letter := _LETTER.search(orders):
        sign = letter.group(1)
        kept = sign.lower() not in answer.lower()
        yield told(f"asked to leave out the letter {sign!r}", kept=kept, otherwise="the answer has it")


@lru_cache(maxsize=16)  # several checks and judges ask it of one query, whose orders are short
def forbidden_terms(orders: str) -> tuple[str, ...]:
    """The words that the answer is not to have, folded, in the order in which the query names them."""
    found = [
        _term(*match.groups())
        for match in _FORBIDDEN.finditer(orders)
        if not (is_reported(orders, match.start()) or _SUBJECT.search(orders[: match.start()][-_BEFORE:]))
    ]
    return tuple(dict.fromkeys(term for term in found if term))


@lru_cache(maxsize=16)  # several checks and judges ask it of one query, whose orders are short
def _demanded_terms(orders: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_demanded(orders)))


def _demanded(orders: str) -> Iterator[str]:
    for match in _MANY.finditer(orders):
        yield from (term for one in _EACH_QUOTED.findall(match.group(1)) if (term := _term(one, None)))
    for match in _DEMANDED.finditer(orders):
        quoted, hashtag, sure_quoted, sure_plain, mentioned = match.groups()
        term = _term(quoted or hashtag or sure_quoted, sure_plain or mentioned)
        if term and not is_reported(orders, match.start()):
            yield term


def _term(quoted: str | None, plain: str | None) -> str:
    """The words of a term, folded; empty where it is rather a description than a term."""
    if not quoted and _NOT_A_TERM.match(plain or ""):
        return ""
    text = quoted or _TERM_ENDS.sub("", plain or "")
    words = Words(text).sequence
    return " ".join(words) if len(words) <= _MOST_WORDS_OF_TERM and not (len(words) == 1 and len(words[0]) == 1) else ""
