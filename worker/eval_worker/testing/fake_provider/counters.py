"""What the fake has seen."""

import threading
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from eval_worker.testing.fake_provider.call import ProviderCall

KEPT_REQUESTS = 1_000
C = TypeVar("C", bound=ProviderCall)


@dataclass(frozen=True, slots=True)
class Counters:
    """Calls since the start or the last `forget()`; `by_outcome` counts by class name: `Reply`, `Throttle`."""

    calls: int
    in_flight: int
    most_in_flight: int
    by_judge: Mapping[str, int]
    by_model_id: Mapping[str, int]
    by_outcome: Mapping[str, int]


class CallLog(Generic[C]):
    """Counts calls, and keeps the last of them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._in_flight = 0
        self._reset()

    def started(self, call: C, outcome: str) -> None:
        with self._lock:
            self._calls += 1
            self._in_flight += 1
            self._most_in_flight = max(self._most_in_flight, self._in_flight)
            self._by_judge[call.judge or "unknown"] += 1
            self._by_model_id[call.model_id] += 1
            self._by_outcome[outcome] += 1
            self._requests.append(call)

    def finished(self) -> None:
        with self._lock:
            self._in_flight -= 1

    def counters(self) -> Counters:
        with self._lock:
            return Counters(
                self._calls,
                self._in_flight,
                self._most_in_flight,
                dict(self._by_judge),
                dict(self._by_model_id),
                dict(self._by_outcome),
            )

    def requests(self) -> list[C]:
        with self._lock:
            return list(self._requests)

    def forget(self) -> None:
        with self._lock:
            self._reset()

    def _reset(self) -> None:
        # Calls under way stay counted as in flight: they will be reported finished.
        self._calls = 0
        self._most_in_flight = self._in_flight
        self._by_judge: Counter[str] = Counter()
        self._by_model_id: Counter[str] = Counter()
        self._by_outcome: Counter[str] = Counter()
        self._requests: deque[C] = deque(maxlen=KEPT_REQUESTS)
