"""What is said at the end of a batch, and the exit code that it leaves with."""

import signal
from dataclasses import dataclass
from typing import Any

import click

from eval_worker.console.counted import counted
from eval_worker.console.terminal import duration
from eval_worker.doors.batch.plan import BatchPlan
from eval_worker.doors.batch.tally import Tally

FAILED = 1
_MINUTE = 60


@dataclass(frozen=True, slots=True)
class ThisRun:
    """What this run did, where others went before it."""

    lines: int
    seconds: float
    resumed: bool

    @property
    def lines_per_second(self) -> float | None:
        return round(self.lines / self.seconds, 1) if self.seconds > 0 else None

    def as_document(self) -> dict[str, Any]:
        return {
            "resumed": self.resumed,
            "lines": self.lines,
            "duration_seconds": round(self.seconds, 3),
            "lines_per_second": self.lines_per_second,
        }

    def describe(self) -> str:
        lines = f"{counted(self.lines, 'line')} in this run, " if self.resumed else ""
        took = duration(self.seconds) if self.seconds >= _MINUTE else f"{self.seconds:.1f}s"
        return f"{lines}{took}, {self.lines_per_second or 0:,.0f}/s"


def exit_code(plan: BatchPlan, tally: Tally, stopped_by: signal.Signals | None) -> int:
    """0 it is done; 1 it failed by what was asked of it, or nothing could be judged; 128 + the signal."""
    if stopped_by is not None:
        return 128 + stopped_by
    if is_below(plan, tally) or (tally.rejected and (plan.strict or not tally.all.judged)):
        return FAILED
    return 0


def is_below(plan: BatchPlan, tally: Tally) -> bool:
    """An input without a line has no pass rate, which is below any that was asked for."""
    return plan.fail_under is not None and (tally.pass_rate is None or tally.pass_rate < plan.fail_under)


def say_how_it_ended(plan: BatchPlan, tally: Tally, this_run: ThisRun, stopped_by: signal.Signals | None) -> None:
    """Say it on stderr; a plan that is `quiet` leaves it to whoever made it."""
    if plan.quiet:
        return
    from rich.console import Console  # noqa: PLC0415 (heavy)

    from eval_worker.doors.batch.summary_table import print_summary  # noqa: PLC0415

    print_summary(Console(stderr=True, markup=False, emoji=False, highlight=False), tally, this_run.describe())
    for line in _endings(plan, tally, stopped_by):
        click.echo(line, err=True)


def _endings(plan: BatchPlan, tally: Tally, stopped_by: signal.Signals | None) -> list[str]:
    said: list[str] = []
    if tally.rejected and plan.rejected_file is not None:
        lines = "1 line was" if tally.rejected == 1 else f"{tally.rejected:,} lines were"
        said.append(f"{lines} rejected; why is in {plan.rejected_file}")
    if tally.rejected and not tally.all.judged:
        said.append("no line could be judged")
    if stopped_by is not None:
        how = "--resume goes on with it" if plan.is_resumable else "it can't be gone on with"
        said.append(f"stopped by {stopped_by.name} after {counted(tally.lines, 'line')}: {how}")
    elif is_below(plan, tally):
        rate = "no line" if tally.pass_rate is None else f"{tally.pass_rate:.4f}"
        passes = f"`pass` for {tally.all.verdicts['pass']:,} of {counted(tally.lines, 'line')}"
        said.append(f"the pass rate is {rate} ({passes}), less than --fail-under {plan.fail_under:g}")
    return said
