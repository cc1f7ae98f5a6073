"""The explicit instructions of a query that code can check, each with how well the answer keeps it."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from eval_worker.evaluation.text.short_answers import polarity
from eval_worker.evaluation.text.words import Words
from eval_worker.models.offline.counts import Bound, Wanted, count_items, count_of, wanted_items, wanted_lengths
from eval_worker.models.offline.languages import LANGUAGES, asked_language, is_written_in
from eval_worker.models.offline.vocabulary import EXAMPLE_MARKERS

_KEPT, _ONE_OVER, _PARTLY, _BROKEN = 1.0, 0.8, 0.6, 0.2
_UNDER, _FAR_OVER_STEP, _FAR_OVER_LEAST = 0.35, 0.15, 0.4
_NOT_EXACT = 0.3
_NEAR = 0.1
_SCANNED = 2000


@dataclass(frozen=True, slots=True)
class Check:
    """One instruction: how well it is kept, and a clause that says so."""

    score: float
    finding: str


def check_constraints(query: str, answer: str) -> list[Check]:
    query = query[:_SCANNED]
    checks = [_of_count(wanted, count_of(wanted.unit, answer)) for wanted in wanted_lengths(query)]
    items = wanted_items(query)
    if items:
        checks.append(_of_count(items, count_items(answer, items.number)))
    checks.extend(check for rule in _RULES for check in rule(query, answer))
    return checks


def _of_count(wanted: Wanted, count: int) -> Check:
    finding = f"asked for {wanted}, the answer has {count}"
    number = wanted.number
    if wanted.bound is Bound.AT_LEAST:
        return Check(_KEPT if count >= number else _UNDER * count / max(1, number), finding)
    if wanted.bound is Bound.AT_MOST:
        return Check(_KEPT if count <= number else max(0.1, 0.5 - (count - number) / max(1, number)), finding)
    if count == number or (wanted.unit in {"words", "characters"} and abs(count - number) <= _NEAR * number):
        return Check(_KEPT, finding)
    if wanted.bound is Bound.EXACTLY:
        return Check(_NOT_EXACT * min(count, number) / max(count, number), finding)
    if count > number:
        return Check(max(_FAR_OVER_LEAST, _ONE_OVER - _FAR_OVER_STEP * (count - number - 1)), finding)
    return Check(_UNDER * count / number, finding)


def _kept_if(kept: bool, asked: str, otherwise: str, score: float = _BROKEN) -> Check:  # noqa: FBT001  # reads as a sentence
    return Check(_KEPT, f"{asked}, and the answer does so") if kept else Check(score, f"{asked}, {otherwise}")


_JSON = re.compile(
    r"\b(?:as|in|valid|return|output|using|a|only|to)\s+(?:valid\s+|a\s+)?json\b|\bjson\s+(?:object|array|format|only)",
    re.IGNORECASE,
)
_FENCE = re.compile(r"^```\w*\s*\n(.*?)\n?```$", re.DOTALL)


def _json(query: str, answer: str) -> Iterator[Check]:
    if not _JSON.search(query):
        return
    text = answer.strip()
    if _parses(text):
        yield Check(_KEPT, "asked for JSON, and the answer is JSON")
    elif (fenced := _FENCE.match(text)) and _parses(fenced.group(1)):
        yield Check(0.9, "asked for JSON, and the answer is JSON in a code fence")
    else:
        start, end = text.find("{"), text.rfind("}")
        inside = 0 <= start < end and _parses(text[start : end + 1])
        yield Check(
            _PARTLY if inside else _BROKEN,
            f"asked for JSON, the answer {'has text around it' if inside else 'is not JSON'}",
        )


def _parses(text: str) -> bool:
    try:
        return isinstance(json.loads(text), (dict, list))
    except (ValueError, RecursionError):
        return False


_TABLE = re.compile(
    r"\b(?:as|in|into|using|create|make)\s+(?:a\s+|the\s+)?(?:form of a\s+)?(?:markdown\s+)?(?:table|tabular)\b",
    re.IGNORECASE,
)
_BULLETS = re.compile(r"\b(?:bullet(?:ed)?[ -]?(?:points?|list)|bullets)\b", re.IGNORECASE)
_NUMBERED = re.compile(
    r"\b(?:numbered|ordered|enumerated)[ -]list\b|\bnumber(?:ed)? (?:them|each|items)\b", re.IGNORECASE
)


def _layout(query: str, answer: str) -> Iterator[Check]:
    lines = [line.strip() for line in answer.splitlines() if line.strip()]
    if _TABLE.search(query):
        rows = sum(line.count("|") > 1 or "\t" in line for line in lines)
        yield _kept_if(rows > 1 or "<table" in answer.lower(), "asked for a table", "the answer has none")
    if _BULLETS.search(query):
        yield _kept_if(
            any(line.startswith(("-", "*", "•", "–")) for line in lines),
            "asked for bullet points",
            "the answer has none",
        )
    if _NUMBERED.search(query):
        numbered = sum(re.match(r"\(?\d{1,3}[.)]", line) is not None for line in lines)
        yield _kept_if(numbered > 0, "asked for a numbered list", "the answer has none")


_ONE_WORD = re.compile(
    r"\b(?:one|single)[ -]word (?:answer|response|reply|only)|\bjust one word\b|\b(?:with|in|using) only one word\b",
    re.IGNORECASE,
)
_YES_NO = re.compile(
    r"\b(only\s+|just\s+|simply\s+)?(?:answer\s+|respond\s+|reply\s+|say\s+)?(?:with\s+)?(?:a\s+)?(only\s+|just\s+|simply\s+)?[\"']?yes[\"']?\s*(?:or|/)\s*[\"']?no[\"']?(\s+only)?\b",
    re.IGNORECASE,
)


def _short(query: str, answer: str) -> Iterator[Check]:
    words = Words(answer)
    if _ONE_WORD.search(query):
        yield _kept_if(words.count == 1, "asked for one word", f"the answer has {words.count}")
    asked = _YES_NO.search(query)
    if asked:
        says = polarity(words.sequence, answer.strip()) is not None
        strict = any(asked.groups()) or "only" in query.lower()
        if says and words.count > 1 and strict:
            yield Check(_PARTLY, f"asked for yes or no only, the answer has {words.count} words")
        else:
            yield _kept_if(says, "asked for yes or no", "the answer says neither")


def _language(query: str, answer: str) -> Iterator[Check]:
    language = asked_language(query)
    if language:
        name = LANGUAGES[language].name
        yield _kept_if(is_written_in(language, answer), f"asked for {name}", f"the answer is not in {name}")


_UPPER = re.compile(
    r"\b(?:in|using|use|all in)\s+(?:all\s+)?(?:upper[ -]?case|capital letters|(?:all )?caps|capitals)\b|\ball caps\b",
    re.IGNORECASE,
)
_LOWER = re.compile(r"\b(?:in|using|use)\s+(?:all\s+|only\s+)?(?:lower[ -]?case|small letters)\b", re.IGNORECASE)


def _letter_case(query: str, answer: str) -> Iterator[Check]:
    if _UPPER.search(query):
        yield _kept_if(answer == answer.upper(), "asked for uppercase", "the answer has lowercase letters")
    if _LOWER.search(query):
        yield _kept_if(answer == answer.lower(), "asked for lowercase", "the answer has capitals")


_QUOTED_OR_WORD = r"(?:[\"“'‘]([^\"”'’\n]{1,80})[\"”'’]|(\w[\w-]*))"
_OPENING = re.compile(
    rf"\b(?:start|begin)(?:ing)?\s+(?:(?:your|the|each|every|it)\s+)?(?:(?:answer|response|reply|sentence)\s+)?"
    rf"with\s+(?:the (?:word|phrase|letter|words)\s+)?{_QUOTED_OR_WORD}",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    rf"\b(?:end|finish|conclude)(?:ing)?\s+(?:(?:your|the|it)\s+)?(?:(?:answer|response|reply|sentence)\s+)?"
    rf"with\s+(?:the (?:word|phrase|words)\s+)?{_QUOTED_OR_WORD}",
    re.IGNORECASE,
)


def _opening_and_closing(query: str, answer: str) -> Iterator[Check]:
    body = answer.strip().strip("\"'“”").lower()
    opening, closing = _OPENING.search(query), _CLOSING.search(query)
    if opening:
        wanted = opening.group(1) or opening.group(2)
        yield _kept_if(body.startswith(wanted.lower()), f"asked to start with {wanted!r}", "the answer does not")
    if closing:
        wanted = closing.group(1) or closing.group(2)
        ends = body.rstrip(" .!?\"'").endswith(wanted.lower().rstrip(" .!?"))
        yield _kept_if(ends, f"asked to end with {wanted!r}", "the answer does not")


_FORBIDDEN = re.compile(
    r"\b(?:do not|don't|never|without|avoid|not)\s+(?:ever\s+)?(?:mention(?:ing)?|us(?:e|ing)|includ(?:e|ing)|"
    r"say(?:ing)?|talk(?:ing)? about|refer(?:ring)? to|writ(?:e|ing)|contain(?:ing)?)\s+(?:(?:any|the|of)\s+)?"
    r"(?:(?:words?|terms?|phrases?|letters?|names?)\s+)?(?:[\"“'‘]([^\"”'’\n]{1,60})[\"”'’]|([^.,;:!?\n\"]{1,60}))",
    re.IGNORECASE,
)
_DEMANDED = re.compile(
    r"\b(?:(?:make sure|be sure|remember)\s+(?:to|that (?:you|it))\s+|must\s+|should\s+|please\s+|and\s+|^)?"
    r"(?:include|mention|use|contain|using|including|containing)\s+(?:all of\s+)?(?:the\s+)?"
    r"(?:words?|phrases?|terms?|keywords?)\s+[\"“'‘]([^\"”'’\n]{1,60})[\"”'’]"
    r"|\b(?:make sure|be sure|remember)\s+to\s+(?:include|mention|use)\s+(?:the\s+)?([^.,;:!?\n\"]{1,40})"
    r"|\b(?:and|must|also)\s+mention\s+(?:the\s+)?([^.,;:!?\n\"]{1,40})",
    re.IGNORECASE,
)
_MOST_WORDS_OF_TERM = 4
_TERM_ENDS = re.compile(r"\s+(?:in|and|or|to|for|as|when|because|but|at|on)\s+.*$", re.IGNORECASE)


def _terms(query: str, answer: str) -> Iterator[Check]:
    said = f" {' '.join(Words(answer).sequence)} "
    for match in _FORBIDDEN.finditer(query):
        term = _term(match.group(1), match.group(2))
        if term:
            yield _kept_if(f" {term} " not in said, f"asked to leave out {term!r}", "the answer has it")
    unwanted = {_term(match.group(1), match.group(2)) for match in _FORBIDDEN.finditer(query)}
    for match in _DEMANDED.finditer(query):
        term = _term(match.group(1), match.group(2) or match.group(3))
        if term and term not in unwanted:
            yield _kept_if(f" {term} " in said, f"asked to include {term!r}", "the answer does not have it", 0.3)


def _term(quoted: str | None, plain: str | None) -> str:
    text = quoted or _TERM_ENDS.sub("", plain or "")
    words = Words(text).sequence
    return " ".join(words) if len(words) <= _MOST_WORDS_OF_TERM else ""


_ASKS_EXAMPLES = re.compile(
    r"\b(?:provide|give|include|with|add|show|and)\s+(?:me\s+)?"
    r"(?:some\s+|several\s+|an?\s+|a few\s+|concrete\s+)?examples?\b",
    re.IGNORECASE,
)


def _examples(query: str, answer: str) -> Iterator[Check]:
    if _ASKS_EXAMPLES.search(query) and wanted_items(query) is None:
        has = EXAMPLE_MARKERS.search(answer) is not None or count_items(answer, 2) > 1 or "```" in answer
        yield _kept_if(has, "asked for examples", "the answer gives none", 0.3)


_RULES: tuple[Callable[[str, str], Iterator[Check]], ...] = (
    _json,
    _layout,
    _short,
    _language,
    _letter_case,
    _opening_and_closing,
    _terms,
    _examples,
)
