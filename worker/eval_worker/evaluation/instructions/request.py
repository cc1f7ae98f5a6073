"""What of a query speaks to whoever answers, and what is material to work on: a pasted text, code, a quotation."""

import re
from dataclasses import dataclass
from functools import lru_cache

_HEAD, _TAIL = 2000, 1000  # instructions stand at the start or at the end of a query
_LONGEST_QUOTED = 60  # a longer quotation is a text to work on, a shorter one a word to use
_WORDS_OF_DOCUMENT = 60
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_QUOTED = re.compile(
    rf"\"[^\"\n]{{{_LONGEST_QUOTED},}}\"|“[^”]{{{_LONGEST_QUOTED},}}”|«[^»]{{{_LONGEST_QUOTED},}}»|<(\w+)>[^<]*</\1>"
)
_REWORKED = (
    r"translat\w*|rewrit\w*|rephras\w*|reword\w*|paraphras\w*|summari[sz]\w*|correct\w*|proofread\w*|classif\w*|"
    r"edit\w*|"
    r"fix\w*|convert\w*|simplif\w*|analy[sz]\w*|extract\w*|improv\w*|shorten\w*|sort\w*|combin\w*|categori[sz]\w*|"
    r"identify|evaluat\w*|übersetz\w*|tradui\w*|traduc\w*|zusammenfass\w*|résum\w*|resum\w*"
)
_LABELS = (
    r"text|article|passage|document|paragraph|e-?mail|message|input|content|context|story|poem|sentence|review|"
    r"transcript|"
    r"conversation|dialogue|source|original|excerpt|abstract|letter|post|tweet|speech|quote|lyrics|code|data|bio"
)
# "Translate into French: …" and "Text: …": what comes after the colon, up to a blank line, is material.
_GIVEN = re.compile(
    rf"(?:\b(?:{_REWORKED})\b[^\n:.?!]{{0,120}}|(?:^|(?<=\n)|"
    rf"(?<=[.?!] ))[ \t]*(?:\w+ ){{0,2}}(?:{_LABELS})s?(?: \d+)?[ \t]*)"
    r":(?=\s)(?P<given>\s*[^\n]+(?:\n[^\n]+)*)",
    re.IGNORECASE,
)
_PARAGRAPHS = re.compile(r"\n\s*\n")
_REPORTED = re.compile(
    r"\b(?:how|ways?) (?:to|do|does|did|can|could|should|would|i|you|we|they|people)\b|"
    r"\b(?:functions?|methods?|programs?|scripts?|classe?s?|endpoints?|api|tools?|apps?|code|quer(?:y|ies)|commands?|"
    r"parsers?|bots?|models?|prompts?) (?:to|that|which|for|must|should)\b|"
    r"\b(?:he|she|they|who|teacher|boss|client|people|students?|users?) (?:said|says|asked|told|wants?|wanted|must|"
    r"should)\b|"
    r"\b(?:why|whether|what happens)\b",
    re.IGNORECASE,
)
_CLAUSE_ENDS = ".?!;:\n"


@dataclass(frozen=True, slots=True)
class Request:
    """`orders` is the query without the material, `material` what there is to work on (empty where nothing is)."""

    orders: str
    material: str


def read_request(query: str) -> Request:
    """Tell orders from material. Precision goes first: what may be a pasted text gives no orders."""
    return _read(f"{query[:_HEAD]}\n{query[-_TAIL:]}" if len(query) > _HEAD + _TAIL else query)


@lru_cache(maxsize=16)  # several checks and judges ask it of one query, which is short by now
def _read(query: str) -> Request:
    material: list[str] = []

    def set_aside(match: re.Match[str]) -> str:
        whole, given = match.group(), match.groupdict().get("given")
        material.append((given or whole).strip().strip('`"“”').strip())
        return whole[: len(whole) - len(given)] + "\n" if given else " "

    for pattern in (_FENCED, _QUOTED, _GIVEN):
        query = pattern.sub(set_aside, query)
    orders = [one for one in _PARAGRAPHS.split(query) if one.strip()]
    documents = [one for one in orders if len(orders) > 1 and len(one.split()) > _WORDS_OF_DOCUMENT]
    if len(documents) < len(orders):
        material.extend(documents)
        orders = [one for one in orders if one not in documents]
    return Request("\n\n".join(orders).strip(), "\n".join(one for one in material if one))


def is_reported(orders: str, at: int) -> bool:
    """Whether what stands at a position is only spoken of: "explain how to return JSON" asks for no JSON."""
    start = max(orders.rfind(end, 0, at) for end in _CLAUSE_ENDS) + 1
    return _REPORTED.search(orders, start, at) is not None
