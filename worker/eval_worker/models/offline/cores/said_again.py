"""What a text says again word for word, whatever leads up to it: "In other words: …", "As I said, …"."""

import re
from collections.abc import Container
from itertools import islice

from eval_worker.evaluation.text.words import Words
from eval_worker.models.offline.cores.excerpt import excerpt
from eval_worker.models.offline.reading.literal import is_line_of_code
from eval_worker.models.offline.reading.statement import Reader, Statement

_MOST_ROUNDS = 5
_WORDS_OF_LEAD, _FEWEST_SAID_AGAIN = 4, 4
_LEAD = re.compile(r"[^:\n]{1,120}: (?=\S)|(?:\w+ ){0,3}\w+, (?=\S)")
_STOP, _MOST_STOPS = re.compile(r"[.!?]\s+(?=\S)"), 4
_RUN = re.compile(r"\S+")


def said_once(text: str, reader: Reader) -> str:
    """The text without what it says again word for word, but for lines of code."""
    once = _one_round(text)
    everything = {one.words for one in reader.read(once)}
    said: set[tuple[str, ...]] = set()

    def is_new(sentence: str) -> bool:
        statement = reader.read_sentence(sentence)
        led_up_to = _led_up_to(statement.words, everything) is not None or announced(statement) in everything
        again = led_up_to or said_before(statement, said) is not None
        if again and not is_line_of_code(sentence):
            return False
        said.add(statement.words)
        return True

    shortened = excerpt(once, is_new)
    return once if shortened == once.strip() else shortened


def said_before(one: Statement, said: Container[tuple[str, ...]]) -> tuple[str, ...] | None:
    """Return the words of the sentence among those said that this one says again, if with more around it.

    A full stop behind an initial ends no sentence, so that what is run on stands in the same: "J. Great work!". A few
    words may lead up to what is said again: "In other words: …".
    """
    if one.words in said:
        return one.words
    if (again := _led_up_to(one.words, said)) is not None:
        return again
    if (again := announced(one)) in said:
        return again
    for stop in islice(_STOP.finditer(one.text), _MOST_STOPS):
        size = len(Words(one.text[: stop.start()]).sequence)
        if one.words[:size] in said:
            return one.words[:size]
    return None


def announced(one: Statement) -> tuple[str, ...]:
    """What stands behind some words and a colon, or a few and a comma: "To repeat: yes."."""
    lead = _LEAD.match(one.text)
    return one.words[len(Words(lead[0]).sequence) :] if lead else ()


def _led_up_to(words: tuple[str, ...], said: Container[tuple[str, ...]]) -> tuple[str, ...] | None:
    leads = range(1, min(_WORDS_OF_LEAD, len(words) - _FEWEST_SAID_AGAIN) + 1)
    return next((words[size:] for size in leads if words[size:] in said), None)


def runs_on(one: Statement, said: Container[tuple[str, ...]]) -> bool:
    """Whether it says again what was said, and then more."""
    again = said_before(one, said)
    return again is not None and len(again) < len(one.words)


def _one_round(text: str) -> str:
    """The text that is said over and over; the whole of it where none is."""
    words = text.split()
    for rounds in range(2, _MOST_ROUNDS + 1):
        size, rest = divmod(len(words), rounds)
        if size and not rest and words == words[:size] * rounds:
            return _one_round(text[: next(islice(_RUN.finditer(text), size - 1, None)).end()].lstrip())
    return text
