"""How a context bears out one claim: what it supports, what it lacks, and whether it contradicts it."""

from dataclasses import dataclass

from eval_worker.models.offline.context.conflicts import conflict_of
from eval_worker.models.offline.context.grounding import Ground, Place, Premise
from eval_worker.models.offline.reading.statement import Statement

_GIVEN = 0.4  # what a word weighs that the query already said
_CONTRADICTED, _WRONG_NUMBER, _UNKNOWN_NAME = 0.05, 0.35, 0.6
_RESTATED = 0.6
_CLEAR, _UNCLEAR, _BORNE_OUT = 0.7, 0.4, 0.95  # of a yes or no


@dataclass(frozen=True, slots=True)
class Support:
    """`missing` are the claim's words that the context lacks, in order; `restated` the stems it stands for there."""

    claim: Statement
    score: float
    missing: tuple[str, ...]
    conflict: str | None = None
    restated: frozenset[str] = frozenset()


def support_of(ground: Ground, claim: Statement, premise: Premise) -> Support:
    given = premise.stems
    place = ground.place_of(claim.stems)
    missing = tuple(claim.surface[stem] for stem in claim.stems if stem not in ground and stem not in given)
    score = _share_borne_out(ground, claim, place, given)
    if place is None:
        return Support(claim, score, missing)
    conflict = conflict_of(ground, claim, place, premise)
    if conflict:
        return Support(claim, _CONTRADICTED, missing, conflict)
    unknown_numbers = claim.numbers - ground.numbers - premise.numbers
    if unknown_numbers:
        score = min(score, _WRONG_NUMBER)
    elif (claim.names & ground.names) - frozenset(ground.names.intersection(place.stems)) and any(
        name not in ground and name not in given for name in claim.names
    ):
        score = min(score, _UNKNOWN_NAME)
    restated = frozenset(place.sentence.stems) if score >= _RESTATED else frozenset[str]()
    return Support(claim, score, missing, restated=restated)


def _share_borne_out(ground: Ground, claim: Statement, place: Place | None, given: frozenset[str]) -> float:
    """The weighted share of the claim's words that the context has, most of them in one place."""
    if not claim.stems:
        return 1.0
    total = borne_out = nearby = 0.0
    for stem in claim.stems:
        weight = ground.weight(stem) * (_GIVEN if stem in given else 1.0)
        total += weight
        borne_out += weight * (stem in ground)
        nearby += weight * (place is not None and stem in place.stems)
    return 0.6 * borne_out / total + 0.4 * nearby / total


def support_of_yes_or_no(ground: Ground, query: Statement, premise: Premise, *, says_yes: bool) -> Support:
    """The query is the claim; a "no" is borne out by what contradicts it."""
    found = support_of(ground, query, premise)
    if says_yes:
        return found
    if found.score < _CLEAR:
        return Support(found.claim, _BORNE_OUT if found.conflict else _UNCLEAR, ())
    return Support(found.claim, _CONTRADICTED, (), "the answer says no, and the context says it is so")
