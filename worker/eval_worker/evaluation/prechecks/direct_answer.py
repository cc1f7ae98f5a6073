"""The one rule of the prechecks that is ours: a short answer may be all that the question asked for.

By the ratios alone "ok" and "Paris." score the same.
"""

import re

from eval_worker.evaluation.prechecks.words_of_interaction import WordsOfInteraction
from eval_worker.evaluation.text.asks import Asks
from eval_worker.evaluation.text.question import Question, read_question
from eval_worker.evaluation.text.short_answers import (
    ASSENT_WORDS,
    FILLER_WORDS,
    is_filler,
    is_gibberish,
    is_refusal,
    polarity,
)
from eval_worker.evaluation.text.words import Words, fold, is_unspaced

# Longer answers stand on their own: they have the words and the length, or are no direct answer.
_MOST_WORDS = 40
_MOST_WORDS_OF_A_NAME = 8
_FEW_PIECES = 12
_QUANTITY = re.compile(
    r"\d|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|"
    r"sixty|seventy|eighty|ninety|hundred|thousand|million|billion|dozen|dozens|half|third|quarter|none|nothing|free|"
    r"few|many|several|daily|weekly|monthly|yearly|annually|hourly|once|twice|infinite|infinity|unlimited|pi)\b|[%π∞½¼¾]"
)
_CODE = re.compile(r"`[^`\n]+`|\w\([^()\n]*\)|^\s*(?:\$|>>>|git|npm|pip|sudo|docker|SELECT)\s?\S", re.IGNORECASE)
_NAMES = frozenset({Asks.NAME, Asks.PERSON, Asks.PLACE, Asks.DATE, Asks.CHOICE})


class DirectAnswer:
    """Asked by two checks, found out once, and only when one of them asks."""

    __slots__ = ("_known", "_reason", "_words")

    def __init__(self, words: WordsOfInteraction) -> None:
        self._words = words
        self._known = False
        self._reason: str | None = None

    @property
    def reason(self) -> str | None:
        """Why the answer is a direct one; None if it is not."""
        if not self._known:
            self._reason = why_direct(self._words)
            self._known = True
        return self._reason


def why_direct(words: WordsOfInteraction) -> str | None:
    """Why the answer is a direct one, in words that end a sentence; None if it is not."""
    answer = words.answer
    if answer.count > _MOST_WORDS:
        return None
    text = words.interaction.answer[: _MOST_WORDS * 40]
    question = read_question(words.interaction.user_query)
    if _may_be_polar(question) and _says_yes_or_no(answer, text):
        return "it answers yes or no to a yes-or-no question"
    if not answer.sequence:
        return "it is the quantity that the question asks for" if _is_quantity(text, question) else None
    if is_filler(answer.sequence) or all(is_gibberish(word) for word in answer.sequence):
        return None
    if words.interaction.has_context and _stands_in(answer, words):
        return "its words stand in the context"
    return _why_asked_for(answer, text, question)


def _may_be_polar(question: Question) -> bool:
    return question.asks in {Asks.POLAR, Asks.CHOICE} or (question.asks is Asks.UNKNOWN and question.marked)


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
    if question.options and answer.keywords and answer.keywords <= question.options:
        return "it is one of the options that the question names"
    if is_refusal(fold(text)):
        return "it says that there is no answer to give"
    if _is_quantity(text, question):
        return "it is the quantity that the question asks for"
    if question.asks in _NAMES and _could_be_name(answer):
        return f"it is what the question asks for ({question.asks})"
    if question.asks is Asks.UNKNOWN and _could_be_name(answer) and _looks_like_name(text):
        return "it is a name or a number"
    if question.asks is Asks.OPEN and _CODE.search(text):
        return "it is code"
    return None


def _is_quantity(text: str, question: Question) -> bool:
    if question.asks is Asks.NUMBER:
        folded = fold(text)
        # Number words are known in English only; elsewhere whatever is said counts.
        return _QUANTITY.search(folded) is not None or (not folded.isascii() and any(map(str.isalpha, folded)))
    return question.asks in {Asks.NAME, Asks.DATE} and any(map(str.isdigit, text))


def _could_be_name(answer: Words) -> bool:
    if answer.count > _MOST_WORDS_OF_A_NAME:
        return False
    return bool(answer.keywords) and not any(is_gibberish(word) for word in answer.sequence)


def _looks_like_name(text: str) -> bool:
    """Capitalised, a number, or in a script that knows no capitals."""
    first = next((character for character in text if character.isalnum()), "")
    return bool(first) and not first.islower()
