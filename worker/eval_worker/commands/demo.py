"""`eval-worker demo`: the main job, once, on sample events."""

import click

from eval_worker.console.terminal import make_console


@click.command(short_help="Judge a dozen sample events on a server of its own.")
@click.option(
    "--judge-model",
    default="offline",
    show_default=True,
    metavar="MODEL",
    help="bedrock, offline, or langchain:CLASS_PATH with its parameters in JUDGE_MODEL_PARAMS.",
)
@click.option("--json", "as_json", is_flag=True, help="The results and dead letters as JSON lines, and no table.")
def demo(judge_model: str, as_json: bool) -> None:
    """Start a server and a worker, send a dozen sample events, show what became of each, and stop."""
    import asyncio

    from eval_worker.console.demo_table import print_outcomes
    from eval_worker.daemon import leave
    from eval_worker.demo import run_demo, sample_events
    from eval_worker.embedded import EmbeddedServer
    from eval_worker.settings import load_settings
    from eval_worker.telemetry.logs import configure_logs

    settings = load_settings(judge_model=judge_model)
    # The table is the news; the daemon's log has the rest.
    configure_logs(settings.log_format, "error", settings.secrets)
    with EmbeddedServer.on_socket() as server:
        outcomes = asyncio.run(run_demo(settings, server.url))
    if as_json:
        for outcome in outcomes:
            click.echo(outcome.as_json())
    else:
        print_outcomes(make_console(), outcomes, settings.judge_model)
    leave(0 if len(outcomes) == len(sample_events()) else 1)
