"""Whether a short answer that no context bears out looks like what was asked for.

By its shape a name can't be told from "Solution"; what is odd in any way gets no more than the benefit of the doubt.
"""

import re
import unicodedata
from collections.abc import Sequence

from eval_worker.evaluation.text.asks import Asks
from eval_worker.evaluation.text.codes import asks_for_code, asks_for_sign
from eval_worker.evaluation.text.question import Question
from eval_worker.evaluation.text.question_words import TRANSLATION_MARKS, TRANSLATION_WORDS
from eval_worker.evaluation.text.words import Words
from eval_worker.models.offline.reading.statement import Statement
from eval_worker.models.offline.reading.vocabulary import ABOUT_JUDGING, ANNOUNCING

_MOST_WORDS = 5  # what is longer would speak of what was asked
_LONGEST_WORD = 24
_SCANNED = 400
_ODD_SIGNS = re.compile(r"[<>{}\[\]|\\`=_~^*#@]|…|%[\w(]|[:：](?:\s|$)")  # "50%" and "10:30" are not odd
_ODD_KINDS = frozenset({"Cc", "Cf", "Cn", "Co", "So"})
_OF_UNITS = "°"


def is_plausible(text: str, statements: Sequence[Statement], question: Question) -> bool:
    words = [word for one in statements for word in one.words]
    if asks_for_code(question.words) or asks_for_sign(question.words):
        return True
    return not (
        Words(text).count > _MOST_WORDS
        or max(map(len, words), default=0) > _LONGEST_WORD
        or ANNOUNCING.issuperset(words)
        or _talks_to_a_judge(statements, question)
        or _is_oddly_written(text.strip()[:_SCANNED])
        or (question.asks in {Asks.PLACE, Asks.PERSON} and not any(map(str.isalpha, text)))
        or (_is_latin(question.text) and not _is_latin(text) and not _asks_for_translation(question))
    )


def _talks_to_a_judge(statements: Sequence[Statement], question: Question) -> bool:
    said = {one.surface[stem] for one in statements for stem in one.stems if stem in ABOUT_JUDGING}
    return not said.issubset(question.words)


def _is_oddly_written(text: str) -> bool:
    if _ODD_SIGNS.search(text):
        return True
    kinds = [unicodedata.category(one) for one in unicodedata.normalize("NFC", text) if one not in _OF_UNITS]
    return not _ODD_KINDS.isdisjoint(kinds) or (_is_latin(text) and "Mn" in kinds)


def _is_latin(text: str) -> bool:
    return all(unicodedata.name(letter, "").startswith("LATIN") for letter in text if letter.isalpha())


def _asks_for_translation(question: Question) -> bool:
    named = not TRANSLATION_WORDS.isdisjoint(question.words)
    return named or any(mark in question.text for mark in TRANSLATION_MARKS)
