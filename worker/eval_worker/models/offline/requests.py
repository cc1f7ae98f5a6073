"""The separate things that a query asks for: sub-questions, coordinated topics, examples."""

import re
from dataclasses import dataclass

from eval_worker.evaluation.text.asks import Asks
from eval_worker.evaluation.text.question import read_question
from eval_worker.models.offline.statement import read_statement
from eval_worker.models.offline.vocabulary import REQUEST_WORDS

_SCANNED = 1500
_MOST_REQUESTS = 12
_LONGEST_TOPIC_WORDS = 4
_VERBS = (
    "explain|describe|discuss|summari[sz]e|compare|contrast|outline|analy[sz]e|give|provide|list|name|tell|show|state|"
    "identify|include|suggest|recommend|mention|define|write|calculate|say|add|how|why|what|when|where|who|which|whether"
)
_REQUEST = re.compile(
    rf"(?:(?:please|now|then|also|can you|could you) )*"
    rf"(?:{_VERBS}|make|create|translate|rewrite|find|generate|answer)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    rf"[?？!。;；]+\s*|\.\s+|\n+|,?\s+(?:and|then|but|as well as)\s+(?=(?:also |then |please |do |to )*(?:{_VERBS})\b)|"
    rf",\s+(?=(?:and )?(?:{_VERBS})\b)",
    re.IGNORECASE,
)
_HEAD = re.compile(
    rf"^(?:(?:can|could|would|will) you |please |also |then |to |me |us |{_VERBS}|(?:is|are|was|were|do|does|did)\b|"
    r"the (?:difference|differences|similarities|relationship) between |about |both |between |"
    r"the (?:pros|advantages|benefits) (?=and)|\s)+",
    re.IGNORECASE,
)
_COORDINATION = re.compile(r"\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|as well as|&|und|et|y|和|以及)\s+", re.IGNORECASE)
_EXAMPLES = re.compile(r"\b(?:examples?|instances?|beispiele?|exemples?|ejemplos?|esempi)\b|例子|例を", re.IGNORECASE)
_OF_EACH = re.compile(r"\b(?:each|both|every|them)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Request:
    """One thing asked for. `stems` are what an answer to it would speak of; examples have none of their own."""

    text: str
    stems: tuple[str, ...]
    asks: Asks
    wants_examples: bool = False


def is_request(sentence: str) -> bool:
    return _REQUEST.match(sentence) is not None


def find_requests(query: str) -> list[Request]:
    found: list[Request] = []
    for clause in _CLAUSE.split(query[:_SCANNED]):
        text = clause.strip(" ,.:") if clause else ""
        if text:
            found.extend(_of_clause(text))
    return _distinct(found)[:_MOST_REQUESTS]


def _of_clause(clause: str) -> list[Request]:
    topics = _stems(clause)
    if _EXAMPLES.search(clause) and (not topics or _OF_EACH.search(clause)):
        return [Request(clause, (), Asks.NAME, wants_examples=True)]
    if not topics:
        return []
    # A question mark was cut off with the clause; without it the kind of question can't be told.
    asks = read_question(f"{clause}?").asks
    pieces = [piece for piece in _COORDINATION.split(_HEAD.sub("", clause)) if piece and piece.strip()]
    alike = len(pieces) > 1 and all(0 < len(piece.split()) <= _LONGEST_TOPIC_WORDS for piece in pieces[:-1])
    if alike and asks is not Asks.POLAR and all(_stems(piece) for piece in pieces):
        return [Request(piece.strip(), _stems(piece), Asks.OPEN) for piece in pieces]
    return [Request(clause, topics, asks)]


def _stems(text: str) -> tuple[str, ...]:
    statement = read_statement(text)
    return tuple(stem for stem in statement.stems if statement.surface[stem] not in REQUEST_WORDS)


def _distinct(requests: list[Request]) -> list[Request]:
    seen: set[tuple[tuple[str, ...], bool, Asks]] = set()
    kept: list[Request] = []
    for request in requests:
        key = (request.stems, request.wants_examples, request.asks)
        if key not in seen:
            seen.add(key)
            kept.append(request)
    return kept
