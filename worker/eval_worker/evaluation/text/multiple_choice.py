"""The options that a query puts up line by line, each behind its letter or number, and the one that an answer picks."""

import re
from collections.abc import Mapping
from itertools import pairwise

from eval_worker.evaluation.text.words import fold

_OPTION = re.compile(r"^[ \t]*[(\[]?([A-Ha-h]|[1-8])[.):\]][ \t]+(\S.*)$", re.MULTILINE)
_FEWEST, _MOST = 2, 8
_SCANNED, _LONGEST_ANSWER, _LONGEST_OPTION = 4000, 300, 200  # characters
_ASKS_TO_PICK = re.compile(
    r"\b(?:which|choose|select|pick|options?|choices?|correct|right|best|true|false|answer|multiple[- ]choice|"
    r"welche\w*|wähle|richtig\w*|antwort|laquelle|lequel|choisis\w*|correcte?|cuál|elige|correct[ao]|opción|quale|scegli|qual|"
    r"escolha|welk\w*|kies)\b|[?？]|哪|选|選|どれ|कौन|какой|какая|какое|выбери",
    re.IGNORECASE,
)
_LEAD = (
    r"(?:(?:so |therefore,? )?(?:the )?(?:correct |right |best )?(?:answer|option|choice)(?: is|:)?|it(?: is|'s)|"
    r"(?:die )?(?:richtige )?antwort(?: ist|:)?|la (?:bonne )?réponse(?: est)?|la respuesta(?: correcta)?(?: es)?|"
    r"la risposta(?: è)?|a resposta(?: é)?|option|choice|답은|答案是?|正解は)"
)
_PICK = re.compile(rf"\W*(?:{_LEAD}\W*){{0,2}}[(\[]?([a-h]|[1-8])(?:[.):\],]|\b)\s*(.*)", re.DOTALL)
_LED = re.compile(rf"\W*(?:{_LEAD}\W*){{0,2}}(.*)", re.DOTALL)
_EDGES = " \t\n.!\"'“”‘’*`()[]"


def options_of(query: str) -> dict[str, str]:
    """Return the options by their folded letter or number; none where the query puts up none, or asks for no choice."""
    found = _OPTION.findall(query[-_SCANNED:])
    options = {fold(mark): fold(text).strip(_EDGES) for mark, text in found}
    if not _FEWEST <= len(options) <= _MOST or len(options) < len(found):
        return {}
    if any(len(text) > _LONGEST_OPTION for text in options.values()) or not _is_row(list(options)):
        return {}
    return options if _ASKS_TO_PICK.search(query[:_SCANNED]) else {}


def is_pick(answer: str, options: Mapping[str, str]) -> bool:
    """Whether an answer names one option and says no more: "B", "B. Apple", "The answer is (B) apple.", "Apple"."""
    said = fold(answer.strip())
    if not options or not said or len(said) > _LONGEST_ANSWER:
        return False
    by_text = _LED.match(said)
    if by_text and by_text[1].strip(_EDGES) in options.values():
        return True
    picked = _PICK.match(said)
    if picked is None or picked[1] not in options:
        return False
    rest = picked[2].strip(_EDGES)
    return not rest or rest == options[picked[1]]


def _is_row(marks: list[str]) -> bool:
    """From the first letter or number on, without a gap."""
    return marks[0] in {"a", "1"} and all(ord(after) == ord(before) + 1 for before, after in pairwise(marks))
