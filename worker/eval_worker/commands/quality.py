"""`eval-worker quality`: how good the judging is on answers that people labelled."""

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

if TYPE_CHECKING:
    from eval_worker.quality.run import QualityPlan
    from eval_worker.settings import Settings

_PATH = click.Path(path_type=Path)


@click.command(short_help="Measure the judging on labelled answers.")
@click.argument("data", nargs=-1, required=True, type=_PATH, metavar="DATA...")
@click.option("--output", "-o", type=_PATH, metavar="FILE", help="Write the figures there. [default: stdout]")
@click.option("--markdown", type=_PATH, metavar="FILE", help="Write the tables between the markers of this page.")
@click.option("--results", type=_PATH, metavar="DIR", help="Keep results here, and ask no model for them again.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the bootstrap.")
@judge_model_option
@judges_file_option
@click.option("--concurrency", "--workers", metavar="N", help="How many records are judged at once. [CONCURRENCY]")
@log_format_option
@log_level_option
def quality(
    *, data: tuple[Path, ...], output: Path | None, markdown: Path | None, results: Path | None, seed: int, **flags: Any
) -> None:
    """Measure the judging on labelled answers, beside baselines that need no judge.

    DATA are files or folders of JSON lines: events with `human` {judge: 0 to 1, or overall}, `group` (the source item),
    and `pair` {id, preferred, judge} where people chose between two answers. The figures go to stdout as JSON, and as
    tables to stderr.
    """
    with needs_extra("validation", "eval-worker quality", "scipy", "numpy"):
        from eval_worker.quality.run import QualityPlan
    from eval_worker.quality.files import check_files
    from eval_worker.settings import load_settings

    check_files(output, markdown, data)
    # To measure judges all of them are asked, each time: what it takes is measured, too.
    settings = load_settings(**flags, judge_waves="", judgement_cache_seconds=0)
    _measure(QualityPlan(data, seed, results), settings, output, markdown)


def _measure(plan: "QualityPlan", settings: "Settings", output: Path | None, markdown: Path | None) -> None:
    from eval_worker.quality.document import figures
    from eval_worker.quality.markdown import write_page
    from eval_worker.quality.run import measure_quality
    from eval_worker.quality.table import print_figures
    from eval_worker.validation.files import write_text
    from eval_worker.validation.table import error_console, print_bad

    measured = measure_quality(plan, settings, lambda message: click.echo(message, err=True))
    document = figures(measured)
    text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    if output is None:
        click.echo(text)
    console = error_console()  # before files are written: a full disk must not cost what was judged
    for each in measured.data_sets:
        print_bad(console, f"{each.data_set.path}, line", each.without_verdict)
    print_figures(console, document)
    if output is not None:
        write_text(output, text + "\n")
    if markdown is not None:
        write_page(markdown, document)
