"""A conversation as query and context give it: the last turn, the turns before it, and what was given to talk about."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eval_worker.evaluation.text.word_set import word_set
from eval_worker.models.offline.reading.requests import is_request
from eval_worker.models.offline.reading.statement import Statement
from eval_worker.models.offline.reading.vocabulary import ABOUT_JUDGING, ORDERS_TO_THE_JUDGE, SMALL_TALK

Stems = frozenset[str]

_TURN = re.compile(
    r"^\W{0,3}(?:user|human|customer|client|caller|guest|assistant|ai|bot|chatbot|agent|operator|support|speaker|"
    r"person|me|you|[ab])(?: ?\d| [ab])?\W{0,3}:",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"^\W{0,3}(?:user|human|customer|assistant|ai|bot|agent)\W{0,3}:", re.IGNORECASE | re.MULTILINE)
_FEWEST_TURNS = 2
_LABELS = word_set("user human customer client caller guest assistant ai bot chatbot agent operator support speaker")
_SECOND_PERSON = word_set("you your yours yourself u ya du dich dein sie ihr ihnen tu vous votre tú usted ty вы ты")
_LABEL_WITHIN, _ORDER_WITHIN = 60, 300
_SHARE_OF_TURNS = 0.1  # the share of a transcript's sentences that open a turn, at least


@dataclass(frozen=True, slots=True)
class Dialogue:
    """The stems of each part that carry a topic; `given` is what stands in the context before the first turn."""

    last: Stems
    earlier: Stems
    given: Stems

    @property
    def all(self) -> Stems:
        return self.last | self.earlier | self.given


def read_dialogue(query: Sequence[Statement], context: Sequence[Statement]) -> Dialogue | None:
    """Return the conversation that a query is a turn of; None without a transcript, or for a plain question in it."""
    first = next((position for position, one in enumerate(context) if _opens_a_turn(one)), None)
    if first is None or all(_asks_about_the_world(one) for one in query):
        return None
    return Dialogue(topical(query), topical(context[first:]) - _LABELS, topical(context[:first]))


def last_turn_of(query: str) -> str:
    """Return what the user said last, of a query that gives a conversation turn by turn; else the query."""
    turns = list(_LABELLED.finditer(query))
    if len(turns) < _FEWEST_TURNS:
        return query
    last = query[turns[-1].end() :].strip()
    return last or query


def holds_talk(context: Sequence[Statement]) -> bool:
    """Whether it gives a transcript, whatever the query wants of it: a label or two may stand in any text."""
    return sum(map(_opens_a_turn, context)) >= _SHARE_OF_TURNS * len(context) > 0


def topical(statements: Iterable[Statement]) -> Stems:
    """Return the stems that tell one conversation from another: no small talk, no single letters, no numbers."""
    subjects = frozenset[str]().union(*(one.subjects for one in statements))
    return frozenset(stem for stem in subjects if len(stem) > 1) - SMALL_TALK


def _opens_a_turn(one: Statement) -> bool:
    if _TURN.match(one.text[:_LABEL_WITHIN]) is None or ORDERS_TO_THE_JUDGE.search(one.text[:_ORDER_WITHIN]):
        return False
    return not any(stem in ABOUT_JUDGING and one.surface[stem] not in _LABELS for stem in one.stems)


def _asks_about_the_world(one: Statement) -> bool:
    """Whether it wants to know something, as opposed to keeping up a conversation."""
    return is_request(one.text) or (one.is_question and _SECOND_PERSON.isdisjoint(one.words))
