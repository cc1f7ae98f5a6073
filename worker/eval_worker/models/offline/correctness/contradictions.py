"""What in an answer speaks against its reference: another value, a denial, a choice of answers, a retraction."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from eval_worker.evaluation.text.words import fold
from eval_worker.models.offline.correctness.agreement import agree, opposed_words, turned_round
from eval_worker.models.offline.correctness.demands import Given, Kind
from eval_worker.models.offline.correctness.said import Finding, keys_of
from eval_worker.models.offline.reading.clauses import Clause, read_clause
from eval_worker.models.offline.reading.dates import Date
from eval_worker.models.offline.reading.quantities import Quantity
from eval_worker.models.offline.reading.stems import stem
from eval_worker.models.offline.reading.synonyms import meaning

_DENIED, _OTHER_VALUE, _CHOICE, _TAKEN_BACK = 0.15, 0.35, 0.45, 0.3
_ALIGNED, _CLOSE = 0.5, 0.75
_FEW = _PAIR_AND_VERB = 3
_MOST_PLACES = 48  # a word that stands in more clauses tells none of them apart
_RESULT = frozenset(map(stem, ("answer", "result", "sum", "total", "final", "solution")))
_MOST_KNOWN = 100
_FIRST_YEAR, _LAST_YEAR = 1000, 2999
_MOST_TRIED = 8
_BESIDE, _NEAR = 4, 80  # words on either side of an "or", and the characters that they may take
_OR = re.compile(
    r"\b(?:or|oder|ou|или|або)\b(?! (?:newer|later|more|less|above|below|higher|lower|older|earlier|better|so|"
    r"otherwise|not|rather|in other words))|\so\s|或者?|还是|または|もしくは|\sأو\s|\sया\s",
    re.IGNORECASE,
)
_RETRACTS = re.compile(
    r"\b(?:actually|wait|scratch that|correction|i mean|on second thou?ght|no, it|let me correct|sorry)\b",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(
    r"\b(?:(?:final|correct|right) (?:answer|result)|(?:the|my) (?:answer|result|total|sum) is|"
    r"(?:answer|result|total):|"
    r"therefore|thus|hence|so the|in total|which (?:makes|gives|equals))",
    re.IGNORECASE,
)
_COMPARES = re.compile(r"\b(?:than|als|чем|before|after)\b", re.IGNORECASE)
_EITHER_WAY = re.compile(r"\b(?:and|und|et|y|и|is|are|was|were|ist|est|es|with)\b|[,&]", re.IGNORECASE)
_DIRECTION = re.compile(r"([^\W\d_][\w-]*) (?:to|nach|→|->|в) ([^\W\d_][\w-]*)", re.IGNORECASE)
_PASSIVE = re.compile(r"\b(?:by|von|par|por|da)\b", re.IGNORECASE)


class Texts:
    """What is asked, what is right, and what was answered, in clauses."""

    def __init__(self, query: Sequence[Clause], reference: Sequence[Clause], answer: Sequence[Clause]) -> None:
        self.query = query
        self.reference = reference
        self.answer = answer
        self.given = Given.by(query)

    @cached_property
    def _known_numbers(self) -> list[Quantity]:
        return [*self.given.quantities, *(one for clause in self.reference for one in clause.quantities)][:_MOST_KNOWN]

    @cached_property
    def _known_words(self) -> frozenset[str]:
        return frozenset(key for clause in (*self.reference, *self.query) for key in _keys(clause))

    def foreign_numbers(self, clauses: Iterable[Clause]) -> list[Quantity]:
        """Numbers that neither the reference nor the query has."""
        numbers = (one for clause in clauses for one in clause.quantities)
        return [one for one in numbers if not any(one.equals(other) for other in self._known_numbers)]

    def foreign_dates(self, clauses: Iterable[Clause]) -> list[Date]:
        """Dates that neither the reference nor the query has."""
        known = [*self.given.dates, *(one for clause in self.reference for one in clause.dates)][:_MOST_KNOWN]
        dates = (one for clause in clauses for one in clause.dates)
        return [one for one in dates if not any(one.share_in(other) or other.share_in(one) for other in known)]

    def foreign_words(self, clauses: Iterable[Clause]) -> list[str]:
        """Topic words that neither the reference nor the query has, however they are spelled."""
        words = (pair for clause in clauses for pair in clause.stems.items())
        return [word for one, word in words if self._known_words.isdisjoint(keys_of(one, word))]

    def are_to_the_point(self, clauses: Sequence[Clause], others: Iterable[Clause]) -> bool:
        """Whether clauses speak of nothing in particular, or of what query, reference or others speak of."""
        stems = {one for clause in clauses for one in clause.stems}
        around = {one for clause in (*self.query, *self.reference, *others) for one in clause.stems} | _RESULT
        numbers = [one for clause in clauses for one in clause.quantities]
        reckoned = any("=" in clause.text for clause in clauses) or any(
            one.equals(given) for one in numbers for given in self.given.quantities
        )
        return not stems or reckoned or not stems.isdisjoint(around)


@dataclass(frozen=True, slots=True)
class Contradiction:
    highest_score: float
    reason: str


def contradiction(texts: Texts, findings: Sequence[Finding]) -> Contradiction | None:
    """Return the first thing that speaks against the reference, the worst first."""
    rules: Sequence[Callable[[Texts, Sequence[Finding]], Contradiction | None]] = (
        _denial,
        _opposite,
        _retraction,
        _other_conclusion,
        _other_value,
        _other_than_asked_for,
        _other_direction,
        _roles_swapped,
        _choice,
        _number_beside_the_point,
    )
    return next((found for rule in rules if (found := rule(texts, findings)) is not None), None)


def _denial(texts: Texts, findings: Sequence[Finding]) -> Contradiction | None:
    few = sum(one.demand.weight >= 1 for one in findings) <= _FEW
    denied = [one for one in findings if one.denied and one.demand.weight >= 1]
    if few and denied and not any(one.share for one in findings if one.demand.essential):
        return Contradiction(_DENIED, f"the answer denies {denied[0].demand.text!r}")
    for mine, theirs in _aligned(texts, _CLOSE):
        if not agree(mine, theirs) and opposed_words(mine, theirs) is None:
            return Contradiction(_DENIED, f"the answer says the opposite of {_quoted(mine.text)}")
    return None


def _opposite(texts: Texts, _findings: Sequence[Finding]) -> Contradiction | None:
    for mine, theirs in _aligned(texts, _ALIGNED):
        pair = opposed_words(mine, theirs)
        if pair and not agree(mine, theirs):
            return Contradiction(_DENIED, f"the answer says {pair[1]!r} where the reference says {pair[0]!r}")
    return None


def _aligned(texts: Texts, share: float) -> Iterable[tuple[Clause, Clause]]:
    """Clauses of the reference, each with the clause of the answer that speaks most of the same."""
    places: dict[str, list[int]] = {}
    for position, clause in enumerate(texts.answer):
        for topic in {meaning(one) for one in clause.stems}:
            places.setdefault(topic, []).append(position)
    for mine in texts.reference:
        counts: dict[int, int] = {}
        for topic in {meaning(one) for one in mine.stems}:
            for position in places.get(topic, ())[:_MOST_PLACES]:
                counts[position] = counts.get(position, 0) + 1
        if not counts:
            continue
        best = max(counts, key=lambda position: (counts[position], -position))
        theirs = texts.answer[best]
        if counts[best] > 1 and counts[best] >= share * max(len(mine.stems), len(theirs.stems)):
            yield mine, theirs


def _other_value(texts: Texts, findings: Sequence[Finding]) -> Contradiction | None:
    """A number or a date is missing, and where the answer speaks of the same there is another."""
    for one in findings:
        if one.share or not isinstance(one.demand.thing, Quantity | Date):
            continue
        wanted = {meaning(topic) for topic in one.demand.clause.stems}
        near = [
            clause
            for clause in texts.answer
            if sum(meaning(topic) in wanted for topic in clause.stems) >= _ALIGNED * len(wanted)
        ]
        numbered = isinstance(one.demand.thing, Quantity)
        foreign = texts.foreign_numbers(near) if numbered else texts.foreign_dates(near)
        if foreign:
            return Contradiction(
                _OTHER_VALUE, f"the answer says {foreign[0].text!r}, the reference {one.demand.text!r}"
            )
    return None


def _other_than_asked_for(texts: Texts, _findings: Sequence[Finding]) -> Contradiction | None:
    """A table for two where the query and the reference have one for four: it stands beside the same word."""
    for mine in texts.reference:
        for number in mine.quantities:
            if _is_year(number) or not texts.given.has_number(number) or _has_number(texts.answer, number):
                continue
            for theirs in texts.answer:
                for other in texts.foreign_numbers([theirs]):
                    if other.unit == number.unit and not _beside(mine, number).isdisjoint(_beside(theirs, other)):
                        said = f"the answer says {other.text!r}, the query and the reference {number.text!r}"
                        return Contradiction(_OTHER_VALUE, said)
    return None


def _is_year(number: Quantity) -> bool:
    return number.unit is None and any(_FIRST_YEAR <= one <= _LAST_YEAR for one in number.readings)


def _beside(clause: Clause, number: Quantity) -> frozenset[tuple[str, str]]:
    """The word before a number, and the one behind it."""
    before, behind = clause.text[: number.start].split(), clause.text[number.end :].split()
    near = (("before", before[-1:]), ("behind", behind[:1]))
    return frozenset((side, fold(words[0])) for side, words in near if words and words[0].isalpha())


def _other_direction(texts: Texts, _findings: Sequence[Finding]) -> Contradiction | None:
    """From Berlin to Madrid is not from Madrid to Berlin."""
    wanted = {pair for clause in texts.reference for pair in _directions(clause)}
    for clause in texts.answer:
        for start, end in _directions(clause):
            if (end, start) in wanted and (start, end) not in wanted:
                return Contradiction(_DENIED, f"the answer turns the way from {end!r} to {start!r} round")
    return None


def _directions(clause: Clause) -> list[tuple[str, str]]:
    return [(match[1].lower(), match[2].lower()) for match in _DIRECTION.finditer(clause.text)]


def _other_conclusion(texts: Texts, findings: Sequence[Finding]) -> Contradiction | None:
    """The reference's number is there, and yet the answer settles on another."""
    wanted = [one.demand.thing for one in findings if one.demand.kind is Kind.NUMBER and one.demand.essential]
    if not wanted:
        return None
    for clause in reversed(texts.answer):
        found = _CONCLUDES.search(clause.text)
        if found is None or not clause.quantities:
            continue
        settled = [one for one in clause.quantities if one.start >= found.start()]
        foreign = texts.foreign_numbers([clause])
        if settled and settled[-1] in foreign and not any(one in foreign for one in wanted):
            return Contradiction(_OTHER_VALUE, f"the answer settles on {settled[-1].text!r}")
        return None
    return None


def _retraction(texts: Texts, findings: Sequence[Finding]) -> Contradiction | None:
    """What the answer said it takes back, and says something else."""
    markers = [place for place, clause in enumerate(texts.answer) if place and _RETRACTS.search(clause.text)]
    if not markers:
        return None
    after = texts.answer[markers[-1] :]
    told = {key for clause in after for key in _keys(clause)}
    kept = any(_is_in(one, after, told) for one in findings if one.share)
    if kept or not (texts.foreign_numbers(after) or texts.foreign_words(after)):
        return None
    return Contradiction(_TAKEN_BACK, "the answer takes back what it said")


def _is_in(finding: Finding, clauses: Iterable[Clause], told: set[str]) -> bool:
    thing = finding.demand.thing
    if isinstance(thing, str):
        return not told.isdisjoint(keys_of(thing, finding.demand.text))
    if isinstance(thing, Quantity):
        return _has_number(clauses, thing)
    return any(clause.dates or clause.times for clause in clauses)


def _choice(texts: Texts, findings: Sequence[Finding]) -> Contradiction | None:
    """Two answers of which the reader may choose: "Paris or Lyon"."""
    if any(_OR.search(clause.text) for clause in texts.reference):
        return None
    met = [one for one in findings if one.share and one.demand.weight >= 1]
    for clauses in _by_sentence(texts.answer).values():
        text = ", ".join(clause.text for clause in clauses)
        for match in islice(_OR.finditer(text), _MOST_TRIED):
            before = read_clause(" ".join(text[max(0, match.start() - _NEAR) : match.start()].split()[-_BESIDE:]))
            after = read_clause(" ".join(text[match.end() : match.end() + _NEAR].split()[:_BESIDE]))
            for mine, other in ((before, after), (after, before)):
                foreign = texts.foreign_numbers([other]) or texts.foreign_words([other])
                if foreign and _has_any(met, mine) and not _has_any(met, other):
                    return Contradiction(_CHOICE, f"the answer leaves a choice: {_quoted(text)}")
    return None


def _number_beside_the_point(texts: Texts, findings: Sequence[Finding]) -> Contradiction | None:
    """The number wanted stands in a sentence about something else, and another number where the answer is."""
    wanted = [one.demand.thing for one in findings if one.share and one.demand.kind is Kind.NUMBER]
    if len(wanted) != 1 or not isinstance(wanted[0], Quantity):
        return None
    number, sentences = wanted[0], _by_sentence(texts.answer)
    places = [place for place, clauses in sentences.items() if _has_number(clauses, number)]
    for place in places[:_MOST_TRIED]:
        others = [clause for other, clauses in sentences.items() if other != place for clause in clauses]
        if not texts.foreign_numbers(others) or texts.are_to_the_point(sentences[place], others):
            return None
    if not places:
        return None
    return Contradiction(_CHOICE, f"{number.text!r} stands beside the point, and the answer gives another number")


def _has_number(clauses: Iterable[Clause], number: Quantity) -> bool:
    return any(number.equals(one) for clause in clauses for one in clause.quantities)


def _has_any(findings: Sequence[Finding], clause: Clause) -> bool:
    told = set(_keys(clause))
    return any(_is_in(one, [clause], told) for one in findings)


def _keys(clause: Clause) -> Iterable[str]:
    return (key for one, word in clause.stems.items() for key in keys_of(one, word))


def _by_sentence(clauses: Iterable[Clause]) -> dict[int, list[Clause]]:
    grouped: dict[int, list[Clause]] = {}
    for clause in clauses:
        grouped.setdefault(clause.sentence, []).append(clause)
    return grouped


def _roles_swapped(texts: Texts, _findings: Sequence[Finding]) -> Contradiction | None:
    """The same words, and the two that are compared stand the other way round: "B is larger than A"."""
    for mine, theirs in _aligned(texts, 0.99):
        ours, other = list(mine.stems), list(theirs.stems)
        if len(ours) < _PAIR_AND_VERB or set(ours) != set(other) or ours[0] == other[0]:
            continue
        passive = bool(_PASSIVE.search(mine.text)) != bool(_PASSIVE.search(theirs.text))
        if not passive and turned_round(mine, theirs) and _is_ordered(mine):
            return Contradiction(_DENIED, f"the answer turns {_quoted(mine.text)} round")
    return None


def _is_ordered(clause: Clause) -> bool:
    """Whether it matters which stands first: not in "Paris is the capital", nor where "Anna and Boris" met."""
    if _COMPARES.search(clause.text):
        return True
    either_way = _EITHER_WAY.search(clause.text) or _DIRECTION.search(clause.text)
    return len(clause.stems) == _PAIR_AND_VERB and not either_way


def _quoted(text: str, longest: int = 80) -> str:
    return repr(text if len(text) <= longest else text[: longest - 1] + "…")
