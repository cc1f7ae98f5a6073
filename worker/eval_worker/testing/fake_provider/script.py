"""What is to happen to which calls, for how many of them or for how long."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from eval_worker.testing.fake_provider.call import ProviderCall
from eval_worker.testing.fake_provider.condition import Condition

T = TypeVar("T")


@dataclass(slots=True)
class _Rule(Generic[T]):
    value: T
    when: Condition
    times: int | None
    ends_at: float | None
    used: int = 0

    @property
    def is_standing(self) -> bool:
        return self.times is None and self.ends_at is None

    def is_over(self, now: float) -> bool:
        used_up = self.times is not None and self.used >= self.times
        return used_up or (self.ends_at is not None and now >= self.ends_at)


class Script(Generic[T]):
    """Rules, written by a test's thread and read by the server's.

    Rules that end play first, in the order given; then the standing rule given last; then the default.
    """

    def __init__(self, default: T, clock: Callable[[], float]) -> None:
        self._default = default
        self._clock = clock
        self._rules: list[_Rule[T]] = []
        self._lock = threading.Lock()

    def add(self, value: T, when: Condition, times: int | None = None, seconds: float | None = None) -> None:
        ends_at = None if seconds is None else self._clock() + seconds
        with self._lock:
            self._rules.append(_Rule(value, when, times, ends_at))

    def clear(self) -> None:
        with self._lock:
            self._rules.clear()

    def next_for(self, call: ProviderCall) -> tuple[T, int]:
        """Return what applies to the call, and how often that rule was used before."""
        with self._lock:
            if not self._rules:
                return self._default, 0
            now = self._clock()
            self._rules = [rule for rule in self._rules if not rule.is_over(now)]
            matching = [rule for rule in self._rules if rule.when.matches(call)]
            ending = [rule for rule in matching if not rule.is_standing]
            chosen = next(iter(ending or reversed(matching)), None)
            if chosen is None:
                return self._default, 0
            chosen.used += 1
            return chosen.value, chosen.used - 1
