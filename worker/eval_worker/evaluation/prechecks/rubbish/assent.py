"""Assent to what was to be told: "Got it", "Alles klar" and "ok sure" explain nothing, however short the query is."""

import re
from collections.abc import Sequence

from eval_worker.evaluation.prechecks.direct_answer import DirectAnswer
from eval_worker.evaluation.prechecks.offered_words import is_quoted_or_ordered
from eval_worker.evaluation.prechecks.words_of_interaction import WordsOfInteraction
from eval_worker.evaluation.text.asks import Asks
from eval_worker.evaluation.text.question_words import OPEN_REQUESTS, TRANSLATION_MARKS, TRANSLATION_WORDS
from eval_worker.evaluation.text.short_answers import (
    AGREEING_WORDS,
    ASSENT_WORDS,
    FILLER_WORDS,
    GREETING_WORDS,
    PLAIN_YES_OR_NO,
    is_filler,
)
from eval_worker.evaluation.text.word_set import word_set
from eval_worker.evaluation.text.words import fold

_LONGEST, _MOST_WORDS, _SCANNED, _SHOWN = 40, 4, 1500, 40
_SHORT = 0.5
_ASKED_FOR_SPEECH = TRANSLATION_WORDS | word_set("say says said reply replied answer answered respond told write")
_TELLS = re.compile(
    r"^\W*(?:please |kindly |(?:can|could|would|will) you (?:please )?|i (?:need|want) you to |bitte )*"
    r"(?:walk|talk|take|guide) (?:me|us) through\b|"
    r"^\W*(?:please )?help (?:me|us) (?:to )?understand\b|"
    r"^\W*(?:please )?(?:teach|tell (?:me|us) about|define|illustrate|"
    r"clarify|elaborate|list|enumerate|draft|compose|décri\w+|défini\w+|raconte\w*|resum\w+|résum\w+|riassum\w+|"
    r"definier\w+|erläuter\w+|fasse|leg|beschrijf|definieer|vertel|define|descreva|расскаж\w+|описа\w+)\b"
)
_QUOTED_WORD = re.compile(r"[\"'“‘«„`]\s?([^\W\d_]+)\s?[\"'”’»“`]")
_BESIDE_ASSENT = word_set("then well so now there also dann denn alors entonces pues allora então dan")
_SAID = (ASSENT_WORDS | FILLER_WORDS | PLAIN_YES_OR_NO | AGREEING_WORDS) - GREETING_WORDS


def why_assent(words: WordsOfInteraction, direct_answer: DirectAnswer) -> str | None:
    if len(words.interaction.answer) > _LONGEST or not 0 < len(words.answer.sequence) <= _MOST_WORDS:
        return None
    text = words.interaction.answer.strip()
    if words.answer.count == 1 and len(text) < _SHORT * len(words.interaction.user_query.strip()):
        return None  # the checks of length and format find that out
    phrase = _is_phrase(words.answer.sequence)
    if not (phrase or is_filler(words.answer.sequence) or _SAID.issuperset(words.answer.sequence)):
        return None
    if (
        not _is_to_be_told(words, phrase=phrase)
        or _is_about_assent(words)
        or is_quoted_or_ordered(text, fold(words.interaction.user_query))
    ):
        return None
    if direct_answer.reason and not (phrase and words.question.asks is not Asks.OPEN):
        return None
    return f"only assents ({text[:_SHOWN]!r}) where something is to be told"


def _is_phrase(sequence: Sequence[str]) -> bool:
    said = [word for word in sequence if word not in _BESIDE_ASSENT]
    return len(sequence) > 1 and bool(said) and ("".join(said) in ASSENT_WORDS or ASSENT_WORDS.issuperset(said))


def _is_about_assent(words: WordsOfInteraction) -> bool:
    quoted = _QUOTED_WORD.findall(fold(words.interaction.user_query[:_SCANNED]))
    return any(word in _SAID for word in quoted)


def _is_to_be_told(words: WordsOfInteraction, *, phrase: bool) -> bool:
    """Whether the query wants an explanation, or, of a phrase that is no name, anything but yes, no or a reply."""
    question = words.question
    if not _ASKED_FOR_SPEECH.isdisjoint(question.words) or any(mark in question.text for mark in TRANSLATION_MARKS):
        return not OPEN_REQUESTS.isdisjoint(question.words)
    if question.asks is Asks.OPEN:
        return True
    if phrase and question.asks in {Asks.NAME, Asks.NUMBER, Asks.PERSON, Asks.PLACE, Asks.DATE}:
        return True
    return _TELLS.search(fold(words.interaction.user_query[:_SCANNED])) is not None
