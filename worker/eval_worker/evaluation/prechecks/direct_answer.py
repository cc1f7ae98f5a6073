"""The one rule of the prechecks that is ours: a short answer may be all that the question asked for.

By the ratios alone "ok" and "Paris." score the same.
"""

import re
from collections.abc import Sequence

from eval_worker.evaluation.prechecks.wanted_word import why_wanted_word
from eval_worker.evaluation.prechecks.words_of_interaction import WordsOfInteraction
from eval_worker.evaluation.text.asks import Asks
from eval_worker.evaluation.text.codes import asks_for_code, asks_for_sign, is_code, is_homograph, is_letter, is_sign
from eval_worker.evaluation.text.multiple_choice import is_pick, options_of
from eval_worker.evaluation.text.numerals import is_quantity, is_roman
from eval_worker.evaluation.text.polar_answers import is_hedge, says_verb
from eval_worker.evaluation.text.programming import is_about_code
from eval_worker.evaluation.text.question import Question
from eval_worker.evaluation.text.question_words import HOW_WORDS, QUESTION_WORDS, TRANSLATION_MARKS, TRANSLATION_WORDS
from eval_worker.evaluation.text.short_answers import (
    ASSENT_WORDS,
    FILLER_WORDS,
    GREETING_WORDS,
    PLAIN_YES_OR_NO,
    POINTING_WORDS,
    is_filler,
    is_gibberish,
    is_refusal,
    polarity,
)
from eval_worker.evaluation.text.stop_words import STOP_WORDS
from eval_worker.evaluation.text.words import Words, fold, is_unspaced

MOST_WORDS_OF_DIRECT_ANSWER = 40
"""Longer answers stand on their own: they have the words and the length, or are no direct answer."""
_MOST_WORDS_OF_A_NAME = 8
_FEW_PIECES = 12
_FILLERS_THAT_COUNT = frozenset({"um", "null"})  # one in Portuguese, zero in German
_DIGITS = re.compile(r"\d|[%π∞½¼¾]")
_MARKUP = re.compile(r"[\s#/*~|\\\[\](){}<>]+")
_CODE = re.compile(r"`[^`\n]+`|\w\([^()\n]*\)|^\s*(?:\$|>>>|git|npm|pip|sudo|docker|SELECT)\s?\S", re.IGNORECASE)
_NUMBER, _UNKNOWN, _OPEN = Asks.NUMBER, Asks.UNKNOWN, Asks.OPEN  # in Python 3.11 each look-up of a member is a call
_NAMES = frozenset({Asks.NAME, Asks.PERSON, Asks.PLACE, Asks.DATE, Asks.CHOICE})
_POINTED_AT = frozenset({Asks.PERSON, Asks.PLACE, Asks.DATE, Asks.CHOICE})
_MAY_HAVE_DIGITS = frozenset({Asks.NAME, Asks.DATE})
_POLAR = frozenset({Asks.POLAR, Asks.CHOICE})
_CLOSED = _NAMES | {Asks.NUMBER, Asks.UNKNOWN}
_SIGNED = _CLOSED - {Asks.PERSON, Asks.PLACE, Asks.DATE}


class DirectAnswer:
    """Asked by two checks, found out once, and only when one of them asks."""

    __slots__ = ("_known", "_reason", "_words")

    def __init__(self, words: WordsOfInteraction) -> None:
        self._words = words
        self._known = False
        self._reason: str | None = None

    @property
    def reason(self) -> str | None:
        """Why the answer is a direct one, or may be one; None if it is not."""
        if not self._known:
            self._reason = why_direct(self._words) or why_wanted_word(self._words)
            self._known = True
        return self._reason


def why_direct(words: WordsOfInteraction) -> str | None:
    """Why the answer is a direct one, in words that end a sentence; None if it is not, or if that is not certain."""
    answer = words.answer
    if answer.count > MOST_WORDS_OF_DIRECT_ANSWER:
        return None
    text = words.interaction.answer[: MOST_WORDS_OF_DIRECT_ANSWER * 40]
    question = words.question
    if _may_be_polar(question):
        reason = _why_polar(answer, text, question)
        if reason:
            return reason
    if not answer.sequence:
        return _why_signs(text, question)
    return _why_worded(words, text, question)


def _why_worded(words: WordsOfInteraction, text: str, question: Question) -> str | None:
    answer = words.answer
    if is_pick(text, options_of(words.interaction.user_query)):
        return "it picks one of the options that the query puts up"
    if _is_asked_for_word(answer, text, question):
        return "it is the symbol or the word that the question asks for"
    if _points(answer, question):
        return f"it is what the question asks for ({question.asks})"
    if is_filler(answer.sequence) or _is_gibberish(answer, text):
        return None
    if words.interaction.has_context and _stands_in(answer, words):
        return "its words stand in the context"
    return _why_asked_for(answer, text, question)


def _points(answer: Words, question: Question) -> bool:
    """Whether it is "Here." to "Where is it?"; to "Which city is it?" it would be none."""
    if question.asks not in _POINTED_AT or not POINTING_WORDS.issuperset(answer.sequence):
        return False
    return QUESTION_WORDS.get(question.words[0]) is question.asks if question.words else False


def _why_polar(answer: Words, text: str, question: Question) -> str | None:
    if _says_yes_or_no(answer, text):
        return "it answers yes or no to a yes-or-no question"
    if is_hedge(answer.sequence):
        return "it answers a yes-or-no question with a hedge"
    if is_filler(answer.sequence) or _is_gibberish(answer, text):
        return None
    if says_verb(answer.sequence, question.words, question.text):
        return "it answers a yes-or-no question by its verb"
    return None


def _why_signs(text: str, question: Question) -> str | None:
    """An answer without a letter or digit: "½", ">=", "€"."""
    if _is_quantity(text, (), question):
        return "it is the quantity that the question asks for"
    asked = asks_for_sign(question.words)
    if question.asks in _SIGNED and is_sign(text, asked=asked) and (asked or not _is_empty_markup(text, question)):
        return "it is the symbol that the question asks for"
    return None


def _is_empty_markup(text: str, question: Question) -> bool:
    """Nothing but the marks of a text that is not there, and no answer to a question about such."""
    if _MARKUP.fullmatch(text) is None:
        return False
    return not (asks_for_code(question.words) or is_about_code(fold(question.text)))


def _is_asked_for_word(answer: Words, text: str, question: Question) -> bool:  # noqa: PLR0911  # one line a kind
    """What elsewhere is filler or grammar may be the very word wanted: "Na" for sodium, "Hello" for a translation."""
    if question.asks not in _CLOSED or len(answer.sequence) != 1:
        return False
    word = answer.sequence[0]
    if question.asks is _NUMBER and word in _FILLERS_THAT_COUNT:
        return "how" not in question.words
    if word in GREETING_WORDS:
        return _wants_translation(question)
    if is_homograph(text):
        return asks_for_code(question.words)
    if word in ASSENT_WORDS or word in PLAIN_YES_OR_NO:
        return False
    if len(word) == 1:
        return is_letter(text, asked=asks_for_code(question.words))
    return word in STOP_WORDS and word not in FILLER_WORDS and asks_for_code(question.words)


def _wants_translation(question: Question) -> bool:
    named = not TRANSLATION_WORDS.isdisjoint(question.words)
    return named or any(mark in question.text for mark in TRANSLATION_MARKS)


def _is_gibberish(answer: Words, text: str) -> bool:
    return all(is_gibberish(word) for word in answer.sequence) and not is_code(text)


def _may_be_polar(question: Question) -> bool:
    return question.asks in _POLAR or (question.asks is _UNKNOWN and question.marked)


def _says_yes_or_no(answer: Words, text: str) -> bool:
    said = polarity(answer.sequence, text.strip()) is not None
    return said and not all(word in FILLER_WORDS and word not in ASSENT_WORDS for word in answer.sequence or ["yes"])


def _stands_in(answer: Words, words: WordsOfInteraction) -> bool:
    """Whether every content word of the answer is a word of the context."""
    content = answer.keywords
    if not content:
        return False
    missing = content - words.context.keywords
    if not missing:
        return True
    # Pieces of unspaced runs depend on where a run was cut, so the few of a short answer are looked for as they are.
    if len(missing) > _FEW_PIECES or not all(is_unspaced(piece) for piece in missing):
        return False
    folded = fold(words.interaction.context)
    return all(piece in folded for piece in missing)


def _why_asked_for(answer: Words, text: str, question: Question) -> str | None:  # noqa: PLR0911  # one line a kind
    if question.options and question.options.issuperset(answer.keywords or answer.sequence):
        return "it is one of the options that the question names"
    if is_refusal(fold(text)):
        return "it says that there is no answer to give"
    if _is_quantity(text, answer.sequence, question):
        return "it is the quantity that the question asks for"
    if question.asks in _CLOSED and _says_only_yes_or_no(answer):
        return None
    if _asks_for_name(question) and _could_be_name(answer, question):
        return f"it is what the question asks for ({question.asks})"
    if question.asks is _UNKNOWN and _could_be_name(answer, question) and _looks_like_name(text):
        return "it is a name or a number"
    if question.asks in _CLOSED and is_code(text):
        return "it is a code or a symbol"
    if question.asks is _OPEN and _CODE.search(text):
        return "it is code"
    return None


def _is_quantity(text: str, words: Sequence[str], question: Question) -> bool:
    if question.asks is _NUMBER:
        if _DIGITS.search(text) or is_roman(text.strip(" .")) or any(map(is_quantity, words)):
            return True
        # The number words of every script are not known: what is said in another than ASCII gets the benefit.
        return not all(map(str.isascii, words)) and not PLAIN_YES_OR_NO.issuperset(words)
    return question.asks in _MAY_HAVE_DIGITS and any(map(str.isdigit, text))


def _says_only_yes_or_no(answer: Words) -> bool:
    return all(word in PLAIN_YES_OR_NO for word in answer.sequence)


def _asks_for_name(question: Question) -> bool:
    """Also "what product" and "which area": a noun that often, but not always, wants a number."""
    if question.asks is _NUMBER:
        return not any(word in HOW_WORDS or QUESTION_WORDS.get(word) is _NUMBER for word in question.words)
    return question.asks in _NAMES


def _could_be_name(answer: Words, question: Question) -> bool:
    if answer.count > _MOST_WORDS_OF_A_NAME or any(is_gibberish(word) for word in answer.sequence):
        return False
    if answer.keywords:
        return True
    return question.asks in _POINTED_AT and POINTING_WORDS.issuperset(answer.sequence)


def _looks_like_name(text: str) -> bool:
    """Capitalised, a number, or in a script that knows no capitals."""
    first = next((character for character in text if character.isalnum()), "")
    return bool(first) and not first.islower()
