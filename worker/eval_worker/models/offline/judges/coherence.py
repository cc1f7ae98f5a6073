"""Coherence: does the answer agree with itself, keep to its topic, and read as text?"""

import math
import re
from collections.abc import Container, Iterable, Iterator, Mapping

from eval_worker.evaluation.judges.model import Judgement
from eval_worker.evaluation.text.short_answers import is_gibberish, is_mashed
from eval_worker.evaluation.text.word_set import word_set
from eval_worker.evaluation.text.words import Words
from eval_worker.models.offline.analysis import Analysis
from eval_worker.models.offline.calibrated import calibrated
from eval_worker.models.offline.judges.coherence_features import (
    features_of,
    is_read_as_text,
    items_of,
    repetitions,
    room_for_faults,
    without_news,
)
from eval_worker.models.offline.judges.unnamed_topic import is_made_up, lists_things
from eval_worker.models.offline.reading.literal import is_line_of_code
from eval_worker.models.offline.reading.statement import Statement
from eval_worker.models.offline.reading.telltales import may_have, plain_words
from eval_worker.models.offline.reading.vocabulary import (
    DRIFT_MARKERS,
    LEADS_ON,
    NEGATIONS,
    OPPOSITES,
    PARTS_OF_PERSONAL,
    PERSONAL,
    POINTS_BACK,
    REFERS_BACK,
    TELLTALES_OF_PERSONAL,
)

_NOTHING, _FINE = 0.0, 0.97
_CONTRADICTION, _BREAK = 0.3, 0.4
_STRANGE_BREAK, _SOFT_BREAK, _SOFT_BREAK_WITHOUT_CONTEXT = 0.6, 0.75, 0.85
_MOST_SOFT_BREAKS = 4
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
_REPEATED_COST, _BROKEN_COST = 0.8, 0.7
_CLOSE = 0.75
_LABEL = re.compile(r"(?:[\w.'’]+ ){0,2}[\w.'’]+:\s")
_CASE = re.compile(r"\b(?:if|when|whenever|unless|wenn|falls|quand|cuando)\b[^,;]+", re.IGNORECASE)
_THOSE = re.compile(r"\b(?:who|which|whose)(?: [\w'’]+){1,2}", re.IGNORECASE)
_COMPARED = 40  # each sentence with so many before it: enough for a contradiction, and linear
_FEWEST_FOR_BREAK = 2
_FEWEST_FOR_LONE_BREAK = 3  # without a context the others have to show what the text is about
_FEWEST_ITEMS = 3
_ROOM_FOR_A_LOOSE_END = 2  # a text of so many short ones has an aside
_ADDRESS = re.compile(r"\b(?:https?://|www\.)\S+", re.IGNORECASE)
_PLAIN_WORD = re.compile(r"\b[a-z]{4,}\b")
_SHORTEST_SENTENCE, _FEWEST_STEMS = 3, 2
_SCANNED = 300
_LONG_ENOUGH_TO_END = 5  # words
_LEVELS = 20  # people tell apart no more
_LEVELS_OF_ANSWER = 10  # to a question: one is lost by faults that are worth nearly all of it
_GRAVE = 0.6  # of the score: lighter faults than that are felt less in an answer, the lighter the less
_NEARLY = 0.1
_WORTH_A_WORD = 0.3  # of the log odds
_MOST_NAMED = 2
_FEWEST_TO_CIRCLE, _MOST_WITHOUT_NEWS = 4, 0.4
_FAULTS = {
    "says_again": "a sentence says again what an earlier one said",
    "alike_openings": "sentences open alike",
    "scraps": "a sentence is no more than a scrap",
    "stutter": "words come back at once",
    "repeated_phrases": "phrases are repeated",
    "vague": "few words tie it to what was asked",
    "leaps": "it leaps about in its source",
    "without_opening": "it leaves out what its source opens with",
}


def judge_coherence(analysis: Analysis) -> Judgement:
    """Judge by rules where one is certain, else by what people held against texts.

    The fitted score counts in relation to that of a text without any fault, which is as coherent as can be.
    """
    if analysis.nothing_said:
        return Judgement(_NOTHING, analysis.nothing_said)
    contradiction = _contradiction(analysis.all_claims)
    if contradiction:
        one, other = contradiction
        return Judgement(_CONTRADICTION, f"{one.text[:80]!r} and {other.text[:80]!r} contradict each other")
    flows = is_read_as_text(analysis)
    score, faults = _of_features(features_of(analysis) or {}, forgiving=not flows)
    hard, soft = _topic_breaks(analysis)
    if hard:
        score = min(score, _BREAK / len(hard) ** 0.5)
        faults.insert(0, f"{hard[0][:80]!r} has nothing to do with the rest")
    elif soft:
        score *= math.prod(_cost_of_break(one, known=bool(analysis.context)) for one in soft[:_MOST_SOFT_BREAKS])
        faults.insert(0, f"{soft[0][:80]!r} has no visible link to the rest")
    repeated = _share_repeated(analysis.said, flows=flows)
    if repeated:
        score *= 1 - _REPEATED_COST * repeated
        faults.append(f"{repeated:.0%} of the sentences repeat others")
    broken = _share_broken(analysis)
    if broken:
        score *= 1 - _BROKEN_COST * broken
        faults.append("part of the text is broken off or garbled")
    return Judgement(score, "; ".join(faults) or "the answer keeps to its topic and does not contradict itself")


def _of_features(features: Mapping[str, float], *, forgiving: bool) -> tuple[float, list[str]]:
    """The score, and the faults that weigh most in it."""
    if not features:
        return _FINE, []
    model = calibrated("coherence")
    costs = {name: -weight * features[name] for name, weight in model.weights.items()}
    felt = sorted((name for name in costs if costs[name] > _WORTH_A_WORD), key=lambda name: (-costs[name], name))
    share = model.score(features) / model.score(dict.fromkeys(features, 0.0))
    return _FINE * (_forgiven(share) if forgiving else round(_LEVELS * share) / _LEVELS), [
        _FAULTS[name] for name in felt[:_MOST_NAMED]
    ]


def _forgiven(share: float) -> float:
    """Who asked a question wants an answer, and overlooks what jars in a summary or in talk."""
    lost = 1 - share
    felt = lost * min(1.0, lost / _GRAVE)
    return math.ceil(_LEVELS_OF_ANSWER * (1 - felt) - _NEARLY) / _LEVELS_OF_ANSWER


def _contradiction(claims: list[Statement]) -> tuple[Statement, Statement] | None:
    for one, other, shared in _alike(claims):
        if _is_of_another(one, other):
            continue
        similar = shared >= _CLOSE * max(len(one.stems), len(other.stems))
        if similar and shared > 1 and one.negated != other.negated:
            return one, other
        if _opposed(one, other) or (similar and _other_numbers(one, other)):
            return one, other
    return None


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


def _alike(claims: list[Statement]) -> Iterator[tuple[Statement, Statement, int]]:
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


def _cost_of_break(sentence: str, *, known: bool) -> float:
    """What is left of a score for a sentence without a visible link; `known` is what it should be linked to."""
    if not known:
        return _SOFT_BREAK_WITHOUT_CONTEXT
    return _STRANGE_BREAK if _LINKS.isdisjoint(Words(sentence).sequence) else _SOFT_BREAK


def _topic_breaks(analysis: Analysis) -> tuple[list[str], list[str]]:
    """Sentences without a link to the others, the query and the context: plain breaks, and mere suspicions.

    What was left out as loose has no link to the rest unless it shares a word with that; two such give each other none.
    """
    if len(analysis.claims) + len(analysis.loose) < _FEWEST_FOR_BREAK:
        return [], []
    hard, soft = _breaks(analysis.unlinked)
    if (hard or soft) and lists_things(analysis):  # items have no link but that they are of one kind
        hard, soft = [], []
    hard_of_loose, soft_of_loose = _breaks(analysis.unlinked_loose)
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


def _breaks(unlinked: Iterable[Statement]) -> tuple[list[str], list[str]]:
    hard, soft = list[str](), list[str]()
    for claim in unlinked:
        if DRIFT_MARKERS.search(claim.text) or is_personal(claim):
            hard.append(claim.text)
        elif _could_stand_alone(claim):
            soft.append(claim.text)
    return hard, soft


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


def _share_repeated(answer: list[Statement], *, flows: bool) -> float:
    prose = [one for one in answer if not is_line_of_code(one.text)]
    sentences = [one for one in prose if len(one.words) > 2]  # noqa: PLR2004  # "Yes, sir." may come twice
    again = len(sentences) - len({one.words for one in sentences})
    said = {one.words for one in sentences if not REFERS_BACK.match(one.text)}  # any filler may refer back
    repeated = again / (again + max(1, len(said))) if again else 0.0
    if flows:
        return max(repeated, _share_of_stuttering(prose, range(len(prose))))
    jarring = frozenset(place for place in without_news(prose) if prose[place].stems)
    return max(repeated, _share_of_stuttering(prose, jarring), _share_of_circling(prose, jarring))


def _share_of_circling(prose: list[Statement], jarring: Iterable[int]) -> float:
    """Of the words, those of sentences without news, where these are a great part of it."""
    words = sum(len(one.words) for one in prose)
    if len(prose) < _FEWEST_TO_CIRCLE or not words:
        return 0.0
    share = sum(len(prose[place].words) for place in jarring) / words
    return share if share > _MOST_WITHOUT_NEWS else 0.0


def _share_of_stuttering(prose: list[Statement], jarring: Container[int]) -> float:
    """Three words in a row that came just so before, as models do that got into a loop."""
    words = sum(len(one.words) for one in prose)
    if words < 12:  # noqa: PLR2004  # too little to loop
        return 0.0
    repeated = sum(1 for _ in repetitions(prose, jarring)) / (words - 2)
    return repeated if repeated > 0.2 else 0.0  # noqa: PLR2004  # some phrases return in any text


def _share_broken(analysis: Analysis) -> float:
    last = analysis.answer[-1].words[-_LONG_ENOUGH_TO_END:] if analysis.answer else ()
    cut_off = len(last) == _LONG_ENOUGH_TO_END and last[-1] in LEADS_ON
    return min(
        1.0,
        3 * _share_of_gibberish(analysis)
        + (0.15 if cut_off else 0.0)
        + (0.5 if "\ufffd" in analysis.answer_text else 0.0),
    )


def _share_of_gibberish(analysis: Analysis) -> float:
    """Of the words. What has a capital is an abbreviation, unless it runs along the keyboard; so is what was given."""
    if not analysis.share_of_gibberish:
        return 0.0
    plain = frozenset(_PLAIN_WORD.findall(_ADDRESS.sub(" ", analysis.answer_text)))
    given = analysis.query.words
    gibberish = filter(is_gibberish, analysis.answer_words)
    found = sum(is_mashed(word) or (word in plain and word not in given) for word in gibberish)
    return found / len(analysis.answer_words)
