"""Where paces are kept: in this process, or for all workers in Redis."""

from collections.abc import Callable, Sequence
from typing import Protocol

from eval_worker.provider_limits.pace import Grant, Pace, Quotas


class PaceKeeper(Protocol):
    """Each model's pace, for all who share it. `Pace` says what the arguments mean."""

    async def take(self, model: str, tokens: Sequence[float], spent_beyond: float) -> Grant | None: ...

    async def throttled(self, model: str, given_rate: float | None, taken: float) -> None: ...

    async def recovered(self, model: str) -> None: ...


class PacesInMemory:
    """The paces of a process that has no Redis."""

    def __init__(self, quotas: Quotas, clock: Callable[[], float]) -> None:
        self._quotas = quotas
        self._clock = clock
        self._paces: dict[str, Pace] = {}

    async def take(self, model: str, tokens: Sequence[float], spent_beyond: float) -> Grant | None:
        return self._of(model).take(self._clock(), tokens, spent_beyond)

    async def throttled(self, model: str, given_rate: float | None, taken: float) -> None:
        self._of(model).throttled(self._clock(), given_rate, taken)

    async def recovered(self, model: str) -> None:
        self._of(model).recovered(self._clock())

    def _of(self, model: str) -> Pace:
        return self._paces.setdefault(model, Pace(self._quotas))
