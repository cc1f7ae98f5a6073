"""What in a context speaks against a claim: another number, a denial, an opposite, other names, another answer.

To be found false, a claim has to be of the same thing as the sentence that it differs from: that both have a number, or
that a neighbouring sentence has an opposite of some word, tells nothing.
"""

import re
from collections.abc import Collection, Iterable
from functools import lru_cache

from eval_worker.evaluation.text.asks import Asks
from eval_worker.evaluation.text.numbers_in_text import NUMBER_WORDS, find_numbers
from eval_worker.evaluation.text.numerals import is_numeral
from eval_worker.evaluation.text.word_set import word_set
from eval_worker.evaluation.text.words import Words
from eval_worker.models.offline.context.counted import Counted, counted_in
from eval_worker.models.offline.context.grounding import Ground, Place, Premise
from eval_worker.models.offline.reading.announcement import is_code
from eval_worker.models.offline.reading.clauses import Clause, read_clauses
from eval_worker.models.offline.reading.statement import Statement
from eval_worker.models.offline.reading.stems import stem
from eval_worker.models.offline.reading.synonyms import meaning
from eval_worker.models.offline.reading.vocabulary import OPPOSITES, REFERS_BACK

_ALIGNED, _CLOSELY_ALIGNED = 0.5, 0.75
_WHOLE_OF_SAID = 2  # stems, all of which the other clause has, whatever it says besides
_FEW_NEW_WORDS = 3
_WORDS_OF_DEFINITION = 2
_DEFINITION = frozenset({"definition", "meaning", "explanation", "description"})
_BESIDE = 3  # words on either side
_LONGEST_ALIGNED = 40  # stems: what is longer has any words, in any order
_MOST_OF_CLAIM = 2  # times the words of a claim: more is about something else, too
_SCANNED = 1000
_LETTER = re.compile(r"(?<!\S)[B-HJ-Z](?=\W|\Z)")  # without the words A and I
_PM = re.compile(r"\b(1[01]|[1-9])(?::\d\d)?\s?p\.?m\b", re.IGNORECASE)
_LATE = re.compile(r"\b(1[3-9]|2[0-3])(?:[:.h]\d\d\b| ?h\b)")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_OPENING = re.compile(
    r"^\W*(?:(?:no|nope|not really)\b[\s,.!;:-]*(?=(?:i|it|he|she|we|you|they|there|this|that|the|these|those)\b)|"
    r"(?:i|we) (?:do|did)(?: ?n[o']t| not) (?:know|reali[sz]e)(?: that)?\b)",
    re.IGNORECASE,
)
_DENIES_NOTHING = re.compile(
    r"\bnon-(?=\w)|\bnot (?:to|as|the only)\b|\bunless\b|(?<=\bsay) no\b|(?<=\bsays) no\b|(?<=\bsaid) no\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\b(?:if|whether|in case|falls|wenn|ob)\b[^,;:.!?]*[,;:]?", re.IGNORECASE)
_LABEL = re.compile(r"\W*\w+\W*[:：]")
_ONLY = word_set("only nur seulement uniquement solo sólo solamente soltanto somente alleen")
_EXCEPTING = word_set("unless without except until ohne außer sauf sans sin salvo senza tranne sem exceto zonder")
_MORE = re.compile(r"\b(?:another|further|additional|extra|weitere\w*|encore|autre|otr[oa]s?)\s+$", re.IGNORECASE)
_SPEAKER = word_set("i me my mine we us our")
_ORDERS = re.compile(
    r"\W*\w+ (?:en |dans |in |auf )?(?:the|your|this|all|la|le|les|el|los|las|su|tu|votre|vos|den|die|das|dein\w*|"
    r"ihr\w*|une?|unas?|ein\w*)\b",
    re.IGNORECASE,
)  # "Check the folder": a verb begins it, no name
_ONE_NAME = frozenset({Asks.PERSON, Asks.PLACE})  # a name or a thing may be told with names beside it


def conflict_of(ground: Ground, claim: Statement, place: Place, premise: Premise) -> str | None:
    """Say what the context says instead, or None where it does not speak against the claim."""
    return (
        _other_number(ground, claim, place, premise)
        or _denial(claim, place)
        or _opposite(claim, place, premise)
        or _names_swapped(ground, claim, place, premise)
        or _other_answer(ground, claim, place, premise)
    )


def _other_number(ground: Ground, claim: Statement, place: Place, premise: Premise) -> str | None:
    wrong = claim.numbers - ground.numbers - premise.numbers
    if wrong:
        wrong -= _same_hours(claim.text[:_SCANNED], ground.numbers)
    there = {number for one in place.window for number in one.numbers} - claim.numbers
    if not (wrong and there) or is_code(claim.text):  # an example, as a rule
        return None
    words = [stem for stem in claim.stems if not any(map(str.isdigit, stem)) and stem not in claim.numbers]
    if words and place.share(words) < _ALIGNED:
        return None
    said = counted_in(claim.text)
    known = [number for one in place.window for number in counted_in(one.text)]
    for number in said:
        if wrong.isdisjoint(find_numbers(number.quantity.text, Words(number.quantity.text).sequence)):
            continue
        if any(number.quantity.equals(one.quantity) for one in known) or _is_added(claim.text, number):
            continue
        instead = [one for one in known if not any(one.quantity.equals(other.quantity) for other in said)]
        other = next((one for one in instead if premise.is_fragment or number.is_of_the_same(one)), None)
        if other and not (premise.is_fragment and _are_of_other_kinds(number, other)):
            return f"the answer says {number.quantity.text}, the context {other.quantity.text}"
    return None


def _is_added(text: str, number: Counted) -> bool:
    """Whether it comes on top of something, as in "another 16 minutes": a context need not count it so."""
    return _MORE.search(text, 0, number.quantity.start) is not None


def _same_hours(text: str, known: Collection[str]) -> set[str]:
    """The hours of a text that the other clock calls otherwise: 3 pm is 15:00."""
    hours = [(match[1], int(match[1])) for match in _PM.finditer(text)]
    late = [(match[1], int(match[1])) for match in _LATE.finditer(text)]
    return {hour for hour, value in hours if str(value + 12) in known} | {
        hour for hour, value in late if str(value - 12) in known
    }


def _are_of_other_kinds(number: Counted, other: Counted) -> bool:
    one, another = number.quantity.unit, other.quantity.unit
    return number.kind != other.kind or bool(one and another and not one.may_be(another))


def _denial(claim: Statement, place: Place) -> str | None:
    sentence = place.sentence
    if claim.negated == sentence.negated or len(sentence.stems) > _LONGEST_ALIGNED:
        return None
    if _turn_each_other_round(claim, sentence):
        return None
    shared = sum(stem in sentence.surface for stem in claim.stems)
    if shared < _ALIGNED * min(len(claim.stems), len(sentence.stems)):
        return None
    there = [one for one in _clauses(sentence.text[:_SCANNED]) if one.stems]
    for said in _clauses(claim.text[:_SCANNED]):
        aligned = [one for one in there if _say_the_same(said, one)]
        if aligned and all(one.negated != said.negated for one in aligned):
            return f"the context says the opposite: {_quoted(sentence.text)}"
    return None


def _turn_each_other_round(one: Statement, other: Statement) -> bool:
    """Whether one says "only with" where the other says "not without"."""
    return any(
        not (_ONLY.isdisjoint(first.words) or _EXCEPTING.isdisjoint(second.words))
        for first, second in ((one, other), (other, one))
    )


@lru_cache(maxsize=256)
def _clauses(text: str) -> list[Clause]:
    """Without what denies nothing: "No, it is …" answers what was said before."""
    asserted = _CONDITION.sub("", _DENIES_NOTHING.sub("", text))
    pieces = (_OPENING.sub("", piece) for piece in _SENTENCE_END.split(asserted))
    return read_clauses(pieces)


def _say_the_same(said: Clause, there: Clause) -> bool:
    """Whether but for what they deny one says what the other says."""
    shared = sum(stem in there.stems for stem in said.stems)
    if shared == len(said.stems) >= _WHOLE_OF_SAID:
        return True
    return shared > 0 and shared >= _CLOSELY_ALIGNED * len(said.stems) and shared >= _ALIGNED * len(there.stems)


def _opposite(claim: Statement, place: Place, premise: Premise) -> str | None:
    for word in claim.words:
        opposites = OPPOSITES.get(word)
        if opposites is None or (word in premise.words and premise.asks is not Asks.POLAR):
            continue
        for sentence in place.window:
            found = [one for one in sorted(opposites) if one in sentence.words and one not in claim.words]
            if found and word not in sentence.words and _is_of_the_same(claim, word, sentence, found[0]):
                return f"the answer says {word!r} where the context says {found[0]!r}"
    return None


def _is_of_the_same(claim: Statement, word: str, sentence: Statement, opposite: str) -> bool:
    """Whether two sentences have their opposites among the same words, and only one of them denies nothing."""
    if claim.negated != sentence.negated or len(sentence.stems) > _LONGEST_ALIGNED or stem(word) in claim.names:
        return False
    others = [one for one in claim.stems if one != stem(word)]
    shared = sum(one in sentence.surface for one in others)
    if not others or shared < _ALIGNED * len(others):
        return False
    return shared == len(others) or not _beside(claim, word).isdisjoint(_beside(sentence, opposite))


def _beside(sentence: Statement, word: str) -> set[str]:
    at = sentence.words.index(word)
    near = sentence.words[max(0, at - _BESIDE) : at + _BESIDE + 1]
    return {stem(one) for one in near if one != word}.intersection(sentence.surface)


def _names_swapped(ground: Ground, claim: Statement, place: Place, premise: Premise) -> str | None:
    """All the rest of the claim stands in one sentence of the context, which has another name in the place of one.

    A word of the query that opens the claim is swapped for none that stands elsewhere: German begins any noun with a
    capital.
    """
    sentence = place.sentence
    names = ground.names.intersection(claim.stems)
    away = [name for name in claim.stems if name in names and name not in sentence.surface]
    rest = [stem for stem in claim.stems if stem not in away]
    if len(away) != 1 or not rest or any(stem not in sentence.surface for stem in rest):
        return None
    if away[0] == claim.initial and (_LABEL.match(claim.text) or _ORDERS.match(claim.text)):
        return None
    if away[0] in ground and (REFERS_BACK.match(sentence.text) or not _SPEAKER.isdisjoint(sentence.words)):
        return None  # the pronoun may well stand for that name
    if len(sentence.stems) > _MOST_OF_CLAIM * len(claim.stems):
        return None
    instead = [name for name in sentence.stems if name in ground.names and name not in claim.surface]
    instead = [name for name in instead if meaning(name) != meaning(away[0])]
    both_begin = away[0] == claim.initial and sentence.initial in instead and len(rest) > 1
    if both_begin:
        instead = [name for name in instead if name == sentence.initial]
    elif len(instead) != 1 or len(names) < 2 or (away[0] == claim.initial and away[0] in premise.stems):  # noqa: PLR2004  # a pair of names in either
        return None
    return f"the context says {sentence.surface[instead[0]]!r} where the answer says {claim.surface[away[0]]!r}"


def _other_answer(ground: Ground, claim: Statement, place: Place, premise: Premise) -> str | None:
    """The context answers a question of fact, and the little that the claim adds to the query is not in it."""
    if premise.asks is Asks.OPEN or (premise.asks is Asks.UNKNOWN and not premise.marked):
        return None
    new = _given_as_answer(ground, claim, premise)
    topic = [stem for stem in premise.topic if stem not in new]
    if not topic or not new or len(new) > _FEW_NEW_WORDS or any(stem in ground for stem in new):
        return None
    there = {stem for one in place.window for stem in one.stems if stem not in claim.surface}
    named = any(stem in ground.names for stem in new) and not ground.names.isdisjoint(there)
    if not there or place.share(topic) < (_ALIGNED if named else _CLOSELY_ALIGNED):
        return None
    if _is_definition(new, claim, premise) or not _differs(new, claim, place) or _have_sign(claim, place, premise):
        return None
    if premise.is_fragment or sum(stem in claim.surface for stem in topic) >= _ALIGNED * len(topic):
        return f"the context answers otherwise and does not have {_listed(claim.surface[stem] for stem in new)}"
    return None


def _is_definition(new: list[str], claim: Statement, premise: Premise) -> bool:
    """Whether it says in words what the thing is that was asked for; a context may do so in others."""
    relates = "of" in premise.words and _DEFINITION.isdisjoint(premise.words)
    if premise.asks is not Asks.NAME or relates or len(new) < _WORDS_OF_DEFINITION:
        return False
    plain = claim.names.isdisjoint(new) and not any(map(str.isdigit, "".join(new)))
    return plain and all(stem in claim.surface for stem in premise.topic)


def _given_as_answer(ground: Ground, claim: Statement, premise: Premise) -> list[str]:
    """What of the claim would be the answer: names, or, of one that stands alone, all that the query does not say."""
    new = [stem for stem in claim.stems if stem not in premise.stems]
    if premise.asks in {Asks.POLAR, Asks.CHOICE}:
        return [stem for stem in new if stem in ground.names and stem not in ground] if premise.is_sole else []
    if premise.is_sole and len(new) <= _FEW_NEW_WORDS:
        return new
    names = [stem for stem in new if stem in claim.names]
    return names if premise.asks in _ONE_NAME and (premise.is_sole or len(new) <= _FEW_NEW_WORDS) else []


def _differs(new: list[str], claim: Statement, place: Place) -> bool:
    """Whether a number stands against another: "half" and "once" may be what other words say."""
    words = [claim.surface[stem] for stem in new]
    if any(map(str.isdigit, "".join(words))):
        known = [one.quantity for sentence in place.window for one in counted_in(sentence.text)]
        return not any(one.quantity.equals(other) for one in counted_in(claim.text) for other in known)
    if not all(map(is_numeral, words)):
        return True
    if any(word not in NUMBER_WORDS for word in words):
        return False
    return any(one.numbers or not NUMBER_WORDS.keys().isdisjoint(one.words) for one in place.window)


def _have_sign(claim: Statement, place: Place, premise: Premise) -> bool:
    """Whether both name the same hour, or the same letter, which is no word and may be all of it: "vitamin D"."""
    if _same_hours(claim.text[:_SCANNED], {number for one in place.window for number in one.numbers}):
        return True
    own = set(_LETTER.findall(claim.text[:_SCANNED])) - set(map(str.upper, premise.words))
    return any(letter in own for one in place.window for letter in _LETTER.findall(one.text[:_SCANNED]))


def _listed(values: Iterable[str]) -> str:
    return " and ".join(sorted(values)[:3])


def _quoted(text: str, longest: int = 80) -> str:
    return repr(text if len(text) <= longest else text[: longest - 1] + "…")
