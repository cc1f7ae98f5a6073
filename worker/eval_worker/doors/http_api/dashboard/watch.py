"""One reader of the streams for all who look at the page: many browsers cost Redis no more than one."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eval_worker.stream.cancellation import cancel_and_wait
from eval_worker.wiring.observed_streams import ObservedStreams

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from eval_worker.dashboard.facts import ResultFacts
    from eval_worker.settings import Settings
    from eval_worker.stream.backlog import Backlog

POLL_SECONDS = 1.0
IDLE_SECONDS = 60.0
FIRST_LOOK_SECONDS = 0.3  # a viewer waits so long for the first figures; then what is there is shown


@dataclass(frozen=True, slots=True)
class Sight:
    """What is known of the streams. `problem` says why Redis can't be used; then the rest is from before."""

    facts: "tuple[ResultFacts, ...]"
    entries: int
    reaches_back: bool
    changes: int
    backlog: "Backlog | None"
    problem: str | None


class Watch:
    """Begins with the first viewer, ends a minute after the last one, and then forgets what it read."""

    def __init__(self, client: "Redis", settings: "Settings", clock: Callable[[], float] = time.monotonic) -> None:
        self._streams = ObservedStreams(client, settings)
        self._clock = clock
        self._task: asyncio.Task[None] | None = None
        self._read_once = asyncio.Event()
        self._seen = 0.0
        self._facts: tuple[int, tuple[ResultFacts, ...]] = (-1, ())

    @property
    def is_reading(self) -> bool:
        return self._task is not None and not self._task.done()

    async def look(self) -> Sight:
        """Show what is known, and go on reading for a while."""
        self._seen = self._clock()
        if self._task is None or self._task.done():
            self._begin()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._read_once.wait(), FIRST_LOOK_SECONDS)
        streams = self._streams
        results = streams.results
        if self._facts[0] != results.changes:
            self._facts = (results.changes, tuple(results.facts))
        return Sight(
            self._facts[1], results.entries, results.reaches_back, results.changes, streams.backlog, streams.problem
        )

    async def close(self) -> None:
        if self._task is not None:
            await cancel_and_wait([self._task])

    def _begin(self) -> None:
        if self._task is not None and not self._task.cancelled() and (bug := self._task.exception()):
            self._task = None
            raise bug
        self._read_once.clear()
        self._task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        while self._clock() - self._seen < IDLE_SECONDS:
            await self._streams.read()
            self._read_once.set()
            await asyncio.sleep(POLL_SECONDS)
        self._streams.forget()
