"""How much to read at a time: what can be started soon, and no more."""

import math

STARTED_SOON = 2  # times CONCURRENCY: those being judged, and as many again to go on with at once
REMEMBERED = 64  # how many events the estimate rests on


class Intake:
    """Reads ahead as far as the events themselves make worth it, READ_AHEAD at most.

    An event that waits here for the judges waits in vain: an idle worker could have started it, and if this one is
    killed the wait is charged to it as if it had run. An event that exits early never waits, so the more of them
    there are, the more are read at once.
    """

    def __init__(self, *, read_ahead: int, concurrency: int) -> None:
        self._read_ahead = read_ahead
        self._concurrency = concurrency
        self._judged_share = 1.0  # of what was read lately

    def room(self, *, held: int, unjudged: int) -> int:
        """Return how many may be read now, with so many read and not settled, and of these so many not judged yet."""
        if unjudged >= self._concurrency:
            return 0
        startable = (STARTED_SOON * self._concurrency - unjudged) / max(self._judged_share, 1 / self._read_ahead)
        return max(min(math.ceil(startable), self._read_ahead - held), 0)

    def observe(self, *, read: int, to_judge: int) -> None:
        """Learn from what was read how many of them went on to the judges."""
        if read:
            weight = min(read / REMEMBERED, 1.0)
            self._judged_share += (to_judge / read - self._judged_share) * weight
