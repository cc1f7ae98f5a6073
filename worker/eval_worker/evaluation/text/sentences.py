"""Cuts a text into sentences, in any script: a dot ends one before a capital, or behind a word written in full."""

import re
from collections.abc import Iterator
from functools import lru_cache

from eval_worker.evaluation.text.stop_words import STOP_WORDS
from eval_worker.evaluation.text.word_set import word_set

# The leading set alone finds the few places to look at: many times as fast as a look back from every character.
_END = re.compile(
    r"[.!?;。！？．।؟；](?:(?<=[.!?])[\"'”’)\]]?\s+(?=[\"'“‘(\[]?[^\sa-z])|(?<=[a-z][.!?])\s+(?=[a-z])|(?<=;)\s+|"
    r"(?<=[。！？．।؟；]))"
)
LIST_MARK = r"(?:[-*•+]|\(?\d{1,3}[.)])"
"""What stands before an item of a list, as a pattern."""
MARKER = re.compile(rf"^(?:{LIST_MARK}|#{{1,6}}|>)[ \t]+(?=\S)")
_ABBREVIATIONS = word_set("Mr. Mrs. Ms. Dr. Prof. St. Jr. Sr. vs. Fig. e.g. i.e. approx.")
_SHORTENED = word_set(
    """
    approx. dept. govt. incl. excl. misc. temp. prof. corp. dist. intl. natl. univ. resp. viz. para. etc. vs. no. al.
    ca. cf. pp. eg. ie. st. dr. mr. mrs. ms. jr. sr. fig. figs. vol. vols. ed. eds. est. min. max. sec. hr. hrs. ft. oz.
    lb. lbs. kg. km. cm. mm. ml. tbsp. tsp. pt. yr. yrs. wk. mo. ave. blvd. rd. apt. ext. tel. inc. ltd. co. bros.
    abbr. def. esp. ex. jan. feb. mar. apr. jun. jul. aug. sep. sept. oct. nov. dec. mon. tue. tues. wed. thu. thur.
    thurs. fri. sat. sun. bzw. usw. ggf. inkl. bspw. vgl. evtl. sog. bzgl. env. éd.
    """
)
_SHORTEST_IN_FULL = 2  # letters
_NUMBER_SIGN = "No."  # before a number; else it is an answer
_LONGEST_ABBREVIATION, _INITIAL, _LONGEST_OPENER = 8, 2, 12  # characters
_INITIALS = re.compile(r"(?:[A-Z]\.){2,4}")
_LONGEST_JOINED = 1000  # no sentence hangs on abbreviations for longer
_LONGEST_CACHED, _MOST_CACHED = 4000, 256  # characters of a line, and lines


def split_sentences(text: str) -> list[str]:
    """The sentences and list items, stripped, without their list markers; none is empty. A line break ends one."""
    return [
        sentence
        for line in text.split("\n")
        if line
        for sentence in (_cached(line) if len(line) <= _LONGEST_CACHED else _of_line(line))
    ]


@lru_cache(maxsize=_MOST_CACHED)  # an answer is cut anew for each question that is asked of its sentences
def _cached(line: str) -> tuple[str, ...]:
    return tuple(_of_line(line))


def _of_line(line: str) -> Iterator[str]:
    pieces = _pieces(MARKER.sub("", line.strip()))
    return (piece for piece in pieces if piece[:1].isalnum() or any(map(str.isalnum, piece)))


def _pieces(line: str) -> Iterator[str]:
    pending = ""
    start = 0
    for end in [*(match.end() for match in _END.finditer(line)), len(line)]:
        piece = line[start:end].strip()
        start = end
        pending = f"{pending} {piece}" if pending else piece
        goes_on = _is_abbreviated(piece, line[end : end + _LONGEST_OPENER]) or _runs_on(piece, line[end : end + 1])
        if goes_on and len(pending) < _LONGEST_JOINED:
            continue
        yield pending
        pending = ""
    if pending:
        yield pending


def _is_abbreviated(piece: str, following: str) -> bool:
    if not piece.endswith("."):
        return False
    last = piece[-_LONGEST_ABBREVIATION:].replace("(", " ").split()[-1]
    if len(last) == _INITIAL:
        return last.isascii() and last[0].isupper()
    if _INITIALS.fullmatch(last):  # "J.D. Salinger", but "in the U.S. The …"
        opener = following.split(maxsplit=1)
        return bool(opener) and opener[0].lower() not in STOP_WORDS
    return last in _ABBREVIATIONS or (last == _NUMBER_SIGN and following[:1].isdigit())


def _runs_on(piece: str, following: str) -> bool:
    """Whether what begins without a capital goes on with the piece: behind a name ("Yahoo! is") or a short form."""
    if not (following.isascii() and following.islower()) or piece.endswith(";"):
        return False
    last = piece.rsplit(maxsplit=1)[-1]
    word = last[:-1].replace("'", "").replace("’", "")
    return not (word.isalpha() and word.islower() and len(word) >= _SHORTEST_IN_FULL) or last in _SHORTENED
