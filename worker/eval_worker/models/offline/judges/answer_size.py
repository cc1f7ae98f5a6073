"""About how many words what a query asks for takes: a title few, an essay many."""

import math
import re

from eval_worker.evaluation.instructions.closed_answers import wants_closed_answer
from eval_worker.evaluation.instructions.items import wanted_items
from eval_worker.evaluation.instructions.lengths import wanted_lengths
from eval_worker.evaluation.instructions.request import Request
from eval_worker.evaluation.text.asks import Asks
from eval_worker.evaluation.text.programming import is_about_code
from eval_worker.evaluation.text.words import Words, fold
from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.judges.unnamed_topic import is_made_up
from eval_worker.models.offline.reading.requests import is_task

_WORD, _FACT, _LINE, _ANYTHING, _EXPLANATION, _TEXT = 5, 25, 40, 80, 120, 250
_LEAD, _OF_ITEM, _OF_CHANGE = 10, 18, 1.2
_WORDS_OF_UNIT = {
    "words": 1.0,
    "characters": 0.2,
    "sentences": 25.0,
    "lines": 12.0,
    "bullet points": 18.0,
    "paragraphs": 100.0,
}
_BRIEFLY = 0.5
_SMALL, _MOST_OF_IT = 60, 0.2
_UP_TO_LIMIT = 4  # what a stated limit allows is no excess
_SCANNED = 300
_TEXTS = re.compile(
    r"\b(?:essays?|articles?|stor(?:y|ies)|blog|scripts?|reports?|detail(?:ed|s)?|step[- ]by[- ]step|comprehensive|"
    r"in depth|plans?|proposals?|letters?|e-?mails?|code|program|function|guide|tutorial|speech|itinerary|"
    r"thorough(?:ly)?|"
    r"elaborate|description|poems?|lyrics|dialogues?|conversations?|aufsatz|artikel|geschichte|ausführlich|brief|"
    r"histoire|en détail|lettre|historia|ensayo|carta|cuento|en detalle)\b",
    re.IGNORECASE,
)
_LINES = re.compile(
    r"\b(?:titles?|slogans?|tweets?|headlines?|names?|nicknames?|sentences?|jokes?|metaphors?|similes?|haikus?|"
    r"taglines?|questions?|captions?|passwords?|couplets?|riddles?|phrases?|words?|quotes?|hashtags?|labels?|"
    r"statements?|"
    r"definition|thesis|titel|satz|frage|titre|phrase|título|frase|pregunta)\b",
    re.IGNORECASE,
)
_FACTS = re.compile(
    r"\b(?:classify|identify|calculate|compute|convert|translate|determine|find|sort|choose|select|pick|name|define|"
    r"categori[sz]e|label|extract|return|parse|put|arrange|rank|solve|add|divide|multiply|count|sum|predict|detect|nenne|berechne|übersetze|calcule|traduis|"
    r"calcula|traduce|nombra)\b",
    re.IGNORECASE,
)
_BRIEF = re.compile(
    r"\b(?:brief(?:ly)?|concise(?:ly)?|short(?:ly)?|succinct(?:ly)?|kurz|bref|brièvement|brevemente|corto|breve)\b|"
    r"简短|簡潔",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    r"\b(?:rewrite|rephrase|paraphrase|correct|proofread|edit|combine|shorten|simplify|reword|replace|fix|translate|"
    r"summari[sz]e)\b",
    re.IGNORECASE,
)
_ASKS_FACT = frozenset({Asks.POLAR, Asks.CHOICE, Asks.NUMBER, Asks.DATE, Asks.PERSON, Asks.PLACE, Asks.NAME})


def expected_words(request: Request, asks: Asks) -> float:
    """The number of words that an answer to the request would have; what it says of length itself goes first."""
    limits = [one for one in wanted_lengths(request.orders) if one.unit in _WORDS_OF_UNIT]
    if wants_closed_answer(request.orders):
        return _WORD
    if limits:
        return _UP_TO_LIMIT * min(max(one.number, one.most) * _WORDS_OF_UNIT[one.unit] for one in limits)
    items = wanted_items(request.orders)
    if items:
        return _LEAD + _OF_ITEM * max(items.number, items.most)
    return _by_kind(request, asks) * (_BRIEFLY if _BRIEF.search(request.orders) else 1)


def enough_words(request: Request, asks: Asks) -> float:
    """The number of words with which an answer to the request may be a whole one; a stated limit bounds it."""
    limits = [one for one in wanted_lengths(request.orders) if one.unit in _WORDS_OF_UNIT]
    most = min((max(one.number, one.most) * _WORDS_OF_UNIT[one.unit] for one in limits), default=math.inf)
    return min(most, expected_words(request, asks))


def _by_kind(request: Request, asks: Asks) -> float:
    opening = request.orders[:_SCANNED]
    if _CHANGES.search(opening) and request.material:
        return _LEAD + _OF_CHANGE * Words(request.material).count
    if _TEXTS.search(opening):
        return _TEXT
    if _LINES.search(opening):
        return _LINE
    if asks in _ASKS_FACT or _FACTS.search(opening):
        return _FACT
    return _EXPLANATION if asks is Asks.OPEN else _ANYTHING


def is_small_task_done(analysis: Analysis) -> bool:
    """Whether a text of a line or two was to be made, and the answer has about as many words.

    Not where there is a context: what matters in it tells how much there is to say.
    """
    query = analysis.interaction.user_query
    if analysis.context or analysis.dialogue is not None or not is_task(query):
        return False
    if "```" in analysis.whole_text and is_about_code(fold(query)):
        return True
    expected = expected_words(analysis.request, analysis.question.asks)
    if expected > _SMALL:
        return False
    made = analysis.whole_text if is_made_up(analysis) else analysis.answer_text  # a haiku need not name its topic
    return Words(made).count >= _MOST_OF_IT * expected
