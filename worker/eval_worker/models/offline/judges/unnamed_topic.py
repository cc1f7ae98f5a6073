"""The answers that need not say a word of what was asked for: a list of things that are such, and what is made up."""

import re
from collections.abc import Iterable

from eval_worker.evaluation.instructions.items import listed_in, marked_items, wanted_items
from eval_worker.evaluation.text.asks import Asks
from eval_worker.evaluation.text.words import Words
from eval_worker.models.offline.analysis import Analysis

_NAMED_IN_REPLY = frozenset({Asks.NAME, Asks.UNKNOWN})
_FEWEST, _MOST_WORDS = 3, 4
_SCANNED = 2000
_MAKING_UP = re.compile(
    r"\b(?:write|compose|draft|create|generate|invent|imagine|make up|pretend|schreibe?|verfasse?|erfinde?|denk dir|"
    r"écri(?:s|vez)|rédige[rz]?|invente[rz]?|escrib[ea]|redacta|inventa|scriv[ia]|componi|escrev[ae]|schrijf|verzin|"
    r"skriv|napisz|wymyśl|напиши(?:те)?|сочини(?:те)?|придумай(?:те)?)\b|"
    r"写|編|编|創作|创作|書いて|作って|써 ?줘|작성|지어|"
    r"\b(?:tell|give|complete|continue|finish|come up with|think of|suggest|design|develop|put together)\b.{0,40}"
    r"\b(?:stor(?:y|ies)|poems?|haikus?|limericks?|jokes?|riddles?|slogans?|taglines?|proverbs?|tales?|fables?|lyrics|"
    r"songs?|tweets?|captions?|toasts?|dialogues?|screenplays?)\b",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[,;、，;\n]\s*(?:(?:and|or|und|oder|et|ou|y|o|e)\s+)?|\s+(?=\(?\d{1,2}[.)]\s)")


def lists_things(analysis: Analysis) -> bool:
    """Whether the answer is a list of things that the query wants named.

    Only where there is no context: a context knows the things, and what is not in it is off its topic.
    """
    if analysis.context or analysis.dialogue is not None:
        return False
    text = analysis.answer_text[:_SCANNED]
    marked = marked_items(text) if "\n" in text else []
    wanted = wanted_items(analysis.request.orders)
    fewest = _FEWEST if wanted is None or not marked else min(_FEWEST, wanted.number)
    if analysis.question.asks in _NAMED_IN_REPLY or (wanted and analysis.question.asks is Asks.CHOICE):
        return _are_several(marked or _short_parts(text), fewest)
    # A list answers no "how", "when" or "is it so", but where the number of things is told.
    if wanted is None:
        return False
    return _are_several(marked, fewest) or len(_short_parts(text)) == wanted.number >= _FEWEST


def _are_several(items: Iterable[str], fewest: int) -> bool:
    return len({item.casefold() for item in items}) >= fewest


def _short_parts(text: str) -> list[str]:
    """What stands between commas or line ends, where all of it is short: "oak, ash and elm"."""
    parts = [part.strip(" .") for piece in _BETWEEN.split(text) for part in listed_in(piece) if part.strip(" .")]
    return parts if all(Words(part).count <= _MOST_WORDS for part in parts) else []


def is_made_up(analysis: Analysis) -> bool:
    """Whether the query has the answer made up: a story or a letter speaks of what it likes. Courtesy is neither."""
    return bool(analysis.claims) and _MAKING_UP.search(analysis.interaction.user_query[:_SCANNED]) is not None
