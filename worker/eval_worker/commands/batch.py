"""`eval-worker batch`: judge a file of events."""

import sys
from pathlib import Path

import click

from eval_worker.commands.judging_options import (
    judge_model_option,
    judges_file_option,
    log_format_option,
    log_level_option,
)
from eval_worker.console.finite_float import FiniteFloat

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.option(
    "--input",
    "input_",
    required=True,
    metavar="FILE",
    help="Events: .jsonl, .csv (each also .gz) or .parquet; - is stdin.",
)
@click.option("--output", metavar="FILE", help="Results: .jsonl, .csv or .parquet; - is stdout.")
@click.option("--rejected", type=_FILE, metavar="FILE", help="Lines without a result. [default: OUTPUT.rejected.jsonl]")
@click.option("--summary", type=_FILE, metavar="FILE", help="Counts, means, percentiles, tokens and cost, as JSON.")
@click.option("--as-completed", is_flag=True, help="Write results as they come, not in the order of the input.")
@click.option("--workers", type=click.IntRange(1, 1024), metavar="N", help="Events judged at once. [CONCURRENCY]")
@click.option("--resume", is_flag=True, help="Go on where a run was stopped or killed; without one, begin.")
@click.option("--overwrite", is_flag=True, help="Begin anew, whatever is there.")
@click.option(
    "--fail-under",
    type=FiniteFloat(0, 1),
    metavar="RATE",
    help="Exit 1 if the pass rate is lower: verdicts `pass` / all lines, rejected ones included.",
)
@click.option("--strict", is_flag=True, help="Exit 1 if a line was rejected.")
@click.option(
    "--dry-run", is_flag=True, help="Show every bad line and estimate calls, tokens and cost; judge and write nothing."
)
@judge_model_option
@judges_file_option
@log_format_option
@log_level_option
def batch(
    *,
    input_: str,
    output: str | None,
    rejected: Path | None,
    summary: Path | None,
    as_completed: bool,
    workers: int | None,
    resume: bool,
    overwrite: bool,
    fail_under: float | None,
    strict: bool,
    dry_run: bool,
    **flags: str | None,
) -> None:
    """Judge a file of events.

    Each line gets a result in OUTPUT, or stands in OUTPUT.rejected.jsonl with the reason. A run that was stopped,
    even by kill -9, goes on with --resume: no line is judged twice, none is missing.

    Exit codes: 0 done (lines may have been rejected, see --strict), 1 it failed, is under --fail-under or no line
    could be judged, 2 wrong usage or settings, 130 Ctrl+C.
    """
    if output is None and not dry_run:
        raise click.UsageError("Missing option '--output' (or --dry-run).")

    from eval_worker.doors.batch.batch import run_batch
    from eval_worker.doors.batch.plan import BatchPlan, location
    from eval_worker.settings import load_settings

    settings = load_settings(concurrency=workers, **flags)
    if dry_run or output is None:
        from eval_worker.doors.batch.dry_run import run_dry

        sys.exit(run_dry(location(input_), settings, strict=strict))
    plan = BatchPlan(
        input=location(input_),
        output=location(output),
        rejected=rejected,
        summary=summary,
        in_order=not as_completed,
        resume=resume,
        overwrite=overwrite,
        strict=strict,
        fail_under=fail_under,
    )
    sys.exit(run_batch(plan, settings))
