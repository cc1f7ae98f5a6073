"""Judges many events side by side, with patience for a model that is away. Batch and validation stand on it."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Generic, TypeVar

from eval_worker.errors import ModelUnavailableError
from eval_worker.evaluation.judges.model import FailureKind
from eval_worker.evaluator import Evaluator, NoVerdict
from eval_worker.event import Event
from eval_worker.result import Result

Key = TypeVar("Key")
Outcome = Result | NoVerdict

WINDOW = 16  # events taken in for each that is being judged, so that a slow one does not hold up the rest
PATIENCE_SECONDS = 300.0
HOPELESS_SECONDS = 15.0


class BulkEvaluator(Generic[Key]):
    """Holds no more than a window of events, however many there are.

    A failure of the model's is waited out and charged to nobody; one of an event's own is tried `max_tries` times in
    all, after which its stage is unscored.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        *,
        concurrency: int,
        max_tries: int,
        patience_seconds: float = PATIENCE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
    ) -> None:
        self._evaluator = evaluator
        self._concurrency = concurrency
        self._max_tries = max_tries
        self._patience_seconds = patience_seconds
        self._clock = clock
        self._sleep = sleep
        self._slots = asyncio.Semaphore(concurrency)
        self._down_since: float | None = None

    async def judge(
        self, events: Iterable[tuple[Key, Event]], *, in_order: bool
    ) -> AsyncGenerator[tuple[Key, Outcome]]:
        """Yield each event's key and outcome, in the order of the input or as they come.

        A `NoVerdict` here is final: it is the event's own.

        Raises:
            ModelUnavailableError: the model could not be used for `patience_seconds`; much sooner where the reason is
                one that does not pass by itself, such as credentials.
        """
        source = iter(events)
        tasks = deque(self._start(source, self._concurrency * WINDOW))
        try:
            while tasks:
                done = [tasks.popleft()] if in_order else await _first_done(tasks)
                for task in done:
                    yield await task
                tasks.extend(self._start(source, len(done)))
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _start(self, source: Iterator[tuple[Key, Event]], count: int) -> "list[asyncio.Task[tuple[Key, Outcome]]]":
        return [asyncio.create_task(self._keyed(key, event)) for key, event in islice(source, count)]

    async def _keyed(self, key: Key, event: Event) -> tuple[Key, Outcome]:
        return key, await self._until_settled(str(key), event)

    async def _until_settled(self, name: str, event: Event) -> Outcome:
        tries = 0
        while True:
            async with self._slots:
                outcome = await self._evaluator.evaluate(event, key=name, last_try=tries + 1 >= self._max_tries)
            if isinstance(outcome, Result) or outcome.failure.kind is FailureKind.PERMANENT:
                self._note_answer(outcome)
                return outcome
            tries += outcome.its_own
            if tries >= self._max_tries:
                return outcome
            self._check_patience(outcome)
            await self._sleep(outcome.retry_after)

    def _note_answer(self, outcome: Outcome) -> None:
        if isinstance(outcome, NoVerdict) or not outcome.early_exit:  # an early exit asks nobody
            self._down_since = None

    def _check_patience(self, outcome: NoVerdict) -> None:
        if outcome.its_own:
            return
        now = self._clock()
        self._down_since = now if self._down_since is None else self._down_since
        away = now - self._down_since
        hopeless = outcome.failure.kind is FailureKind.OUTAGE
        if away >= (min(HOPELESS_SECONDS, self._patience_seconds) if hopeless else self._patience_seconds):
            raise ModelUnavailableError(
                f"the judge model could not be used for {away:.0f} s: {outcome.failure.message}"
            )


async def _first_done(tasks: "deque[asyncio.Task[Any]]") -> "list[asyncio.Task[Any]]":
    """Take those out that are done, once one is."""
    done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    ready = [task for task in tasks if task in done]
    for task in ready:
        tasks.remove(task)
    return ready
