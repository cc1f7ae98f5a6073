"""What stands where a value is missing, served as the answer: "none", "empty", "-1", a file's bytes as a URI.

Each may be an answer to some question, so what the query asks for decides: a place, a date, or three of something is
none of these, while nothing may be left in a box.
"""

import re

from eval_worker.evaluation.instructions.items import wanted_items
from eval_worker.evaluation.prechecks.words_of_interaction import WordsOfInteraction
from eval_worker.evaluation.text.asks import Asks
from eval_worker.evaluation.text.programming import asks_for_markup, is_about_code
from eval_worker.evaluation.text.words import fold

_LONGEST, _SCANNED = 10, 4000
_EDGES = " \t\r\n\"'`.,:;!()[]"
_PLACE_OR_DATE = frozenset({Asks.PLACE, Asks.DATE})
_PERSON_TOO = _PLACE_OR_DATE | {Asks.PERSON}
_NO_ANSWER_TO = {
    "none": _PLACE_OR_DATE,
    "empty": _PERSON_TOO,
    "blank": _PERSON_TOO,
    "-1": _PERSON_TOO,
    "i": _PLACE_OR_DATE,
}
_NONE_MAY_DO = re.compile(r"\bany\b|\bif\b|^\W*which\b|^\W*what (?:are|were)\b")
_BYTES = re.compile(r"data:[\w.+-]+/[\w.+-]+(?:;[\w=.+-]+)*,\S*\s*")
_OF_BYTES = re.compile(r"\b(?:base-?64|ur[il]s?|images?|icons?|pictures?|logos?|pixels?|fonts?|encod\w*)\b")


def why_sentinel(words: WordsOfInteraction) -> str | None:
    answer = words.interaction.answer
    if answer.lstrip()[:5] == "data:":
        return _why_bytes(words)
    if len(answer) > _LONGEST or (text := fold(answer).strip(_EDGES)) not in _NO_ANSWER_TO:
        return None
    if _is_named(text, words):
        return None
    if words.question.asks not in _NO_ANSWER_TO[text] and wanted_items(words.interaction.user_query[:_SCANNED]) is None:
        return None
    return f"is no answer but a sign that there is none ({answer.strip()!r})"


def _is_named(text: str, words: WordsOfInteraction) -> bool:
    """Whether the query or the context has it, or code is asked about, or the query leaves room for none."""
    query = fold(words.interaction.user_query)
    if re.search(rf"(?<![\w-]){text}(?!\w)", query) or text in words.context.sequence or is_about_code(query):
        return True
    return _NONE_MAY_DO.search(fold(words.question.text)) is not None


def _why_bytes(words: WordsOfInteraction) -> str | None:
    query = fold(words.interaction.user_query[:_SCANNED])
    if _BYTES.fullmatch(words.interaction.answer.strip()) is None:
        return None
    if _OF_BYTES.search(query) or asks_for_markup(query) or is_about_code(query):
        return None
    return "is a file's bytes and no text"
