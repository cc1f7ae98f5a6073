"""A word or two that may be what the query as a whole wants, and not only the sentence that was taken for its question.

This is the benefit of the doubt: enough to be worth a judge, and no sign that the answer is any good.
"""

import re
from collections.abc import Sequence

from eval_worker.evaluation.prechecks.offered_words import is_listed, is_quoted_or_ordered
from eval_worker.evaluation.prechecks.words_of_interaction import WordsOfInteraction
from eval_worker.evaluation.text.asks import Asks
from eval_worker.evaluation.text.closed_tasks import asks_for_signs, is_closed_task
from eval_worker.evaluation.text.codes import is_code
from eval_worker.evaluation.text.programming import asks_for_value, is_about_code
from eval_worker.evaluation.text.question import Question
from eval_worker.evaluation.text.question_words import (
    OPEN_REQUESTS,
    TRANSLATION_MARKS,
    TRANSLATION_WORDS,
    UNSPACED_REQUESTS,
)
from eval_worker.evaluation.text.short_answers import (
    AGREEING_WORDS,
    ASSENT_WORDS,
    GREETING_WORDS,
    PLAIN_YES_OR_NO,
    is_filler,
    is_gibberish,
)
from eval_worker.evaluation.text.word_set import word_set
from eval_worker.evaluation.text.words import Words, fold

_MOST_WORDS, _MOST_CHARACTERS = 4, 80
_SCANNED = 4000
_GREETS = re.compile(r"\b(?:greet\w*|say (?:hello|hi|goodbye|bye|thanks|thank you)|grüß\w*|salud\w*|salut\w*)\b")
_ASKS_WHAT_TO_SAY = re.compile(
    r"\b(?:how|what) (?:should|do|does|would|can|could|might|must) (?:\w+ ){1,3}(?:answer|reply|respond|say)\b"
)
_SAYS_NOTHING = frozenset(".…?! ")
_EDGES = " .'\"`"
_VALUES = word_set("null nil undefined nan none todo tbd n/a string text true false")
_WORDS_OF_PRAISE = word_set("good great cool nice welcome here fine sure right bueno bien gut bom bon")
_WORDS_OF_STATE = word_set("good great fine ok okay alright well bad cool nice thanks thank you very")
_OF_ASSENT = (ASSENT_WORDS | GREETING_WORDS | PLAIN_YES_OR_NO) - word_set("text answer reply string here no")
_OPEN = Asks.OPEN  # in Python 3.11 each look-up of a member is a call
_WORDS_OF_BEING = word_set("are is was were have has")
_WORDS_OF_DOING = word_set("do does did")
_FARES = word_set("do go feel sleep look taste smell sound perform fare rate like find think")


def why_wanted_word(words: WordsOfInteraction) -> str | None:
    """Why a few words may be all that is wanted, in words that end a sentence; None for others."""
    answer, text = words.answer, words.interaction.answer.strip()
    if answer.count > _MOST_WORDS or len(text) > _MOST_CHARACTERS or not text:
        return None
    query = _ends_of(words.interaction.user_query)
    if not answer.sequence:
        is_answer = asks_for_signs(query) and any(one.isprintable() and one not in _SAYS_NOTHING for one in text)
        return "the query asks for signs and not for words" if is_answer else None
    if is_quoted_or_ordered(text, query):
        return "it is a word that the query quotes or orders"
    is_value = fold(text).strip(_EDGES) in _VALUES
    if (is_value and asks_for_value(query)) or (not is_value and is_code(text) and is_about_code(query)):
        return "it is the value that the query asks for"
    return (
        _why_of_saying(answer, words.question, query)
        or _why_of_task(answer, text, query)
        or _why_of_how(answer, words.question)
    )


def _why_of_saying(answer: Words, question: Question, query: str) -> str | None:
    if _says_nothing(answer) and (_ASKS_WHAT_TO_SAY.search(query) or _is_translated(question, query)):
        return "it is what the query asks how to say"
    if GREETING_WORDS.issuperset(answer.sequence) and _GREETS.search(query):
        return "it is the greeting that the query asks for"
    return None


def _why_of_task(answer: Words, text: str, query: str) -> str | None:
    says_nothing = _says_nothing(answer)
    is_worked_on = _is_praise(answer) or fold(text).strip(_EDGES) in query
    if (says_nothing and not is_worked_on) or _is_gibberish(answer, text):
        return None
    closed = is_closed_task(query)  # looked for last: it takes longest
    if says_nothing and not closed:
        return None
    if is_listed(text, query):
        return "it is one of the items that the query names"
    return "it is a word, and a word can do what the query asks for" if closed else None


def _why_of_how(answer: Words, question: Question) -> str | None:
    """How somebody is ("Fine."), or died ("Cancer."). Neither is an answer to who wants an explanation."""
    if question.asks is not _OPEN or not question.marked or not OPEN_REQUESTS.isdisjoint(question.words):
        return None
    if question.words[:1] == ("how",) and _WORDS_OF_STATE.issuperset(answer.sequence):
        return "it says how somebody or something is" if _asks_how_one_is(question.words) else None
    if any(request in question.text for request in UNSPACED_REQUESTS) or not answer.keywords:
        return None
    if _says_nothing(answer) or AGREEING_WORDS.issuperset(answer.sequence) or _is_gibberish(answer, question.text):
        return None
    return "it may be the cause or the means that the question asks for"


def _asks_how_one_is(words: Sequence[str]) -> bool:
    """Whether it is "How is it?" or "How did it go?", and not "How do I open it?"."""
    if not _WORDS_OF_DOING.isdisjoint(words[1:2]):
        return not _FARES.isdisjoint(words[2:])
    return not _WORDS_OF_BEING.isdisjoint(words[1:3])


def _says_nothing(answer: Words) -> bool:
    return is_filler(answer.sequence) or PLAIN_YES_OR_NO.issuperset(answer.sequence)


def _is_translated(question: Question, query: str) -> bool:
    """Whether a word of assent or of courtesy is to be put into another language."""
    if TRANSLATION_WORDS.isdisjoint(question.words) and not any(mark in query for mark in TRANSLATION_MARKS):
        return False
    return not _OF_ASSENT.isdisjoint(question.words)


def _is_praise(answer: Words) -> bool:
    """Nothing said, but for a task that asks for a class or a mark."""
    return len(answer.sequence) == 1 and answer.sequence[0] in _WORDS_OF_PRAISE


def _is_gibberish(answer: Words, text: str) -> bool:
    return all(map(is_gibberish, answer.sequence)) and not is_code(text)


def _ends_of(query: str) -> str:
    """The folded query; of a long one, the parts where its task may stand."""
    return fold(query if len(query) <= 2 * _SCANNED else f"{query[:_SCANNED]}\n{query[-_SCANNED:]}")
