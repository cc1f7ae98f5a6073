"""The layout asked for: JSON, a table, bullets, a numbered list, a block of code, headings."""

import json
import re
from collections.abc import Iterator
from functools import lru_cache

from eval_worker.evaluation.instructions.check import BROKEN, KEPT, NEARLY, PARTLY, Check, told
from eval_worker.evaluation.instructions.request import is_reported
from eval_worker.evaluation.text.prefiltered import Prefiltered

_JSON = Prefiltered(
    r"\b(?:as|in|into|valid|return|output|using|only|to|im|als|en|au format|em|come|formato)\s+"
    r"(?:valid\s+|an?\s+|single\s+|formato\s+)*json\b(?!\s+(?:file|schema|parser|library|web))|"
    r"\bjson[- ](?:object|array|format|only)\b|[用以]\s*json|json\s*(?:格式|形式|で)|в формате json",
    words=("json",),
)
_FENCE = re.compile(r"^```\w*\s*\n(.*?)\n?```$", re.DOTALL)
_TABLE = Prefiltered(
    r"\b(?:as|in|into|using|create|make|generate|draw)\s+(?:an?\s+)?(?:(?:the )?form(?:at)? of an?\s+)?"
    r"(?:\w+\s+)?(?:markdown\s+)?(?:table|tabular)\b(?!\s+(?:of contents|tennis|spoon|salt))|\bals tabelle\b|"
    r"\bsous forme de tableau\b|\ben una tabla\b|用表格|表で",
    words=("table", "tabular", "tabelle", "tabla", "用表格", "表で"),
)
_BULLETS = Prefiltered(
    r"\b(?:as|in|use|using|with|into|\d)\s+(?:\w+\s+){0,2}?(?:bullet(?:ed)?[ -]?(?:points?|lists?)|bullets)\b|"
    r"\bbullet(?:ed)?[ -](?:points?|list) (?:format|form|only)\b|\bbullet(?:ed)? list\b",
    words=("bullet",),
)
_NUMBERED = Prefiltered(
    r"\b(?:numbered|ordered|enumerated)[ -]list\b|\bnumber (?:them|each|the items)\b",
    words=("number", "ordered", "enumerated"),
)
_CODE_BLOCK = Prefiltered(
    r"\b(?:in|as|inside|within|using)\s+an?\s+(?:\w+\s+)?code[ -]?block\b",
    words=("code",),
)
_HEADINGS = Prefiltered(
    r"\b(?:with|use|using|include|add)\s+(?:\w+\s+){0,2}?(?:headings|headers|section titles|subheadings)\b",
    words=("heading", "header", "section titles"),
)
_BULLET_LINE = re.compile(r"^[ \t]*[-*•–▪●]", re.MULTILINE)
_NUMBERED_LINE = re.compile(r"^[ \t]*(?:\*\*)?\(?\d{1,3}[.)]", re.MULTILINE)
_HEADING_LINE = re.compile(
    r"^(?:#{1,6}\s+\S.*|\*\*[^*\n]{1,80}\*\*:?|[^\n.!?]{1,80}:|[A-Z][^\n.!?:]{0,60})[ \t]*$|<h\d", re.MULTILINE
)
_FORMATS = (
    (_BULLETS, "bullet points", _BULLET_LINE, 1),
    (_NUMBERED, "a numbered list", _NUMBERED_LINE, 1),
    (_CODE_BLOCK, "a code block", re.compile(r"^```|^ {4}\S", re.MULTILINE), 1),
    (_HEADINGS, "headings", _HEADING_LINE, 2),
)
_JSON_NAME, _TABLE_NAME = "JSON", "a table"
_MOST_LINES = 400


def check_layout(orders: str, answer: str) -> Iterator[Check]:
    wanted = _wanted(orders)
    if _JSON_NAME in wanted:
        yield _of_json(answer.strip())
    if _TABLE_NAME in wanted:
        rows = sum(line.count("|") > 1 or "\t" in line for line in answer.splitlines()[:_MOST_LINES])
        yield told("asked for a table", kept=rows > 1 or "<table" in answer.lower(), otherwise="the answer has none")
    for _, name, sign, least in _FORMATS:
        if name in wanted:
            kept = len(sign.findall(answer)) >= least
            yield told(f"asked for {name}", kept=kept, otherwise="the answer has none")


@lru_cache(maxsize=16)  # several checks and judges ask it of one query, whose orders are short
def _wanted(orders: str) -> frozenset[str]:
    asked = ((_JSON, _JSON_NAME), (_TABLE, _TABLE_NAME), *((pattern, name) for pattern, name, _, _ in _FORMATS))
    return frozenset(name for pattern, name in asked if _asks(pattern, orders))


def _asks(pattern: Prefiltered, orders: str) -> bool:
    match = pattern.search(orders)
    if match is None or is_reported(orders, match.start()):
        return False
    return (
        re.search(
            r"\b(?:no|not|without|don't|never|avoid)\b[^.?!\n]{0,20}$",
            orders[: match.start()][-30:] + " " + match.group().split()[0],
        )
        is None
    )


def _of_json(text: str) -> Check:
    if _parses(text):
        return Check(KEPT, "asked for JSON, and the answer is valid JSON")
    if (fenced := _FENCE.match(text)) and _parses(fenced.group(1)):
        return Check(NEARLY, "asked for JSON, and the answer is valid JSON in a code fence")
    starts = [at for at in (text.find("{"), text.find("[")) if at >= 0]
    end = max(text.rfind("}"), text.rfind("]"))
    if starts and min(starts) < end and _parses(text[min(starts) : end + 1]):
        return Check(PARTLY, "asked for JSON, the answer has text around it")
    return Check(BROKEN, "asked for JSON, the answer is not valid JSON")


def _parses(text: str) -> bool:
    try:
        return isinstance(json.loads(text), (dict, list))
    except (ValueError, RecursionError):
        return False
