"""By a look at its words: which sentences a pattern of many alternatives can find nothing in, and need not search."""

import re
from collections.abc import Iterable

from eval_worker.evaluation.text.words import is_plain
from eval_worker.models.offline.reading.statement import Statement

_JOINTS = "'.,"  # of words: "j'aime", and beside a number "5,nine"
_JOINT = re.compile(f"[ {_JOINTS}]")


def plain_words(one: Statement) -> Iterable[str] | None:
    """The words as a pattern bounds them; None where that can't be told, as of other scripts."""
    if not is_plain(one.text):
        return None
    joined = " ".join(one.words)
    return _JOINT.split(joined) if any(joint in joined for joint in _JOINTS) else one.words


def may_have(words: Iterable[str] | None, telltales: frozenset[str]) -> bool:
    """Whether there is one of the words without which a pattern finds nothing. What is no plain text may have any."""
    return words is None or not telltales.isdisjoint(words)
