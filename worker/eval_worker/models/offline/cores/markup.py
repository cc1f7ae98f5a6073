"""Markup around an answer: chat templates' marks, tags and comments, rules and rows of signs.

Nobody reads it, so it goes, and a line break stands for it; else it would be read as part of the next sentence.
"""

import re

from eval_worker.evaluation.text.closed_tasks import asks_for_signs
from eval_worker.evaluation.text.programming import asks_for_markup, asks_for_template, is_about_code
from eval_worker.evaluation.text.words import fold

_SCANNED = 2000
_FENCE = "```"
_RULED = re.compile(  # a blank to fill in is none: "My name is ___ and I …"
    r"(?<=[^\s|])[ \t]+(?!_+[ \t]+[a-z])[=_~#•*+-]{3,}(?=[ \t]+[^|\s]|[ \t]*$)|^[=_~#•*+-]{3,}[ \t]+(?=\w)|"
    r"(?<=\S)[ \t]+(?:[+~•-]|\* \*)[ \t]*$",
    re.MULTILINE,
)
_SIGNS_OF_RULE = ("===", "___", "~~~", "###", "•••", "***", "---", "+++", " +", " ~", " •", " -", "* *")
_ROW = re.compile(r"^(?:[|•·][ \t]+){2,}(?=[^|•·\n]*$)|(?<=[^|•·\s])(?<!\|)(?:[ \t]+[|•·]){2,}[ \t]*$", re.MULTILINE)
_POINT_ON_THE_LINE = re.compile(r"(?<=[.!?。！？])[ \t]+(?=(?:\d{1,2}[.)]|[-*•])[ \t]+[A-Z\"*])")
_LIST_BEHIND = re.compile(
    r"^(?![ \t]*(?:[-*•]|\d{1,2}[.)])[ \t])([^\n|]*\S)[ \t]+"
    r"(?=([-*•])[ \t]\S[^\n]*\n\2[ \t]\S|1[.)][ \t]\S[^\n]*\n2[.)][ \t]\S)",
    re.MULTILINE,
)
_OBJECT = r"\{[\"'](?:[^{}\n]|\{[^{}\n]{0,500}\}){1,2000}\}"
_OBJECT_BESIDE = re.compile(
    rf"(?:^|(?<=[\w.!?)|}}])(?<!return)[ \t]+)({_OBJECT})(?=[ \t]|$)(?:[ \t]+(?=\w))?", re.MULTILINE
)
_SOURCES_AHEAD = re.compile(
    r"^((?:references?|sources?|citations?):?(?: \[\d{1,2}\](?: [A-Z][\w-]*){1,2},?)+) (?=\w)",
    re.IGNORECASE | re.MULTILINE,
)
_PLACE_AHEAD = re.compile(
    r"^((?:references?|sources?|see|cf\.?|refs?\.?):? "
    r"(?:pages?|p\.|sections?|chapters?|paragraphs?|lines?) ?\d{1,4}[.,;:]?)[ \t]+(?=\w)",
    re.IGNORECASE | re.MULTILINE,
)
_ADDRESSES_AHEAD = re.compile(r"^(?:(?:https?://|www\.)\S+[ \t]+)+(?!(?:is|are|has|was)\b)(?=\w)", re.MULTILINE)
_PICTURE = r"[\u2600-\u27bf\U0001f300-\U0001faff\ufe0f]+"
_PICTURES = re.compile(
    rf"[ \t]*{_PICTURE}[ \t]*$|^[ \t]*{_PICTURE}|(?<=[.!?])\s*{_PICTURE}|[ \t]+{_PICTURE}[ \t]+(?=[A-Z])", re.MULTILINE
)
_HASHTAGS = re.compile(r"^#\w+(?: #\w+)+(?:[ \t]+(?=\w)|[ \t]*$)|(?<=\S)[ \t]+#\w+(?: #\w+)+[ \t]*$", re.MULTILINE)
_HAS_TAGS = re.compile(r"tag|#\w|tweet|twitter|instagram|caption|post|social media", re.IGNORECASE)
_CITATIONS = re.compile(r"(?<=[\w.!?”\"'’)])[ \t]?(?:\[\d{1,3}\])+(?=[\s.,;:!?]|$)")
_STARS = re.compile(r"(?:^|(?<=\S)[ \t]+)(?:[★☆⭐✅✔✓☑💯👍]{2,}[ \t]*)+(?:(\d{1,3}) ?/ ?\1\b)?[ \t!]*", re.MULTILINE)
_UNSEEN = re.compile(
    r"(?<!\S)[\u200b-\u200f\u2060-\u2064\ufeff]+|[\u200b-\u200f\u2060-\u2064\ufeff]+(?!\S)|[\u200b\u2060\ufeff]"
)
_TAGS = re.compile(
    r"<(score|verdict|rating|grade|level|confidence)>[^<>\n]{0,40}</\1>|<!--(?:(?!<!--|-->).){0,2000}-->|<\|start_header_id\|>.{0,20}?<\|end_header_id\|>|<\|im_start\|>(?:system|user|assistant)?|"
    r"<\|[\w-]{1,40}\|>|<</?sys>>|"
    r"\[/?(?:inst|sys(?:tem)?|end|user|assistant|admin|developer|moderator|judge|grader)(?: \w{1,12})?\]|"
    r"</?(?:br|hr|p|summary|div|span|b|i|em|strong|system|user|assistant|human|answer|verdict|score|prompt|query|question|context|"
    r"document|data|instructions?|judge(?:ment)?|grade|rating|result|output|response|evaluation)\b[^<>\n]{0,80}>|"
    r"</?[a-z]+_\w+(?: [^<>\n]{0,80})?>|&(?:nbsp|zwnj|#160);",
    re.IGNORECASE | re.DOTALL,
)


def without_markup(query: str, answer: str) -> str:
    """Return the answer as it is where the query is about code or markup."""
    if answer.isalnum():
        return answer
    seen = answer if answer.isascii() else _UNSEEN.sub("", answer).strip()
    freed = _told_apart(_with_fences_apart(seen))
    if not freed.isascii() and not asks_for_signs(fold(query[:_SCANNED])):
        freed = _PICTURES.sub("\n", _STARS.sub("\n", freed))
    if " #" in freed and not _HAS_TAGS.search(query[:_SCANNED]):
        freed = _HASHTAGS.sub("\n", freed)
    if any(sign in freed for sign in "<[&") and not _is_wanted(query):
        freed = _CITATIONS.sub("", _TAGS.sub("\n", freed))
    return freed if any(map(str.isalnum, freed)) else answer


def _is_wanted(query: str) -> bool:
    folded = fold(query[:_SCANNED])
    return asks_for_markup(folded) or asks_for_template(folded) or is_about_code(folded)


def _with_fences_apart(answer: str) -> str:
    """One that closes nothing goes, and so do those within a line; behind one that closes, the line ends."""
    if _FENCE not in answer:
        return answer
    pieces = answer.split(_FENCE)
    if len(pieces) % 2 == 0:
        return "".join(pieces) if len(pieces) == 2 else answer  # noqa: PLR2004
    if "\n" not in pieces[1]:
        return "".join(pieces)
    fenced = "".join(
        f"{_ended(piece)}{_FENCE}" if place % 2 == 0 else f"{piece}{_FENCE}\n"
        for place, piece in enumerate(pieces[:-1])
    )
    return f"{fenced}{pieces[-1].strip()}".rstrip()


def _ended(piece: str) -> str:
    bare = piece.rstrip(" \t")
    return bare if not bare or bare.endswith("\n") else f"{bare}\n"


def _told_apart(answer: str) -> str:
    if any(sign in answer for sign in _SIGNS_OF_RULE):
        answer = _RULED.sub("\n", answer)
    answer = _POINT_ON_THE_LINE.sub("\n", answer)
    if "\n" in answer:
        answer = _LIST_BEHIND.sub(r"\1\n", answer)
    if '{"' in answer or "{'" in answer:
        answer = _OBJECT_BESIDE.sub(r"\n\1\n", answer).strip("\n")
    answer = _PLACE_AHEAD.sub(r"\1\n", answer)
    if "[1]" in answer:
        answer = _SOURCES_AHEAD.sub(r"\1\n", answer)
    if "://" in answer or "www." in answer:
        answer = _ADDRESSES_AHEAD.sub(lambda found: "\n".join((*found.group().split(), "")), answer)
    return _ROW.sub("\n", answer) if "| |" in answer or "• •" in answer else answer
