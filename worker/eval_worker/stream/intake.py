"""How much to read at a time: what can be started soon, and no more."""

import math
from collections.abc import Callable

STARTED_SOON = 2  # times CONCURRENCY: those being judged, and as many again to go on with at once
SOON_SECONDS = 0.05  # or as many as are judged meanwhile: a model that answers at once is through with those in no time
PACE_SECONDS = 0.1  # at least, over which it is told how fast events are judged
REMEMBERED = 64  # how many events the estimate of the share rests on


class Intake:
    """Reads ahead as far as the events themselves make worth it, READ_AHEAD at most.

    An event that waits here for the judges waits in vain: an idle worker could have started it, and if this one is
    killed the wait is charged to it as if it had run. An event that exits early never waits, so the more of them
    there are, the more are read at once; and so are they where the judges are fast.
    """

    def __init__(self, *, read_ahead: int, concurrency: int, clock: Callable[[], float]) -> None:
        self.read_ahead = read_ahead
        self.concurrency = concurrency
        self._clock = clock
        self._judged_share = 1.0  # of what was read lately
        self._judged_a_second = 0.0
        self._judged = 0  # since then:
        self._counted_from = clock()
        self._unjudged = 0

    def room(self, *, held: int, unjudged: int) -> int:
        """Return how many may be read now, with so many read and not settled, and of these so many not judged yet."""
        self._learn_pace(unjudged)
        soon = max(STARTED_SOON * self.concurrency, SOON_SECONDS * self._judged_a_second)
        if unjudged >= soon / STARTED_SOON:
            return 0
        startable = (soon - unjudged) / max(self._judged_share, 1 / self.read_ahead)
        return max(min(math.ceil(startable), self.read_ahead - held), 0)

    def observe(self, *, read: int, to_judge: int) -> None:
        """Learn from what was read how many of them went on to the judges."""
        self._unjudged += to_judge
        if read:
            weight = min(read / REMEMBERED, 1.0)
            self._judged_share += (to_judge / read - self._judged_share) * weight

    def _learn_pace(self, unjudged: int) -> None:
        self._judged += max(self._unjudged - unjudged, 0)
        self._unjudged = unjudged
        now = self._clock()
        if (seconds := now - self._counted_from) >= PACE_SECONDS:
            self._judged_a_second = self._judged / seconds
            self._judged, self._counted_from = 0, now
