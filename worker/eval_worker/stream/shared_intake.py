"""READ_AHEAD and CONCURRENCY over all lanes of a process: how much each of them may read."""

import math
from collections.abc import Callable

from eval_worker.stream.intake import STARTED_SOON, Intake


class SharedIntake:
    """Half of READ_AHEAD is divided equally and kept for each lane; the other half is for whoever comes first.

    So a lane whose Redis is away, and which holds what it can't settle, leaves the others their share; and where one
    lane has all the work it has most of the room.
    """

    def __init__(self, *, read_ahead: int, concurrency: int, lanes: int, clock: Callable[[], float]) -> None:
        self.read_ahead = read_ahead
        self.concurrency = concurrency
        self.reserve = max(read_ahead // (2 * lanes), 1)
        self.idle_share = max(min(math.ceil(STARTED_SOON * concurrency / lanes), self.reserve), 1)
        self._clock = clock
        self._lanes: list[LaneIntake] = []

    def lane(self, *, held: Callable[[], int], unjudged: Callable[[], int]) -> "LaneIntake":
        lane = LaneIntake(self, held, unjudged, self._clock)
        self._lanes.append(lane)
        return lane

    def read_ahead_for(self, lane: "LaneIntake") -> int:
        others = sum(max(other.claimed, self.reserve) for other in self._lanes if other is not lane)
        return max(self.read_ahead - others, 1)

    def concurrency_for(self, lane: "LaneIntake") -> int:
        """Divide it among those that have something to judge."""
        busy = sum(other.unjudged() > 0 for other in self._lanes if other is not lane)
        return math.ceil(self.concurrency / (busy + 1))


class LaneIntake(Intake):
    """One lane's part, by what the others hold at the moment.

    A lane that found less than it asked for last time asks for little: what it asks for nobody else can have.
    """

    def __init__(
        self,
        shared: SharedIntake,
        held: Callable[[], int],
        unjudged: Callable[[], int],
        clock: Callable[[], float],
    ) -> None:
        super().__init__(read_ahead=shared.read_ahead, concurrency=shared.concurrency, clock=clock)
        self._shared = shared
        self._held = held
        self._asked = 0
        self._most = 0  # that it may hold once the read under way is over
        self._backlog = False
        self.unjudged = unjudged

    @property
    def claimed(self) -> int:
        """What it holds, or will hold where it gets all that it asks for at this moment."""
        return max(self._held(), self._most)

    def room(self, *, held: int, unjudged: int) -> int:
        self._most = 0
        self.read_ahead = self._shared.read_ahead_for(self)
        self.concurrency = self._shared.concurrency_for(self)
        room = super().room(held=held, unjudged=unjudged)
        self._asked = room if self._backlog else min(room, self._shared.idle_share)
        self._most = held + self._asked
        return self._asked

    def observe(self, *, read: int, to_judge: int) -> None:
        if self._asked:
            self._backlog = read >= self._asked
        self._asked = self._most = 0
        super().observe(read=read, to_judge=to_judge)
