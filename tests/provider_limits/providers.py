"""Providers that throttle, each in its way, and workers that call them without end, in virtual time."""

import asyncio
import random
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from eval_worker.evaluation.judges.model import FailureKind, ModelAnswer, ModelFailure, ModelReply, Usage
from eval_worker.provider_limits.line import Line
from eval_worker.provider_limits.pace import Grant
from eval_worker.provider_limits.pace_keeper import PacesInMemory

Clock = Callable[[], float]
REPLY = ModelReply({}, Usage())
THROTTLED = ModelFailure(FailureKind.TRANSIENT, "throttled", "too many requests")
JUDGES = 5
FOR_EVER = 3_600.0


class Provider(ABC):
    """Takes `calls_per_second`, throttles the others at once, and counts both by the time since its start."""

    def __init__(self, clock: Clock, calls_per_second: float, latency: float) -> None:
        self.clock = clock
        self.calls_per_second = calls_per_second
        self.latency = latency
        self.started_at = clock()
        self.taken: list[float] = []
        self.throttled: list[float] = []

    async def call(self) -> ModelAnswer:
        await asyncio.sleep(random.uniform(0.002, 0.012))  # the way there
        took = self.takes_one_more()
        (self.taken if took else self.throttled).append(self.clock() - self.started_at)
        if not took:
            return THROTTLED
        await asyncio.sleep(self.latency * random.uniform(0.8, 1.2))
        return REPLY

    @abstractmethod
    def takes_one_more(self) -> bool: ...

    def used(self, since: float, until: float) -> float:
        """Return the share of what it would have taken."""
        return _within(self.taken, since, until) / (self.calls_per_second * (until - since))

    def throttled_share(self, since: float, until: float) -> float:
        throttled = _within(self.throttled, since, until)
        return throttled / (throttled + _within(self.taken, since, until))


def _within(times: Sequence[float], since: float, until: float) -> int:
    return sum(since <= time < until for time in times)


class TokenBucket(Provider):
    def __init__(self, clock: Clock, calls_per_second: float, latency: float, burst: float) -> None:
        super().__init__(clock, calls_per_second, latency)
        self._burst = self._tokens = burst
        self._filled_at = clock()

    def takes_one_more(self) -> bool:
        now = self.clock()
        self._tokens = min(self._burst, self._tokens + (now - self._filled_at) * self.calls_per_second)
        self._filled_at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class SlidingWindow(Provider):
    def __init__(self, clock: Clock, calls_per_second: float, latency: float) -> None:
        super().__init__(clock, calls_per_second, latency)
        self._window: deque[float] = deque()

    def takes_one_more(self) -> bool:
        while self._window and self._window[0] <= self.clock() - 1:
            self._window.popleft()
        if len(self._window) >= self.calls_per_second:
            return False
        self._window.append(self.clock())
        return True


class FixedWindow(Provider):
    def __init__(self, clock: Clock, calls_per_second: float, latency: float) -> None:
        super().__init__(clock, calls_per_second, latency)
        self._second, self._count = 0, 0

    def takes_one_more(self) -> bool:
        if self._second != int(self.clock()):
            self._second, self._count = int(self.clock()), 0
        self._count += 1
        return self._count <= self.calls_per_second


@dataclass(frozen=True)
class AcrossANetwork:
    """A keeper that all workers share, a millisecond away."""

    paces: PacesInMemory

    async def take(self, model: str, tokens: Sequence[float], spent_beyond: float) -> Grant | None:
        await asyncio.sleep(0.0005)
        grant = await self.paces.take(model, tokens, spent_beyond)
        await asyncio.sleep(0.0005)
        return grant

    async def throttled(self, model: str, given_rate: float | None, taken: float) -> None:
        await asyncio.sleep(0.0005)
        await self.paces.throttled(model, given_rate, taken)

    async def recovered(self, model: str) -> None:
        await self.paces.recovered(model)


async def calling_without_end(provider: Provider, keeper: AcrossANetwork, *, events_at_once: int) -> None:
    """A worker that always has another event, whose judges ask until they are answered."""
    wake = asyncio.Event()
    line = Line(keeper, "a model", provider.clock, lambda _seconds: None, wake.set)
    events: set[asyncio.Task[None]] = set()

    def done(event: asyncio.Task[None]) -> None:
        events.discard(event)
        wake.set()

    try:
        while True:
            while len(events) < events_at_once and line.has_room(coming=0):
                event = asyncio.create_task(_event(provider, line))
                events.add(event)
                event.add_done_callback(done)
                await asyncio.sleep(0)
            wake.clear()
            await wake.wait()
    finally:
        for event in events:
            event.cancel()
        await asyncio.gather(*events, return_exceptions=True)


async def _event(provider: Provider, line: Line) -> None:
    await asyncio.gather(*(_until_answered(provider, line) for _ in range(JUDGES)))


async def _until_answered(provider: Provider, line: Line) -> None:
    attempt = 0
    answer: ModelAnswer = THROTTLED
    while answer is THROTTLED:
        await asyncio.sleep(random.uniform(0, min(4, 0.25 * 2**attempt)) if attempt else 0)
        turn = line.at_once(0.0) or await line.wait(0.0, again=attempt > 0, within=FOR_EVER)
        assert not isinstance(turn, ModelFailure)
        answer = await provider.call()
        turn.ended(answer)
        attempt += 1
