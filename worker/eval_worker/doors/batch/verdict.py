"""What is said at the end of a batch, and the exit code that it leaves with."""

import signal

import click

from eval_worker.doors.batch.plan import BatchPlan
from eval_worker.doors.batch.tally import Tally

FAILED = 1


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


def say_how_it_ended(plan: BatchPlan, tally: Tally, stopped_by: signal.Signals | None) -> None:
    from rich.console import Console  # noqa: PLC0415 (heavy)

    from eval_worker.doors.batch.summary_table import print_summary  # noqa: PLC0415

    print_summary(Console(stderr=True, markup=False, emoji=False, highlight=False), tally)
    for line in _endings(plan, tally, stopped_by):
        click.echo(line, err=True)


def _endings(plan: BatchPlan, tally: Tally, stopped_by: signal.Signals | None) -> list[str]:
    said: list[str] = []
    if tally.rejected and plan.rejected_file is not None:
        said.append(f"{tally.rejected:,} lines were rejected; why is in {plan.rejected_file}")
    if tally.rejected and not tally.all.judged:
        said.append("no line could be judged")
    if stopped_by is not None:
        how = "--resume goes on with it" if plan.is_resumable else "it can't be gone on with"
        said.append(f"stopped by {stopped_by.name} after {tally.lines:,} lines: {how}")
    elif is_below(plan, tally):
        rate = "no line" if tally.pass_rate is None else f"{tally.pass_rate:.4f}"
        passes = f"{tally.all.verdicts['pass']:,} passes in {tally.lines:,} lines"
        said.append(f"the pass rate is {rate} ({passes}), less than --fail-under {plan.fail_under:g}")
    return said
