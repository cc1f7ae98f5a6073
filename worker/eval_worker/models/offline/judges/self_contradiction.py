"""Sentences of one answer that contradict each other: one denies, opposes or counts otherwise what the other says."""

import re
from collections.abc import Iterator, Sequence
from itertools import product

from eval_worker.evaluation.text.word_set import word_set
from eval_worker.evaluation.text.words import Words
from eval_worker.models.offline.reading.statement import Statement
from eval_worker.models.offline.reading.stems import stem
from eval_worker.models.offline.reading.vocabulary import NEGATIONS, OPPOSITES

_CLOSE = 0.75
_COMPARED = 40  # each sentence with so many before it: enough for a contradiction, and linear
_LABEL = re.compile(r"(?:[\w.'’]+ ){0,2}[\w.'’]+:\s")
_CASE = re.compile(r"\b(?:if|when|whenever|unless|wenn|falls|quand|cuando)\b[^,;]+", re.IGNORECASE)
_LIMITS = word_set(
    """
    within after before until till by without with only some most few many several other another first second third last
    next previous unless except beyond over under above below more less than if when while during once but
    innerhalb nach vor bis ohne mit nur manche andere erste zweite sonst dans après avant sans avec seulement autre
    dentro después antes sin con solo sólo otro primera segunda entro dopo prima senza
    """
)
"""What a sentence is limited by: what holds within a month need not hold after it."""
_HOW_OFTEN = frozenset(map(stem, ("always", "never", "ever")))
_WORDS_OF_ONE_LETTER = frozenset("aioey")
_THOSE = re.compile(r"\b(?:who|which|whose)(?: [\w'’]+){1,2}", re.IGNORECASE)


def contradiction_in(claims: Sequence[Statement]) -> tuple[Statement, Statement] | None:
    """Return the first two sentences that can't both be so, or None."""
    for one, other, shared in _alike(claims):
        if _is_of_another(one, other):
            continue
        similar = shared >= _CLOSE * max(len(one.stems), len(other.stems))
        if shared > 1 and _denied(one, other, similar=similar):
            return one, other
        if _opposed(one, other) or (similar and _other_numbers(one, other)):
            return one, other
    return _yes_and_no(claims)


def _yes_and_no(claims: Sequence[Statement]) -> tuple[Statement, Statement] | None:
    """Two sentences on the same, of which one opens with yes and the other with no."""
    yes, no = ([one for one in claims if one.words[:1] == (word,)] for word in ("yes", "no"))
    pairs = product(yes[:_COMPARED], no[:_COMPARED])
    return next((pair for pair in pairs if _on_the_same({*pair[0].stems}, {*pair[1].stems})), None)


def _on_the_same(one: set[str], other: set[str]) -> bool:
    return len(one & other) > 1 or (one == other and bool(one))


def _denied(one: Statement, other: Statement, *, similar: bool) -> bool:
    """Whether one says what the other denies, of the same thing and under the same conditions."""
    if one.negated == other.negated:
        return False
    shorter, longer = sorted((one, other), key=lambda each: len(each.stems))
    is_in_it = _is_sentence(shorter) and {*longer.stems} >= {*shorter.stems} - _HOW_OFTEN
    if not (similar or is_in_it):
        return False
    told_apart = set(one.words) ^ set(other.words)
    return _LIMITS.isdisjoint(told_apart) and not any(map(_is_mark, told_apart))


def _is_sentence(one: Statement) -> bool:
    """As opposed to a heading or a part of one."""
    text = one.text.strip(" *_\"'“”#>-")
    return text[:1].isupper() and text.endswith((".", "!"))


def _is_mark(word: str) -> bool:
    """Whether it tells one of several of a kind: "plan A", "2"."""
    return word.isdecimal() or (len(word) == 1 and word not in _WORDS_OF_ONE_LETTER)


def _is_of_another(one: Statement, other: Statement) -> bool:
    """Whether they are of two speakers or options, or of two cases: "if it rains, …", "people who do not …"."""
    label, other_label = _LABEL.match(one.text), _LABEL.match(other.text)
    if label and other_label and label[0] != other_label[0]:
        return True
    case, other_case = _CASE.search(one.text), _CASE.search(other.text)
    if case and other_case and case[0].casefold() != other_case[0].casefold():
        return True
    those, others = _THOSE.search(one.text), _THOSE.search(other.text)
    return those is not None and others is not None and _denies(those[0]) != _denies(others[0])


def _denies(clause: str) -> bool:
    return not NEGATIONS.isdisjoint(Words(clause).sequence)


def _alike(claims: Sequence[Statement]) -> Iterator[tuple[Statement, Statement, int]]:
    """Pairs of which the shorter is mostly in the longer, with the number of stems that they share."""
    said = [frozenset(one.stems) for one in claims]
    for position, other in enumerate(claims):
        for earlier in range(max(0, position - _COMPARED), position):
            shared = len(said[earlier] & said[position])
            if shared and shared >= _CLOSE * min(len(said[earlier]), len(said[position])):
                yield claims[earlier], other, shared


def _opposed(one: Statement, other: Statement) -> bool:
    """All that tells the two apart is a pair of opposites."""
    first, second = set(one.words), set(other.words)
    only_first, only_second = first - second, second - first
    if len(only_first) > 2 or len(only_second) > 2:  # noqa: PLR2004  # "rises" and "falls", with an article
        return False
    return any(OPPOSITES.get(word, frozenset()) & only_second for word in only_first)


def _other_numbers(one: Statement, other: Statement) -> bool:
    """Two sentences that say the same of the same but for the number."""
    rest = set(one.stems) ^ set(other.stems)
    return (
        bool(one.numbers and other.numbers)
        and not one.numbers & other.numbers
        and all(any(map(str.isdigit, stem)) for stem in rest)
    )
