"""Judges many events side by side, with patience for a model that is away. Batch and validation stand on it."""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Callable, Iterable
from contextlib import aclosing
from typing import Any, Generic, TypeVar

import structlog

from eval_worker.assessment import AnyEvent
from eval_worker.errors import HANDLER_ERROR, EvalWorkerError, ModelUnavailableError, blamed_on
from eval_worker.evaluation.judges.model import FailureKind, ModelFailure
from eval_worker.evaluator import Evaluator, NoVerdict
from eval_worker.result import Result

log = structlog.get_logger()

Key = TypeVar("Key")
Outcome = Result | NoVerdict

WINDOW = 16  # events taken in for each that is being judged, so that a slow one does not hold up the rest
PATIENCE_SECONDS = 300.0
HOPELESS_SECONDS = 15.0


def _ignore(_key: object, _outcome: Outcome) -> None:
    pass


class BulkEvaluator(Generic[Key]):
    """Holds no more than a window of events, however many there are.

    A failure of the model's is waited out and charged to nobody; one of an event's own is tried `max_tries` times in
    all, after which its stage is unscored; what raises is a bug, and costs no other event its verdict. `on_outcome` is
    called with each outcome the moment that it is known, which in order may be long before its turn.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        *,
        concurrency: int,
        max_tries: int,
        on_outcome: Callable[[Key, Outcome], None] = _ignore,
        patience_seconds: float = PATIENCE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
    ) -> None:
        self._evaluator = evaluator
        self._concurrency = concurrency
        self._max_tries = max_tries
        self._on_outcome = on_outcome
        self._patience_seconds = patience_seconds
        self._clock = clock
        self._sleep = sleep
        self._slots = asyncio.Semaphore(concurrency)
        self._feeding: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[tuple[Key, Outcome]]] = set()
        self._being_judged: set[asyncio.Task[Any] | None] = set()
        self._stopped = False
        self._down_since: float | None = None

    async def judge(
        self, events: "Iterable[tuple[Key, AnyEvent]] | AsyncIterable[tuple[Key, AnyEvent]]", *, in_order: bool
    ) -> AsyncGenerator[tuple[Key, Outcome]]:
        """Yield each event's key and outcome, in the order of the input or as they come.

        A `NoVerdict` here is final: it is the event's own.

        Raises:
            ModelUnavailableError: the model could not be used for `patience_seconds`; much sooner where the reason is
                one that does not pass by itself, such as credentials.
        """
        taken: asyncio.Queue[asyncio.Task[tuple[Key, Outcome]] | None] = asyncio.Queue()
        room = asyncio.Semaphore(self._concurrency * WINDOW)
        feeding = self._feeding = asyncio.create_task(self._feed(_as_async(events), room, taken, in_order=in_order))
        feeding.add_done_callback(lambda _: taken.put_nowait(None))
        unbroken = True
        try:
            while not feeding.done() or self._tasks or not taken.empty():
                task = await taken.get()
                if task is None:
                    continue
                await asyncio.wait([task])
                room.release()
                unbroken = unbroken and not (in_order and task.cancelled())
                if unbroken and not task.cancelled():
                    yield task.result()
            if not self._stopped:
                await feeding  # reading may have failed
        finally:
            for each in (feeding, *self._tasks):
                each.cancel()
            await asyncio.gather(feeding, *self._tasks, return_exceptions=True)

    def stop(self) -> None:
        """Begin no more: `judge` ends when that is done which is being judged now.

        In order, nothing is yielded then beyond the first event that was not judged; `on_outcome` is told.
        """
        self._stopped = True
        if self._feeding:
            self._feeding.cancel()
        for task in self._tasks - self._being_judged:
            task.cancel()

    async def _feed(
        self,
        events: AsyncGenerator[tuple[Key, AnyEvent]],
        room: asyncio.Semaphore,
        taken: "asyncio.Queue[asyncio.Task[tuple[Key, Outcome]] | None]",
        *,
        in_order: bool,
    ) -> None:
        """Begin events while there is room; hand their tasks over in order, or as they are done."""
        await room.acquire()
        async with aclosing(events):
            async for key, event in events:
                task = asyncio.create_task(self._keyed(key, event))
                if in_order:
                    taken.put_nowait(task)
                else:
                    task.add_done_callback(taken.put_nowait)
                self._tasks.add(task)
                task.add_done_callback(self._forget)
                await room.acquire()

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # one that nobody waits for any more would be reported by asyncio

    async def _keyed(self, key: Key, event: AnyEvent) -> tuple[Key, Outcome]:
        outcome = await self._until_settled(str(key), event)
        self._on_outcome(key, outcome)
        return key, outcome

    async def _until_settled(self, name: str, event: AnyEvent) -> Outcome:
        tries = 0
        while True:
            outcome = await self._try(name, event, last_try=tries + 1 >= self._max_tries)
            if isinstance(outcome, Result) or outcome.failure.kind is FailureKind.PERMANENT:
                self._note_answer(outcome)
                return outcome
            tries += outcome.its_own
            if tries >= self._max_tries:
                return outcome
            if self._stopped:
                raise asyncio.CancelledError
            self._check_patience(outcome)
            await self._sleep(min(outcome.retry_after, self._patience_seconds))

    async def _try(self, name: str, event: AnyEvent, *, last_try: bool) -> Outcome:
        task = asyncio.current_task()
        async with self._slots:
            self._being_judged.add(task)
            try:
                return await self._evaluator.evaluate(event, key=name, last_try=last_try)
            except EvalWorkerError:
                raise
            except Exception as bug:  # as in the worker, a bug is charged to the event that shows it
                log.exception("evaluating an event raised; this is a bug", source_id=name)
                return NoVerdict(ModelFailure(FailureKind.PERMANENT, HANDLER_ERROR, blamed_on(bug)))
            finally:
                self._being_judged.discard(task)

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


async def _as_async(
    events: "Iterable[tuple[Key, AnyEvent]] | AsyncIterable[tuple[Key, AnyEvent]]",
) -> AsyncGenerator[Any]:
    if isinstance(events, AsyncIterable):
        async for event in events:
            yield event
    else:
        for event in events:
            yield event
