"""Sentences of an answer that have no link to the others, the query and the context."""

from collections.abc import Iterable

from eval_worker.evaluation.text.word_set import word_set
from eval_worker.evaluation.text.words import Words
from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.judges.coherence_features import items_of, room_for_faults
from eval_worker.models.offline.judges.kin import strangers
from eval_worker.models.offline.judges.unnamed_topic import is_made_up, lists_things
from eval_worker.models.offline.reading.statement import Statement
from eval_worker.models.offline.reading.telltales import may_have, plain_words
from eval_worker.models.offline.reading.vocabulary import (
    DRIFT_MARKERS,
    PARTS_OF_PERSONAL,
    PERSONAL,
    POINTS_BACK,
    TELLTALES_OF_PERSONAL,
)

_STRANGE_BREAK, _SOFT_BREAK, _SOFT_BREAK_WITHOUT_CONTEXT = 0.6, 0.75, 0.85
_FEWEST_FOR_BREAK = 2
_FEWEST_FOR_LONE_BREAK = 3  # without a context the others have to show what the text is about
_FEWEST_ITEMS = 3
_ROOM_FOR_A_LOOSE_END = 2  # a text of so many short ones has an aside
_SHORTEST_SENTENCE, _FEWEST_STEMS = 3, 2
_SCANNED = 300
_LINKS = word_set(
    """
    dazu dafür dabei damit dadurch darum dann danach so dies diese dieser dieses diesem diesen er sie es ihr ihre sein
    seine deshalb daher außerdem zudem anschließend schließlich wenn weil
    il elle ils elles cela ceci ce cet cette ces celui celle son sa ses leur leurs ensuite puis ainsi donc enfin
    él ella ellos ellas esto eso este esta estos estas ese esa su sus luego después así entonces además finalmente
    esso essa essi questo questa questi queste suo sua suoi poi quindi così inoltre infine
    isso isto esse essa esses seu sua seus então depois assim portanto também
    dit deze die hij zij ze het zijn daarvoor daarna daardoor dan dus
    это этот эта эти этого этому этой он она оно они его её их затем потом поэтому так также
    bu bunun bunlar onun o onlar sonra böylece ayrıca
    यह ये इस इसका इसके इसकी वह वे उनके फिर इसलिए
    هذا هذه هو هي ذلك ثم لذلك كما
    이 이때 그 이것은 이를 그러면 그래서 그다음 또한
    then so it its this that these those they them their he she him her his which each other others another both such
    same thus hence therefore finally next first second instead however here there before after afterwards again too
    while because since if when also
    """
)
"""Words that link a sentence to another, whatever the two speak of."""


def topic_breaks(analysis: Analysis) -> tuple[list[str], list[str]]:
    """Sentences without a link to the others, the query and the context: plain breaks, and mere suspicions.

    What was left out as loose has no link to the rest unless it shares a word with that; two such give each other none.
    """
    if len(analysis.claims) + len(analysis.loose) < _FEWEST_FOR_BREAK:
        return [], []
    hard, soft = _breaks(analysis, analysis.unlinked)
    if (hard or soft) and lists_things(analysis):  # items have no link but that they are of one kind
        hard, soft = [], []
    hard_of_loose, soft_of_loose = _breaks(analysis, analysis.unlinked_loose)
    if (hard or hard_of_loose or soft or soft_of_loose) and not analysis.context and is_made_up(analysis):
        return [one for one in hard + hard_of_loose if DRIFT_MARKERS.search(one)], []
    items = items_of(analysis.whole_text)
    if len(items) >= _FEWEST_ITEMS:  # their list links them
        soft, soft_of_loose = ([one for one in each if one not in items] for each in (soft, soft_of_loose))
    unremarkable = int(room_for_faults(analysis) / _ROOM_FOR_A_LOOSE_END) if soft or soft_of_loose else 0
    if analysis.context:
        return hard + hard_of_loose, (soft + soft_of_loose)[unremarkable:]
    told_apart = soft if len(soft) == 1 and len(analysis.claims) >= _FEWEST_FOR_LONE_BREAK else []
    unlinked = [one for one in told_apart + soft_of_loose if _LINKS.isdisjoint(Words(one).sequence)]
    return hard + hard_of_loose, unlinked[unremarkable:][:1]


def _breaks(analysis: Analysis, unlinked: Iterable[Statement]) -> tuple[list[str], list[str]]:
    hard, soft = list[str](), list[Statement]()
    for claim in unlinked:
        if DRIFT_MARKERS.search(claim.text) or is_personal(claim):
            hard.append(claim.text)
        elif _could_stand_alone(claim):
            soft.append(claim)
    return hard, [claim.text for claim in strangers(analysis, soft)]


def cost_of_break(sentence: str, *, known: bool) -> float:
    """What is left of a score for a sentence without a visible link; `known` is what it should be linked to."""
    if not known:
        return _SOFT_BREAK_WITHOUT_CONTEXT
    return _STRANGE_BREAK if _LINKS.isdisjoint(Words(sentence).sequence) else _SOFT_BREAK


def is_personal(claim: Statement) -> bool:
    text = claim.text[:_SCANNED]
    tells = may_have(plain_words(claim), TELLTALES_OF_PERSONAL) or any(
        part in text.lower() for part in PARTS_OF_PERSONAL
    )
    return tells and PERSONAL.search(text) is not None


def _could_stand_alone(claim: Statement) -> bool:
    long_enough = len(claim.words) >= _SHORTEST_SENTENCE and len(claim.stems) >= _FEWEST_STEMS
    cut_out = claim.text.endswith((";", "；")) or claim.text.count(")") > claim.text.count("(")  # of an enumeration
    return long_enough and not cut_out and not POINTS_BACK.match(claim.text)
