"""What tells whether an answer does what was asked, and no more: what it takes up, and what it adds.

What counts for an answer is bounded and needs words of the query; of all else more text only costs.
"""

import math
import re
from collections import Counter

from eval_worker.evaluation.instructions.language import LANGUAGES
from eval_worker.evaluation.instructions.request import Request
from eval_worker.evaluation.instructions.terms import forbidden_terms
from eval_worker.evaluation.text.words import Words
from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.judges.answer_size import expected_words
from eval_worker.models.offline.judges.unnamed_topic import lists_things
from eval_worker.models.offline.reading.statement import Statement
from eval_worker.models.offline.reading.stems import stem
from eval_worker.models.offline.reading.synonyms import meaning
from eval_worker.models.offline.reading.vocabulary import REQUEST_WORDS

SIGNS = {
    "taken_up": 1,
    "named": 1,
    "excess": -1,
    "other_matter": -1,
    "invented": -1,
    "preamble": -1,
}
NO_EXCESS = 1 / 6
"""The feature `excess` of an answer that has a quarter of the words expected: nothing longer than it has to be."""
_READ = 400  # sentences
_DOUBLINGS = 6  # of a quarter of the size expected, until more costs no more
_FROM_SHARE = 4
_OFTEN, _MOST_MATTER = 3, 8
_SHORT_QUERY = 40
_FEW, _MUCH = 24, 60
_SCANNED = 300
_MOST_TOPIC = 8
_FORMATS = frozenset(map(stem, [*LANGUAGES, "json", "html", "markdown", "yaml", "csv", "ai", "please"]))
_QUOTED = re.compile(r"[\"“'‘]([^\"”'’\n]{2,40})[\"”'’]")
_POINTS_TO_MATERIAL = re.compile(
    r"\b(?:these|following|given|above|below|each point|each of|this (?:text|article|paragraph|passage|sentence|"
    r"email|code|"
    r"list|point|essay|document)|the (?:text|article|paragraph|passage|sentence|points|document))\b",
    re.IGNORECASE,
)
_PREAMBLE = re.compile(
    r"^(?:sure|certainly|of course|absolutely|okay|great|here(?:'s| is| are)|as an ai|i(?:'d| would) be happy|"
    r"gerne|natürlich|bien sûr|voici|claro|por supuesto|aquí)\b",
    re.IGNORECASE,
)


def features_of(analysis: Analysis) -> dict[str, float] | None:
    """Return the features by the names of `SIGNS`, each 0..1; None where a rule decides.

    A turn of a conversation gives no order but those that code finds.
    """
    if analysis.nothing_said or analysis.refusal or analysis.all_contradicted or analysis.dialogue is not None:
        return None
    request = analysis.request
    asked = frozenset(map(meaning, analysis.query.stems))
    answer = analysis.all_said[:_READ]
    words = _count_of_words(analysis)
    expected = expected_words(request, analysis.question.asks)
    needs_no_words = (
        expected <= _FEW or _is_brief(analysis) or analysis.language_asked_for is not None or lists_things(analysis)
    )
    return {
        "taken_up": 1.0 if needs_no_words else _taken_up(request, analysis),
        "named": 1.0 if needs_no_words else _named(request, analysis),
        "excess": _excess(words, expected),
        "other_matter": _other_matter(answer, asked, analysis),
        "invented": float(words > _MUCH and _lacks_material(request, analysis)),
        "preamble": float(any(_PREAMBLE.match(one.text) for one in answer)),
    }


def _count_of_words(analysis: Analysis) -> int:
    """By sentences: the text is without its list marks where something was left out of it."""
    if len(analysis.answer_words) > _FEW and all(one.text.isascii() for one in analysis.all_said):
        return sum(len(one.words) for one in analysis.all_said)
    return Words(" ".join(one.text for one in analysis.all_said)).count


def _is_brief(analysis: Analysis) -> bool:
    """Whether the answer is no more than what was asked for: "Paris.", "Yes.", "4"."""
    return analysis.direct and (analysis.is_fragment or analysis.is_list or analysis.says_only_yes_or_no)


def _taken_up(request: Request, analysis: Analysis) -> float:
    """How many words of the request, or of its material, the answer has; a few are enough."""
    orders = analysis.reader.read_sentence(request.orders)
    topic = {meaning(one) for one in orders.stems if orders.surface[one] not in REQUEST_WORDS and not one.isdecimal()}
    topic.update(map(meaning, analysis.reader.read_sentence(request.material).stems))
    return min(1.0, len(topic & analysis.answer_meanings) / min(len(topic), _MOST_TOPIC)) if topic else 1.0


def _named(request: Request, analysis: Analysis) -> float:
    """The share of the names of the query, and of the words that it quotes and wants."""
    unwanted = forbidden_terms(request.orders)
    quoted = [" ".join(Words(one).sequence) for one in _QUOTED.findall(request.orders)]
    wanted = [one for one in quoted if one and one not in unwanted]
    names = [one for one in sorted(analysis.query.names) if one not in _FORMATS]
    said = f" {' '.join(Words(analysis.answer_text).sequence)} " if wanted else ""
    found = [one in analysis.answer_stems for one in names] + [f" {one} " in said for one in wanted]
    return sum(found) / len(found) if found else 1.0


def _excess(words: int, expected: float) -> float:
    return min(1.0, math.log2(1 + words * _FROM_SHARE / max(1.0, expected)) / _DOUBLINGS)


def _other_matter(answer: list[Statement], asked: frozenset[str], analysis: Analysis) -> float:
    """Words that the answer comes back to and neither the query nor the context has."""
    counts = Counter(each for one in answer for each in one.stems)
    often = (one for one, count in counts.items() if count >= _OFTEN)
    return min(1.0, sum(meaning(one) not in asked and one not in analysis.ground for one in often) / _MOST_MATTER)


def _lacks_material(request: Request, analysis: Analysis) -> bool:
    """Whether the query speaks of material that nobody gave."""
    if request.material or analysis.interaction.has_context or len(analysis.query.words) > _SHORT_QUERY:
        return False
    return _POINTS_TO_MATERIAL.search(request.orders) is not None
