"""CONCURRENCY over all lanes of a process: who has the fewest events being judged comes first."""

import contextvars
from collections.abc import Callable

from eval_worker.stream.admission import Admission


class SharedSlots:
    """Stands between the lanes and `provider`, which says whether another event's calls would go out soon."""

    def __init__(self, concurrency: int, provider: Admission) -> None:
        self._concurrency = concurrency
        self._provider = provider
        self._lanes: list[LaneSlots] = []
        provider.when_room(self.offer)

    @property
    def taken(self) -> int:
        return sum(lane.taken for lane in self._lanes)

    def lane(self) -> "LaneSlots":
        """Make the admission of one more lane."""
        lane = LaneSlots(self)
        self._lanes.append(lane)
        return lane

    def has_room(self) -> bool:
        return self.taken < self._concurrency and self._provider.has_room()

    def begun(self) -> None:
        self._provider.begun()

    def over(self) -> None:
        self._provider.over()
        self.offer()

    def offer(self) -> None:
        """Let those begin that found no room before, the one with the fewest first."""
        for lane in sorted((lane for lane in self._lanes if lane.wanting), key=lambda lane: lane.taken):
            if not self.has_room():
                return
            lane.fill()


class LaneSlots:
    """One lane's side of it. It asks only while an event waits, so a refusal says that one does.

    That event is begun where another lane's ends, and yet in the context of its own, whose partition the log names.
    """

    def __init__(self, shared: SharedSlots) -> None:
        self._shared = shared
        self._fill: Callable[[], None] = lambda: None
        self._context = contextvars.copy_context()
        self.taken = 0
        self.wanting = False

    def has_room(self) -> bool:
        self.wanting = not self._shared.has_room()
        if self.wanting:
            self._context = contextvars.copy_context()  # a new one each time, as nobody can enter one twice
        return not self.wanting

    def begun(self) -> None:
        self.taken += 1
        self._shared.begun()

    def over(self) -> None:
        self.taken -= 1
        self._shared.over()

    def when_room(self, call: Callable[[], None]) -> None:
        self._fill = call

    def fill(self) -> None:
        self.wanting = False
        self._context.run(self._fill)
