"""Whether a text says yes or no to a question that can be answered so."""

from collections.abc import Sequence

from eval_worker.evaluation.text.asks import Asks
from eval_worker.evaluation.text.question import Question
from eval_worker.evaluation.text.short_answers import NO_WORDS, YES_WORDS
from eval_worker.evaluation.text.stop_words import STOP_WORDS
from eval_worker.evaluation.text.word_set import word_set
from eval_worker.models.offline.correctness.agreement import opposites_of
from eval_worker.models.offline.reading.clauses import Clause
from eval_worker.models.offline.reading.synonyms import meaning

_NO = NO_WORDS - {"never", "negative"} | {"false", "incorrect", "wrong"}
_YES = YES_WORDS - {"right"}
_LEADING = word_set("the answer is it's it my would be i think say that so sure well statement")
_LOOKED_AT = 64
_FEWEST_SHARED = 0.6
_PRONOUNS = word_set("it they he she there that this you we i")


def stance_of(clauses: Sequence[Clause], question: Question, query: Sequence[Clause]) -> bool | None:
    """True for yes, False for no, None where the text says neither or the question does not ask."""
    polar = question.asks is Asks.POLAR or (question.asks is Asks.CHOICE and {"true", "false"} <= question.options)
    said = _said_outright(clauses)
    if said is not None and (polar or not any(clause.stems for clause in clauses[:1]) or _is_bare(clauses)):
        return said
    return _by_statement(clauses, query) if polar else None


def _is_bare(clauses: Sequence[Clause]) -> bool:
    return len(clauses) == 1 and len(clauses[0].words) == 1


def _said_outright(clauses: Sequence[Clause]) -> bool | None:
    sentences: set[int] = set()
    for clause in clauses[:_LOOKED_AT]:
        if clause.sentence in sentences:
            continue
        sentences.add(clause.sentence)
        first = next((word for word in clause.words if word not in _LEADING), None)
        if first in _NO:
            return False
        if first in _YES:
            return True
    return None


def _by_statement(clauses: Sequence[Clause], query: Sequence[Clause]) -> bool | None:
    """The question as a statement, affirmed or denied: "It isn't allowed." "Parking is forbidden"."""
    asked = frozenset(meaning(stem) for clause in query for stem in clause.stems)
    turned = frozenset(opposite for clause in query for stem in clause.stems for opposite in opposites_of(stem))
    negative = any(clause.negated for clause in query)
    for clause in clauses[:_LOOKED_AT]:
        shared = sum(meaning(stem) in asked for stem in clause.stems)
        opposed = sum(stem in turned and meaning(stem) not in asked for stem in clause.stems)
        points_back = clause.words[:1] and clause.words[0] in _PRONOUNS
        if points_back and (shared or STOP_WORDS.issuperset(clause.words)):
            return not (clause.negated ^ bool(opposed) ^ negative)
        if opposed or (shared and shared >= _FEWEST_SHARED * len(asked)):
            return not (clause.negated ^ bool(opposed) ^ negative)
    return None
