"""Puts results into the output: as they come, or each in its turn."""

from collections import deque
from collections.abc import Mapping
from typing import Protocol

from eval_worker.doors.batch.line_files import LineWriter
from eval_worker.doors.batch.progress_file import ProgressFile


class Placing(Protocol):
    """How results find their place in the output."""

    def taken(self, number: int) -> None:
        """A line was taken in and will be judged."""
        ...

    def known(self, number: int, record: bytes, *, paid: bool) -> None:
        """Its result is known. `paid` says that a model was asked for it."""
        ...

    def turn(self, number: int) -> None:
        """All lines before it have their place. Called in order, also for those that were rejected."""
        ...

    def finish(self) -> None:
        """There is no line left to be judged."""
        ...


class AsCompleted:
    """Puts each result into the output the moment it is known."""

    def __init__(self, output: LineWriter) -> None:
        self._output = output

    def taken(self, number: int) -> None:
        pass

    def known(self, number: int, record: bytes, *, paid: bool) -> None:
        del number, paid
        self._output.append(record)

    def turn(self, number: int) -> None:
        pass

    def finish(self) -> None:
        pass


class InOrder:
    """Keeps what is known before its turn, in memory and in the progress file, until those before it are done.

    `waiting` are the results that a killed run left in that file.
    """

    def __init__(self, output: LineWriter, progress: ProgressFile | None, waiting: Mapping[int, bytes]) -> None:
        self._output = output
        self._progress = progress
        self._waiting = dict(waiting)
        self._left = deque(sorted(waiting))
        self._taken: deque[int] = deque()

    def taken(self, number: int) -> None:
        self._taken.append(number)

    def known(self, number: int, record: bytes, *, paid: bool) -> None:
        self._waiting[number] = record
        is_next = self._taken[0] == number
        if self._progress is not None and paid and not is_next:
            self._progress.keep(record)
            if self._progress.is_large:
                self._progress.rewrite(self._waiting.values())

    def turn(self, number: int) -> None:
        self._taken.popleft()
        self._write_left_until(number)
        record = self._waiting.pop(number, None)
        if record is not None:
            self._output.append(record)

    def finish(self) -> None:
        self._write_left_until(None)
        if self._progress is not None:
            self._progress.rewrite(())

    def _write_left_until(self, number: int | None) -> None:
        while self._left and (number is None or self._left[0] < number):
            self._output.append(self._waiting.pop(self._left.popleft()))
