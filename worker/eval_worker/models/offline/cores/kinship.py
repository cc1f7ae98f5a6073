"""Whether texts are about the same though they share no word: by the company that their telling words keep."""

from collections.abc import Iterable, Sequence

from eval_worker.models.offline.cores.ties import TELLS_LITTLE, Matter
from eval_worker.models.offline.reading.statement import Statement
from eval_worker.models.offline.reading.vocabulary import ABOUT_JUDGING, EMPTY_WORDS, PLEASANTRIES, SAID_OF_TEXTS
from eval_worker.models.offline.reading.word_vectors import Subject, subject_of

_SAYS_NOTHING = PLEASANTRIES | EMPTY_WORDS | ABOUT_JUDGING | SAID_OF_TEXTS
_NOT_ABOUT = TELLS_LITTLE | _SAYS_NOTHING
_FEWEST_KNOWN = 5  # of an answer: of less the company may be chance
KIN = 0.3
"""What texts on something else seldom come to: one in twelve."""


def kin_to(statements: Sequence[Statement], matter: Matter) -> set[int]:
    """Return the positions of those with telling words, if they are together about what is asked for.

    So an answer in words of its own is told from one on something else.
    """
    telling = {position for position, one in enumerate(statements) if not _NOT_ABOUT.issuperset(one.subjects)}
    said = (stem for position in telling for stem in statements[position].subjects)
    return telling if kinship(matter.asked, said) >= KIN else set()


def kinship(asked: Iterable[str], said: Iterable[str]) -> float:
    """How far what is said is about what is asked for: -1 to 1, 0 where too little is known of it."""
    subject = about(said)
    if subject.known < _FEWEST_KNOWN:
        return 0.0
    return subject_of(stem for stem in asked if stem not in _SAYS_NOTHING).kinship(subject)


def about(stems: Iterable[str]) -> Subject:
    """What the telling ones of the stems are about together."""
    return subject_of(stem for stem in stems if stem not in _NOT_ABOUT)
