"""The circuit between events and the model: open while the model can't be used, probed by one event at a time."""

import random
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from eval_worker.evaluation.judges.model import ModelFailure

FIRST_PROBE_SECONDS = 1.0
LONGEST_PROBE_SECONDS = 10.0
MOST_SUSPECTED = 1_000


@dataclass(slots=True)
class _Open:
    failure: ModelFailure
    wait_seconds: float
    probe_at: float
    probe: str | None = None  # the event that is let through


class Circuit:
    """Opens on an outage at once, and on transient failures when a second event fails with no success in between.

    While it is open nothing new is read but for the probe: an event like any other, let through alone after a wait
    that doubles up to 10 s. The first success closes it. `on_change` is called when it opens or closes.
    """

    def __init__(self, clock: Callable[[], float], on_change: Callable[[str | None], None]) -> None:
        self._clock = clock
        self._on_change = on_change
        self._open: _Open | None = None
        self._failing: set[str] = set()  # since the last success
        self._suspected: OrderedDict[str, None] = OrderedDict()  # failed alone once, while others went on well

    @property
    def closed(self) -> bool:
        return self._open is None

    @property
    def failure(self) -> ModelFailure | None:
        """What opened it, or has been seen since."""
        return None if self._open is None else self._open.failure

    @property
    def reason(self) -> str | None:
        return None if self.failure is None else f"{self.failure.code}: {self.failure.message}"

    def what_is_wrong(self) -> str | None:
        """Say why nothing is read, for readiness."""
        return f"paused: {self.reason}" if self.reason else None

    @property
    def seconds_to_probe(self) -> float:
        """How long until an event may ask the model; 0 when closed."""
        return 0.0 if self._open is None else max(self._open.probe_at - self._clock(), 0.0)

    @property
    def probe_due(self) -> bool:
        return self._open is not None and self._open.probe is None and self.seconds_to_probe == 0

    def admit(self, key: str) -> bool:
        """Return whether this event may ask the model now; where the circuit is open, that makes it the probe."""
        if self._open is None:
            return True
        if not self.probe_due:
            return False
        self._open.probe = key
        return True

    def succeeded(self, key: str) -> None:
        self._suspected.pop(key, None)
        if len(self._failing) == 1:  # one event failed, and here is the sign that the provider is well
            self._suspected.update(dict.fromkeys(self._failing))
            while len(self._suspected) > MOST_SUSPECTED:
                self._suspected.popitem(last=False)
        self._failing.clear()
        if self._open is not None:
            self._open = None
            self._on_change(None)

    def tripped(self, key: str, failure: ModelFailure) -> None:
        """Open for a failure that would hit every event."""
        self._reopen(key, failure)

    def failed(self, key: str, failure: ModelFailure, *, answered: bool, others_in_flight: bool) -> bool:
        """Take note of a transient failure; returns whether it is the event's own, and so is to be charged.

        It is the provider's if another event fails too with no success in between, or if it is of a kind that no event
        can cause. It is the event's own if the model answers others between its failures, or answered other judges
        of this very event (`answered`). An event with nothing beside it to compare with is charged.
        """
        if len(self._failing) <= 1:  # more than one is all that counts, and an outage may last for days
            self._failing.add(key)
        if self._open is None and len(self._failing) == 1:
            if key in self._suspected:
                return True
            if others_in_flight:
                return False
            if answered or not failure.is_the_providers:
                return True
        self._reopen(key, failure)
        return False

    def abandoned(self, key: str) -> None:
        """The event ended without an answer or a failure of the model; if it was the probe, another may be."""
        if self._open is not None and self._open.probe == key:
            self._open.probe = None

    def _reopen(self, key: str, failure: ModelFailure) -> None:
        if self._open is None:
            self._wait(failure, FIRST_PROBE_SECONDS)
            self._on_change(self.reason)
        elif self._open.probe == key:
            self._wait(failure, min(self._open.wait_seconds * 2, LONGEST_PROBE_SECONDS))
        else:  # one of those that were in flight when it opened
            self._open.failure = failure

    def _wait(self, failure: ModelFailure, seconds: float) -> None:
        jittered = seconds * random.uniform(0.8, 1.2)  # noqa: S311 (jitter)
        self._open = _Open(failure, seconds, self._clock() + jittered)
