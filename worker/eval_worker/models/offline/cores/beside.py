"""What may be said beside any answer: thanks, praise, where it was read, how sure and how well made it is.

It says nothing of any matter, so that an answer is the same without it. Alone it may be the answer.
"""

from collections.abc import Container, Sequence

from eval_worker.evaluation.text.short_answers import is_refusal
from eval_worker.evaluation.text.word_set import word_set
from eval_worker.evaluation.text.words import fold
from eval_worker.models.offline.cores.ties import TELLS_LITTLE
from eval_worker.models.offline.reading.statement import Statement
from eval_worker.models.offline.reading.stems import stem
from eval_worker.models.offline.reading.vocabulary import (
    EMPTY_WORDS,
    PLEASANTRIES,
    SAID_OF_TEXTS,
    SMALL_TALK,
)

SAID_BESIDE = SAID_OF_TEXTS | PLEASANTRIES | EMPTY_WORDS
_FITS_ANY_TALK = SMALL_TALK - SAID_BESIDE
_SCANNED = 300
_SAYS_OF_NO_MORE = word_set("outside beyond missing omitted left added used invented")
_POINTING = word_set("see cf source sources according ref")
_PLACES_IN_A_TEXT = word_set(
    "section sections chapter chapters page pages paragraph paragraphs appendix table ref source"
)
_FEW_WORDS, _MOST_WORDS = 3, 16
_THANKS = frozenset(map(stem, ("thank", "thanks", "welcome", "glad", "pleasure", "greetings", "apologies")))
_WORDS_OF_ITEM = 4
_MOST_BESIDE_THANKS = 1 / 2  # of the words


def said_beside(answer: Sequence[Statement], asked: frozenset[str], known: frozenset[str]) -> set[int]:
    """Return the positions of such sentences: `asked` are the stems of the query, `known` are those of the context.

    Of single words two in a row, since one may be an item; and a few words between two such sentences.
    """
    found = {
        place for place, one in enumerate(answer) if is_said_beside(one, asked) and not is_amid_items(answer, place)
    }
    words = {place for place, one in enumerate(answer) if _is_word_beside(one, asked)}
    found |= {place for place in words if not {place - 1, place + 1}.isdisjoint(words | found)}
    between = {place for place in range(1, len(answer) - 1) if place - 1 in found and place + 1 in found}
    matter = asked | known
    return found | {
        place for place in between if len(answer[place].words) <= _FEW_WORDS and matter.isdisjoint(answer[place].stems)
    }


def is_amid_items(answer: Sequence[Statement], place: int) -> bool:
    """Whether it stands in a row of such as it is: "Dress well", "Ask questions", "Practise answers"."""
    near = answer[max(0, place - 1) : place + 2]
    return len(near) > 2 and all(len(one.words) <= _WORDS_OF_ITEM and one.text[-1].isalnum() for one in near)  # noqa: PLR2004


def is_said_beside(one: Statement, asked: Container[str]) -> bool:
    return is_pleasantry(one, asked) or _is_courteous(one, asked) or _speaks_of_itself(one, asked)


def _is_word_beside(one: Statement, asked: Container[str]) -> bool:
    return len(one.words) == len(one.stems) == 1 and one.stems[0] in SAID_BESIDE and one.stems[0] not in asked


def is_pleasantry(one: Statement, asked: Container[str]) -> bool:
    """Whether a sentence is nothing but thanks, praise or an offer of help: "Let me know if you need more."."""
    if not PLEASANTRIES.issuperset(one.stems) or all(stem in asked for stem in one.stems):
        return False
    return not is_refusal(fold(one.text[:_SCANNED]))  # "I don't know."


def _is_courteous(one: Statement, asked: Container[str]) -> bool:
    """Whether it opens as thanks do, and says little else: "Thank you for asking, it is a pleasure to help today"."""
    if one.is_question or one.names or not one.stems or one.stems[0] not in _THANKS:
        return False
    others = [stem for stem in one.stems if stem not in PLEASANTRIES]
    if len(others) > _MOST_BESIDE_THANKS * len(one.stems) or any(stem in asked for stem in one.stems):
        return False
    return TELLS_LITTLE.issuperset(others)


def _speaks_of_itself(one: Statement, asked: Container[str]) -> bool:
    """Whether all that it says is where it was read, or how sure and well made it is: "See section 2", "No errors"."""
    if SAID_OF_TEXTS.isdisjoint(one.stems) or one.names or one.is_question or "i" in one.words:
        return False
    if one.numbers and _PLACES_IN_A_TEXT.isdisjoint(one.words):  # "The result is 54."
        return False
    said = [stem for stem in one.stems if not stem.isdecimal() and stem not in _FITS_ANY_TALK]
    others = [stem for stem in said if stem not in SAID_BESIDE]
    if len(one.words) > _MOST_WORDS or len(others) > (len(said) >= _FEW_WORDS) or not TELLS_LITTLE.issuperset(others):
        return False
    if one.words[0] not in _POINTING and any(stem in asked for stem in said):
        return False
    if len(one.words) == 1 and one.text[0] not in "([":
        return False
    return not _SAYS_OF_NO_MORE.isdisjoint(one.words) or not is_refusal(fold(one.text[:_SCANNED]))
