"""`eval-worker mcp`: the tools for assistants."""

import sys

import click

from eval_worker.commands.extras import needs_extra
from eval_worker.commands.judging_options import (
    judge_model_option,
    judges_file_option,
    log_format_option,
    log_level_option,
)
from eval_worker.process_exit import leave, leave_on_signals

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 18_082
HIGHEST_PORT = 65_535


@click.command(short_help="Offer evaluation as tools to assistants.")
@click.option("--http", is_flag=True, help="Serve streamable HTTP instead of stdin and stdout.")
@click.option("--host", help=f"Where --http listens.  [default: {DEFAULT_HOST}]")
@click.option(
    "--port", type=click.IntRange(0, HIGHEST_PORT), help=f"Its port; 0 takes a free one.  [default: {DEFAULT_PORT}]"
)
@click.option(
    "--allowed-host",
    "allowed_hosts",
    multiple=True,
    metavar="NAME",
    help="Another name by which clients reach --http, a proxy's for one; may be repeated.",
)
@judge_model_option
@judges_file_option
@click.option("--concurrency", metavar="N", help="How many answers are judged at once. [CONCURRENCY]")
@log_format_option
@log_level_option
def mcp(http: bool, host: str | None, port: int | None, allowed_hosts: tuple[str, ...], **flags: str | None) -> None:
    """Offer evaluation as tools to assistants, over the Model Context Protocol.

    Clients start it by themselves and speak to it over stdin and stdout; --http serves many of them, on /mcp.
    """
    if not http and (host is not None or port is not None or allowed_hosts):
        raise click.UsageError("--host, --port and --allowed-host need --http")
    leave_on_signals()

    from eval_worker.settings import load_settings

    settings = load_settings(**flags)
    with needs_extra("mcp", "eval-worker mcp", "mcp", "mcp_types", "anyio", "uvicorn", "starlette"):
        from eval_worker.doors.mcp_server.listener import Listener
        from eval_worker.doors.mcp_server.run import run_over_http, run_over_stdio

    if http:
        run_over_http(settings, Listener(host or DEFAULT_HOST, DEFAULT_PORT if port is None else port, allowed_hosts))
    else:
        if sys.stdin.isatty():
            click.echo("A client starts this and speaks JSON-RPC on stdin; Ctrl+C leaves. See docs/mcp.md.", err=True)
        run_over_stdio(settings)
    leave(0)
