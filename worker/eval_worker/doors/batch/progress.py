"""How far a batch is: a bar on a terminal, else a plain line now and then. Both on stderr."""

import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from eval_worker.console.terminal import duration, printable

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from eval_worker.doors.batch.tally import Tally

SECONDS_BETWEEN_LINES = 10.0
SECONDS_BETWEEN_UPDATES = 0.1


def cost(usd: float | None) -> str:
    return "" if usd is None else f"${usd:,.2f}" if usd >= 1 else f"${usd:.4f}"


class Pace:
    """How fast this run is, and how long the rest takes. What an earlier run did counts for nothing."""

    def __init__(self, clock: Callable[[], float], total: int | None, done_before: int) -> None:
        self._clock = clock
        self._begun = clock()
        self._total = total
        self._done_before = done_before

    @property
    def seconds(self) -> float:
        return self._clock() - self._begun

    def rate(self, done: int) -> float:
        return (done - self._done_before) / self.seconds if self.seconds > 0 else 0.0

    def seconds_left(self, done: int) -> float | None:
        rate = self.rate(done)
        return max(self._total - done, 0) / rate if self._total is not None and rate > 0 else None

    def describe(self, done: int, cost_usd: float | None) -> str:
        """Say it in one line: `12,000 of 100,000 lines (12%), 850/s, 2m left, $0.12`."""
        of_all = "" if self._total is None else f" of {self._total:,}"
        share = f" ({done / self._total:.0%})" if self._total else ""
        parts = [f"{done:,}{of_all} lines{share}", *self.details(done, cost_usd)]
        return ", ".join(parts)

    def details(self, done: int, cost_usd: float | None) -> list[str]:
        rate = self.rate(done)
        left = self.seconds_left(done)
        details = [f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s"]  # noqa: PLR2004 (two digits will do)
        details += [f"{duration(left)} left"] if left is not None else []
        return details + ([cost(cost_usd)] if cost_usd is not None else [])


class PlainProgress:
    """A line every ten seconds, for logs."""

    def __init__(self, pace: Pace, clock: Callable[[], float] = time.monotonic) -> None:
        self._pace = pace
        self._clock = clock
        self._said_at = clock()

    def update(self, tally: "Tally") -> None:
        if self._clock() - self._said_at >= SECONDS_BETWEEN_LINES:
            self._said_at = self._clock()
            self.say(self._pace.describe(tally.lines, tally.cost_usd))

    def say(self, message: str) -> None:
        print(printable(message), file=sys.stderr, flush=True)  # noqa: T201 (stderr as it is now)


class BarProgress:
    """A bar with rate, time left and cost so far."""

    def __init__(
        self, bar: "Progress", task: "TaskID", pace: Pace, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._bar = bar
        self._task = task
        self._pace = pace
        self._clock = clock
        self._shown_at = -SECONDS_BETWEEN_UPDATES

    def update(self, tally: "Tally") -> None:
        if self._clock() - self._shown_at >= SECONDS_BETWEEN_UPDATES:
            self._shown_at = self._clock()
            self.show(tally)

    def show(self, tally: "Tally") -> None:
        details = "  ".join(self._pace.details(tally.lines, tally.cost_usd))
        self._bar.update(self._task, completed=tally.lines, details=details)

    def say(self, message: str) -> None:
        self._bar.console.print(printable(message), markup=False, highlight=False)


@contextmanager
def showing_progress(total: int | None, tally: "Tally") -> Generator[PlainProgress | BarProgress]:
    pace = Pace(time.monotonic, total, tally.lines)
    if not sys.stderr.isatty():
        yield PlainProgress(pace)
        return
    from rich.console import Console  # noqa: PLC0415 (only where a person looks)
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # noqa: PLC0415

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[details]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        progress = BarProgress(bar, bar.add_task("", total=total, details=""), pace)
        yield progress
        progress.show(tally)
