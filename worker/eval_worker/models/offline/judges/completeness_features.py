"""What tells how complete an answer is: how much of its own it says, and how much of what the context says.

All of it is counted once however often it is said, leaves out what the query says already, and is bounded.
"""

import math
import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from itertools import chain, dropwhile

from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.cores.ties import TELLS_LITTLE, stems_of
from eval_worker.models.offline.judges.answer_size import enough_words
from eval_worker.models.offline.reading.literal import is_line_of_code
from eval_worker.models.offline.reading.statement import Statement
from eval_worker.models.offline.reading.synonyms import meaning
from eval_worker.models.offline.reading.vocabulary import (
    ABOUT_JUDGING,
    EMPTY_WORDS,
    PLEASANTRIES,
    REFERS_BACK,
    SAID_OF_TEXTS,
    SMALL_TALK,
)

SIGNS = {
    "substance": 1,
    "recall": 1,
    "phrases": 1,
    "copied": -1,
    "repeated": -1,
}
_SAID_BESIDE = ABOUT_JUDGING | EMPTY_WORDS | PLEASANTRIES | SAID_OF_TEXTS
_LEAST, _MUCH = 5, 60  # distinct words beyond which more tells nothing
_DISTINCT_OF_ITS_OWN = 0.4  # of an answer's words
_MOST_WANTED = 40  # of a context's words; nobody wants all of a long one
_SHORT_CONTEXT = 80  # words that are wanted whole, on the topic or not
_READ = 400  # sentences of either side
_FEWEST_WORDS_TO_BREAK_OFF = 25
_ENDS_CODE = re.compile(r"(?<!&lt)(?<!&gt)(?<!&amp)(?<!&quot);$")
_HANGING = re.compile(
    r"(?:(?<!\S)(?:and|or|but|the|an?|of|to|in|for|with|by|from|is|are|was|were|that|which|such as|und|oder|der|die|"
    r"das|et|ou|le|la|les|de|y|o|el|los|del|и|или)|[,:;(\-–—]|\n\s*(?:[-*•]|\d{1,3}[.)]))$",
    re.IGNORECASE,
)


def features_of(analysis: Analysis) -> dict[str, float] | None:
    """Return the features by the names of `SIGNS`, each 0..1; None where nothing is said, or all of it is wrong."""
    if analysis.nothing_said or analysis.refusal or analysis.all_contradicted:
        return None
    return measured(analysis)


def measured(analysis: Analysis) -> dict[str, float]:
    """Return the features of whatever the answer says."""
    answer = _counted(analysis)
    asked = frozenset(map(meaning, analysis.query.stems))
    said = frozenset(meaning(stem) for one in answer for stem in one.stems)
    empty = SMALL_TALK if analysis.dialogue else EMPTY_WORDS
    own = [
        stem
        for stem in frozenset(map(meaning, _told(answer, analysis.query)))
        if stem not in asked and stem not in ABOUT_JUDGING and stem not in empty
    ]
    recall, phrases = _found_again(analysis, answer, asked, said)
    triples, all_said = _triples(answer), analysis.said[:_READ]
    as_said = triples if all_said == answer else _triples(all_said)
    return {
        "substance": _saturating(len(own), _enough(analysis)),
        "recall": recall,
        "phrases": phrases,
        "copied": _copied(frozenset(triples), analysis.query),
        "repeated": 1 - len(set(as_said)) / len(as_said) if as_said else 0.0,
    }


def _counted(analysis: Analysis) -> list[Statement]:
    """Without the sentences that only a pronoun ties to what is asked, given and said: any filler may have one."""
    answer = analysis.answer[:_READ]
    own = [one for one in answer if not REFERS_BACK.match(one.text)]
    if len(own) == len(answer) or not own:
        return answer
    known = stems_of([*analysis.query_sentences, *analysis.context, *own]) - TELLS_LITTLE
    return [one for one in answer if not REFERS_BACK.match(one.text) or not known.isdisjoint(one.subjects)]


def _told(answer: Iterable[Statement], query: Statement) -> AbstractSet[str]:
    """The stems from the first to the last that may not be said beside any answer, to please."""

    def is_beside(stem: str) -> bool:
        return stem in _SAID_BESIDE and stem not in query.surface

    row = list(dropwhile(is_beside, chain.from_iterable(one.stems for one in answer)))
    while row and is_beside(row[-1]):
        row.pop()
    return set(row)


def _enough(analysis: Analysis) -> float:
    """How many distinct words of its own make an answer to what is asked: few make a title, many an essay."""
    if analysis.context:
        return _MUCH
    words = enough_words(analysis.request, analysis.question.asks)
    return max(_LEAST, min(_MUCH, words * _DISTINCT_OF_ITS_OWN))


def _saturating(count: int, much: float) -> float:
    return min(1.0, math.log1p(count) / math.log1p(much))


def _share(said: AbstractSet[object], wanted: AbstractSet[object]) -> float:
    return min(1.0, len(said & wanted) / min(len(wanted), _MOST_WANTED)) if wanted else 1.0


def _found_again(
    analysis: Analysis, answer: list[Statement], asked: frozenset[str], said: frozenset[str]
) -> tuple[float, float]:
    """The shares of the context's words and of its pairs of neighbouring words."""
    context = _wanted(analysis)
    if not context:
        return 0.0, 0.0
    stems = set(map(meaning, set[str]().union(*(one.stems for one in context))))
    return _share(said, stems - asked), _share(_neighbours(answer), _neighbours(context))


def _wanted(analysis: Analysis) -> list[Statement]:
    """A short context is wanted whole; of a long one what is on the topic."""
    if sum(len(one.stems) for one in analysis.context) <= _SHORT_CONTEXT:
        return analysis.context
    topic = frozenset(analysis.topic)
    on_topic = [one for one in analysis.context if not topic.isdisjoint(one.stems)]
    return (on_topic or analysis.context)[:_READ]


def _neighbours(statements: Iterable[Statement]) -> set[tuple[str, str]]:
    return set(chain.from_iterable(zip(one.stems, one.stems[1:], strict=False) for one in statements))


def _triples(statements: Iterable[Statement]) -> list[tuple[str, ...]]:
    """Every three words in a row."""
    row = list(chain.from_iterable(one.words for one in statements))
    return list(zip(row, row[1:], row[2:], strict=False))


def _copied(triples: frozenset[tuple[str, ...]], query: Statement) -> float:
    """The share of the answer that stands in the query word for word."""
    return len(triples.intersection(_triples([query]))) / len(triples) if triples else 0.0


def is_unfinished(analysis: Analysis) -> bool:
    """Whether the text breaks off: on a word that wants another, or a long sentence without its end.

    No feature, since whatever is added to the text may end it.
    """
    text = analysis.answer_text.rstrip()
    if _HANGING.search(text[-40:]):
        return not (_ENDS_CODE.search(text) and is_line_of_code(text.rpartition("\n")[2]))
    if not analysis.answer:  # a sign, such as a thumb
        return False
    last = analysis.answer[-1]
    return len(last.words) > _FEWEST_WORDS_TO_BREAK_OFF and text[-1:].isalnum() and not last.text[-1:].isdecimal()
