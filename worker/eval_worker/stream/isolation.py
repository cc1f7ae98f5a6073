"""What the lanes of one process know of each other: whether all others are quiet while one runs an entry alone."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import Protocol


class Isolated(Protocol):
    """A lane, as the others see it."""

    @property
    def quiet(self) -> bool:
        """Whether it holds no entry, nor reads one at this moment."""
        ...

    @property
    def in_trouble(self) -> bool:
        """Whether its Redis does not answer."""
        ...


class Isolation:
    """A poison event ends the process, whichever lane it came by, and would be charged to what the others hold.

    A lane whose Redis is away can't let go of what it holds. Nobody runs alone as long as that is so: suspects wait,
    and everything else goes on. That holds for the lane that would run alone as well, where it has others.
    """

    def __init__(self) -> None:
        self._lanes: list[Isolated] = []
        self._holder: Isolated | None = None
        self._over = asyncio.Event()

    def join(self, lane: Isolated) -> None:
        self._lanes.append(lane)

    @property
    def possible(self) -> bool:
        return len(self._lanes) == 1 or all(each.quiet or not each.in_trouble for each in self._lanes)

    def others_are_quiet(self, lane: Isolated) -> bool:
        return all(other.quiet for other in self._others(lane))

    @contextmanager
    def held_by(self, lane: Isolated) -> Generator[None]:
        """Have the others read nothing more. What they hold they finish."""
        self._holder = lane
        self._over.clear()
        try:
            yield
        finally:
            self._holder = None
            self._over.set()

    def is_held_against(self, lane: Isolated) -> bool:
        return self._holder is not None and self._holder is not lane

    async def over(self, within: float) -> None:
        """Wait until nobody runs alone any more, at most so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within):
                await self._over.wait()

    def _others(self, lane: Isolated) -> list[Isolated]:
        return [other for other in self._lanes if other is not lane]
