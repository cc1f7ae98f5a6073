"""`eval-worker agentic`: how reliably an agent gets whole conversations right."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eval_worker.commands.judging_options import judge_model_option, log_format_option, log_level_option
from eval_worker.console.finite_float import FiniteFloat

if TYPE_CHECKING:
    from eval_worker.agentic.config import AgenticConfig
    from eval_worker.doors.conversation_files.judging import JudgedConversations
    from eval_worker.doors.conversation_files.reading import ConversationFile
    from eval_worker.settings import Settings

_FILE = click.Path(dir_okay=False, path_type=Path)
_SHARE = FiniteFloat(0, 1)
_WITHIN = FiniteFloat(0, 1, min_open=True, max_open=True)
_INTERVALS = click.Choice(["wilson", "clopper-pearson"])


@click.command(short_help="Judge whole conversations: pass@k, pass^k, tools.")
@click.option(
    "--input",
    "-i",
    "input_",
    required=True,
    metavar="FILE",
    help='A JSON list of datasets, {"datasets": [...], "config": {...}}, or a dataset a line; - is stdin.',
)
@click.option("--k", type=click.IntRange(1, 1_000_000), help="Attempts that pass@k and pass^k speak of. [default: 3]")
@click.option("--threshold", type=_SHARE, help="The score from which on an answer is correct. [default: 0.7]")
@click.option(
    "--tool-threshold",
    type=_SHARE,
    help="The score from which on tools are correct. [default: 0.75, as in requests; in the Python library it is 1.0]",
)
@click.option("--require-tools", is_flag=True, help="Where the tools are wrong the interaction is, too.")
@click.option("--bayesian", is_flag=True, help="Posterior means and intervals, from a uniform prior.")
@click.option("--interval", type=_INTERVALS, help="Intervals for the figures that c/n gives.")
@click.option("--level", type=_WITHIN, help="Of the intervals. [default: 0.95]")
@click.option("--by-question", is_flag=True, help="Show the questions that were answered more than once.")
@click.option("--verbose", "-v", is_flag=True, help="Show each interaction with the judge's reason.")
@click.option("--json", "as_json", is_flag=True, help="The documented response as JSON, and no table.")
@click.option("--output", "-o", type=_FILE, metavar="FILE", help="Write the documented response here, too.")
@judge_model_option
@click.option("--concurrency", "--workers", metavar="N", help="How many interactions are judged at once. [CONCURRENCY]")
@log_format_option
@log_level_option
def agentic(
    *,
    input_: str,
    by_question: bool,
    verbose: bool,
    as_json: bool,
    output: Path | None,
    judge_model: str | None,
    concurrency: str | None,
    log_format: str | None,
    log_level: str | None,
    **criteria: Any,
) -> int:
    """Judge whole conversations: pass@k, pass^k and tool correctness.

    A conversation is correct if each of its answers says what its ground_truth_assistant says. Flags override the
    config in the file. Exit codes: 0 done, 1 it failed or no conversation could be judged, 2 wrong usage, settings or
    input, 130 Ctrl+C.
    """
    if criteria["bayesian"] and criteria["interval"]:
        raise click.UsageError("--bayesian and --interval are two ways to the same figures: choose one.")
    if as_json and (by_question or verbose):
        raise click.UsageError("--json has all questions and reasons: leave out --by-question and --verbose.")

    from eval_worker.doors.conversation_files.chosen import chosen_config
    from eval_worker.doors.conversation_files.reading import location, read_conversation_file
    from eval_worker.doors.conversation_files.writing import check_output, write_response
    from eval_worker.settings import load_settings
    from eval_worker.telemetry.logs import configure_logs

    settings = load_settings(
        judge_model=judge_model, concurrency=concurrency, log_format=log_format, log_level=log_level
    )
    configure_logs(settings.log_format, settings.log_level, settings.secrets)
    if output:
        check_output(output, location(input_))
    given = read_conversation_file(location(input_))
    config = chosen_config(given.config, **criteria)
    judged = _judge(given, config, settings)
    _show(judged, as_json=as_json, by_question=by_question, verbose=verbose or config.verbose)
    if output:
        write_response(output, judged.report)
    return 0 if judged.report.aggregated.total_conversations else 1


def _judge(given: "ConversationFile", config: "AgenticConfig", settings: "Settings") -> "JudgedConversations":
    from eval_worker.console.judging_progress import judging_progress
    from eval_worker.doors.conversation_files.judging import judge_conversations

    criteria = config.as_criteria()
    if given.has_connector:
        click.echo("the file's connector is not used: --judge-model says who judges", err=True)
    with judging_progress() as progress:
        return asyncio.run(judge_conversations(given.datasets, criteria, settings, progress))


def _show(judged: "JudgedConversations", *, as_json: bool, by_question: bool, verbose: bool) -> None:
    if as_json:
        from eval_worker.doors.conversation_files.writing import as_json as response

        click.echo(response(judged.report))
    else:
        from eval_worker.console.agentic_report import print_report
        from eval_worker.console.terminal import make_console

        print_report(make_console(), judged, by_question=by_question, verbose=verbose)
    if judged.unjudged is not None:
        click.echo(judged.unjudged, err=True)
