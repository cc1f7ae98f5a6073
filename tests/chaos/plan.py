"""What will happen, drawn from a seed before anything does."""

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from tests.chaos.faults import FaultKind

QUIET_SHARE = 0.1  # of the time, at both ends: to get going, and to have come to rest


@dataclass(frozen=True, slots=True)
class PlannedFault:
    """`at` counts from the first event. `seed` chooses the victim and the like."""

    at: float
    kind: FaultKind
    seconds: float
    seed: int


def plan_faults(random: Random, kinds: Iterable[FaultKind], *, seconds: float, per_minute: float) -> list[PlannedFault]:
    """Draw when each fault comes: each kind once if there is room for it, the rest by weight; they may overlap."""
    kinds = list(kinds)
    count = round(seconds / 60 * per_minute)
    drawn = random.sample(kinds, k=min(count, len(kinds)))
    drawn += random.choices(kinds, weights=[kind.weight for kind in kinds], k=count - len(drawn))
    first, last = seconds * QUIET_SHARE, seconds * (1 - QUIET_SHARE)
    faults = [
        PlannedFault(random.uniform(first, last), kind, random.uniform(*kind.seconds), random.getrandbits(32))
        for kind in drawn
    ]
    return sorted(faults, key=lambda fault: fault.at)
