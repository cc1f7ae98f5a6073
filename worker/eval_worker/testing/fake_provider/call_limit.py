"""How many calls a fake takes in any second, as a provider with a quota does."""

import threading
from collections import deque
from collections.abc import Callable

_SECOND = 1.0


class CallLimit:
    """A window of one second that slides; calls that were turned away are not counted in it."""

    def __init__(self, clock: Callable[[], float], calls_per_second: float | None = None) -> None:
        self.calls_per_second = calls_per_second
        self._clock = clock
        self._taken: deque[float] = deque()
        self._lock = threading.Lock()

    def takes_one_more(self) -> bool:
        if self.calls_per_second is None:
            return True
        now = self._clock()
        with self._lock:
            while self._taken and self._taken[0] <= now - _SECOND:
                self._taken.popleft()
            if len(self._taken) >= self.calls_per_second:
                return False
            self._taken.append(now)
            return True
