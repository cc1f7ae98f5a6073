"""`eval-worker validate`: how well the judges agree with people."""

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eval_worker.commands.extras import needs_extra
from eval_worker.commands.judging_options import (
    judge_model_option,
    judges_file_option,
    log_format_option,
    log_level_option,
)
from eval_worker.console.finite_float import FiniteFloat

if TYPE_CHECKING:
    from eval_worker.validation.run import Validation

FILE = click.Path(path_type=Path)


@click.command()
@click.option("--input", "-i", "input_", type=FILE, required=True, metavar="FILE", help="The annotated records.")
@click.option(
    "--correlation-threshold",
    "threshold",
    type=FiniteFloat(-1, 1),
    default=0.3,
    show_default=True,
    help="Kendall's tau-b below which it has failed.",
)
@click.option(
    "--results", type=FILE, metavar="FILE", help="Results of a batch run on these records: no model is asked."
)
@click.option("--output", "-o", type=FILE, metavar="FILE", help="Write a JSON line for each record: label and verdict.")
@click.option("--report", "reports", type=FILE, multiple=True, metavar="FILE", help="A report, .html or .json.")
@click.option("--compare", "compare_with", type=FILE, metavar="JUDGES", help="Do these other judges agree better?")
@click.option("--cache", type=FILE, metavar="FILE", help="Keep judgements here, and ask no model for them again.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the bootstrap.")
@judge_model_option
@judges_file_option
@click.option("--concurrency", "--workers", metavar="N", help="How many records are judged at once. [CONCURRENCY]")
@log_format_option
@log_level_option
def validate(
    *,
    input_: Path,
    threshold: float,
    results: Path | None,
    output: Path | None,
    reports: tuple[Path, ...],
    compare_with: Path | None,
    cache: Path | None,
    seed: int,
    **flags: str | None,
) -> int:
    """Compare the judges' verdicts with people's.

    Records are events with `human_annotation` (pass, review or fail) or `human_scores` by judge (0 to 1), as JSON
    lines, CSV or Parquet. The figures go to stdout as JSON, and as a table to stderr. Exit code 1: Kendall's tau-b is
    under the threshold, or undefined.
    """
    with needs_extra("validation", "eval-worker validate", "scipy", "numpy", "matplotlib", "jinja2"):
        from eval_worker.validation.files import check_files, html_renderer, write_pairs, write_reports
        from eval_worker.validation.run import ValidationPlan
        from eval_worker.validation.run import validate as run_validation

        render_html = html_renderer(reports)
    from eval_worker.console.judging_progress import judging_progress
    from eval_worker.settings import load_settings
    from eval_worker.telemetry.logs import configure_logs

    settings = load_settings(**flags, judge_waves="")  # to measure judges, all of them are asked
    configure_logs(settings.log_format, settings.log_level, settings.secrets)
    plan = ValidationPlan(input_, threshold, seed, results, cache, compare_with)
    check_files(plan, output, reports)
    with judging_progress() as progress:
        validation = asyncio.run(run_validation(plan, settings, progress))
    _show(validation)  # first, as a full disk must not cost what was judged
    if output:
        write_pairs(output, validation.judged.pairs)
    write_reports(reports, validation, render_html)
    return 0 if validation.passed else 1


def _show(validation: "Validation") -> None:
    from eval_worker.validation.document import figures
    from eval_worker.validation.table import error_console, print_bad, print_figures

    document: dict[str, Any] = figures(validation)
    click.echo(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False))
    console = error_console()  # last, as on a terminal the end is what a person sees
    print_bad(console, "record", [*validation.bad_records, *validation.judged.without_verdict])
    print_bad(console, "line of --results", validation.bad_results)
    print_figures(console, document)
