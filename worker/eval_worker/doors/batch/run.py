"""Judges a file of events: read -> decode -> judge -> place, and count."""

import asyncio
import signal
from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from typing import Protocol

from eval_worker.assessment import AnyEvent
from eval_worker.bulk import PATIENCE_SECONDS, BulkEvaluator, Outcome
from eval_worker.doors.batch.places import Places
from eval_worker.doors.batch.records import Line, LineResult, Rejection
from eval_worker.doors.batch.rows_in_thread import rows_in_thread
from eval_worker.doors.batch.tally import Tally
from eval_worker.errors import HANDLER_ERROR, MalformedEventError
from eval_worker.evaluation.judges.model import FailureKind
from eval_worker.evaluator import Evaluator, NoVerdict
from eval_worker.event import decode_event
from eval_worker.process_exit import leave
from eval_worker.tables.reading import Row


class Progress(Protocol):
    """Shows a person how far it is."""

    def update(self, tally: Tally) -> None: ...

    def say(self, message: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Limits:
    """How many at once, how large, how often; how long after a signal, and without a model."""

    workers: int
    max_bytes: int
    max_tries: int
    drain_seconds: float
    patience_seconds: float = PATIENCE_SECONDS


class BatchRun:
    """One run over one input. `stopped_by` is the signal that ended it early."""

    def __init__(self, evaluator: Evaluator, places: Places, tally: Tally, progress: Progress, limits: Limits) -> None:
        self._places = places
        self._tally = tally
        self._progress = progress
        self._limits = limits
        self._bulk: BulkEvaluator[Line] = BulkEvaluator(
            evaluator,
            concurrency=limits.workers,
            max_tries=limits.max_tries,
            on_outcome=self._place,
            patience_seconds=limits.patience_seconds,
        )
        self.stopped_by: signal.Signals | None = None

    async def run(self, rows: Iterator[Row], *, rows_at_once: int, in_order: bool) -> None:
        """Give every line its place.

        Raises:
            ModelUnavailableError: the model stayed away; what was judged has its place.
            EvalWorkerError: a file can't be read or written any further.
        """
        events = self._events(rows_in_thread(rows, at_once=rows_at_once))
        try:
            async with asyncio.timeout(None) as limit, aclosing(self._bulk.judge(events, in_order=in_order)) as judged:
                with self._stopping_on_signals(limit):
                    async for line, _ in judged:
                        self._places.results.turn(line.number)
        except TimeoutError:
            if self.stopped_by is None:
                raise
        if self.stopped_by is None:
            self._places.results.finish()

    async def _events(self, rows: AsyncGenerator[Row]) -> AsyncGenerator[tuple[Line, AnyEvent]]:
        """Yield what is to be judged; what can't be has its place at once."""
        async with aclosing(rows):
            async for row in rows:
                if row.number in self._places.done:
                    continue
                line = Line(row.number, row.raw, row.truncated)
                try:
                    event = decode_row(row, max_bytes=self._limits.max_bytes)
                except MalformedEventError as error:
                    self._reject(line, error.field, str(error))
                    continue
                self._places.results.taken(line.number)
                yield line, event

    def _place(self, line: Line, outcome: Outcome) -> None:
        if isinstance(outcome, NoVerdict):
            self._reject(line, None, _why(outcome))
            return
        record = LineResult.of(line.number, outcome).as_json()
        self._places.results.known(line.number, record, paid=outcome.usage.llm_calls > 0)
        self._tally.add(outcome)
        self._progress.update(self._tally)

    def _reject(self, line: Line, field: str | None, reason: str) -> None:
        self._places.rejected.append(Rejection.of(line, field, reason).as_json())
        self._tally.reject(field)
        self._progress.update(self._tally)

    @contextmanager
    def _stopping_on_signals(self, limit: asyncio.Timeout) -> Generator[None]:
        """The first signal finishes what is being judged; a second one ends the process at once."""
        loop = asyncio.get_running_loop()

        def on_signal(number: signal.Signals) -> None:
            if self.stopped_by is not None:
                leave(128 + number)
            self.stopped_by = number
            self._progress.say("stopping: what is being judged is finished; once more to leave at once")
            self._bulk.stop()
            limit.reschedule(loop.time() + self._limits.drain_seconds)

        signals = (signal.SIGINT, signal.SIGTERM)
        for number in signals:
            loop.add_signal_handler(number, on_signal, number)
        try:
            yield
        finally:
            for number in signals:
                loop.remove_signal_handler(number)


def decode_row(row: Row, *, max_bytes: int) -> AnyEvent:
    """Read the row's event.

    Raises:
        MalformedEventError: naming the field and what is wrong with it.
    """
    if row.problem is not None:
        raise MalformedEventError("payload", row.problem)
    return decode_event(row.payload, max_bytes=max_bytes)


def _why(outcome: NoVerdict) -> str:
    if outcome.failure.code == HANDLER_ERROR:
        return outcome.failure.message
    own = outcome.failure.kind is not FailureKind.PERMANENT
    how = "the judges failed on every try" if own else "every judge failed"
    return f"{how}: {outcome.failure.message}"
