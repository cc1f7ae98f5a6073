"""What was spent in the last sixty minutes, and whether more may be."""

from collections import deque
from collections.abc import Callable
from math import ceil, fsum

HOUR_SECONDS = 3_600
BUCKET_SECONDS = 60
_DECIMALS = 9  # of a dollar; ten calls of ten cents are a dollar, and in floats a little less


class Budget:
    """Counts dollars by the minute. Without a limit it says what was spent, and that is all.

    A minute counts until all of it is an hour ago. `on_change` is called when the limit is reached, with words for
    people, and with None when there is room again; that is noticed by `may_spend`. All else may be asked from any
    thread.
    """

    def __init__(
        self, limit_usd: float | None, clock: Callable[[], float], on_change: Callable[[str | None], None]
    ) -> None:
        self._limit_usd = limit_usd
        self._clock = clock
        self._on_change = on_change
        self._minutes: deque[tuple[int, float | None]] = deque()  # each with what was spent in it; None is unknown
        self._told = False

    def spend(self, usd: float | None) -> None:
        """Take note of what a call cost; None is not known, and makes the sum of that hour unknown."""
        minute = int(self._clock() // BUCKET_SECONDS)
        while self._minutes and not self._counts(self._minutes[0][0]):
            self._minutes.popleft()
        if self._minutes and self._minutes[-1][0] == minute:
            before = self._minutes[-1][1]
            self._minutes[-1] = (minute, None if before is None or usd is None else before + usd)
        else:
            self._minutes.append((minute, usd))
        self.may_spend()

    def may_spend(self) -> bool:
        """Say whether new work may be taken on."""
        exhausted = self.exhausted
        if exhausted != self._told:
            self._told = exhausted
            self._on_change(self.what_is_wrong())
        return not exhausted

    @property
    def exhausted(self) -> bool:
        return self._limit_usd is not None and _known(self._spending) >= self._limit_usd

    @property
    def spent_usd(self) -> float | None:
        """What was spent in the last sixty minutes; None where that is not known of one call."""
        spending = self._spending
        return None if any(usd is None for _, usd in spending) else _known(spending)

    @property
    def seconds_to_room(self) -> float:
        """How long until enough of it is an hour ago; 0 where there is room."""
        spending = deque(self._spending)
        wait = 0.0
        while self._limit_usd is not None and spending and _known(spending) >= self._limit_usd:
            minute, _ = spending.popleft()
            wait = (minute + 1) * BUCKET_SECONDS + HOUR_SECONDS - self._clock()
        return max(wait, 0.0)

    def what_is_wrong(self) -> str | None:
        """Say why nothing is read, and until when, for readiness."""
        if self._limit_usd is None or not self.exhausted:
            return None
        spent, minutes = _known(self._spending), ceil(self.seconds_to_room / 60)
        return (
            f"paused: ${spent:.2f} was spent in the last 60 minutes and MAX_COST_PER_HOUR is {self._limit_usd:g}; "
            f"it goes on in {minutes} min"
        )

    @property
    def _spending(self) -> tuple[tuple[int, float | None], ...]:
        return tuple(each for each in tuple(self._minutes) if self._counts(each[0]))

    def _counts(self, minute: int) -> bool:
        return (minute + 1) * BUCKET_SECONDS + HOUR_SECONDS > self._clock()


def _known(spending: "tuple[tuple[int, float | None], ...] | deque[tuple[int, float | None]]") -> float:
    return round(fsum(usd for _, usd in spending if usd is not None), _DECIMALS)
