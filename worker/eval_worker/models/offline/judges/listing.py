"""Whether an answer is a list of things that the query wants named: items say no word of what they are items of."""

import re

from eval_worker.evaluation.instructions.items import marked_items
from eval_worker.evaluation.text.asks import Asks
from eval_worker.evaluation.text.words import Words
from eval_worker.models.offline.analysis import Analysis

_NAMED_IN_REPLY = frozenset({Asks.NAME, Asks.UNKNOWN})  # a list answers no "how", "when" or "is it so"
_FEWEST, _MOST_WORDS = 3, 4
_SCANNED = 2000
_BETWEEN = re.compile(r"[,;、，;\n]\s*(?:(?:and|or|und|oder|et|ou|y|o|e)\s+)?")


def lists_things(analysis: Analysis) -> bool:
    """Only where there is no context: a context knows the things, and what is not in it is off its topic."""
    if analysis.context or analysis.dialogue is not None or analysis.question.asks not in _NAMED_IN_REPLY:
        return False
    text = analysis.answer_text[:_SCANNED]
    items = marked_items(text) or _short_parts(text)
    return len({item.casefold() for item in items}) >= _FEWEST


def _short_parts(text: str) -> list[str]:
    """What stands between commas or line ends, where all of it is short: "oak, ash and elm"."""
    parts = [part.strip(" .") for part in _BETWEEN.split(text) if part.strip(" .")]
    return parts if all(Words(part).count <= _MOST_WORDS for part in parts) else []
