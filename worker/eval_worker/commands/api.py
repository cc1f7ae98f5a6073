"""`eval-worker api`: the HTTP API."""

import click

from eval_worker.commands.extras import needs_extra
from eval_worker.commands.judging_options import (
    judge_model_option,
    judges_file_option,
    log_format_option,
    log_level_option,
)
from eval_worker.commands.redis_addr import settings_for
from eval_worker.process_exit import leave, leave_on_signals


@click.command()
@click.option("--host", "api_host", metavar="HOST", help="Where to listen; 127.0.0.1 unless told otherwise. [API_HOST]")
@click.option("--port", "eval_agent_api_port", metavar="PORT", help="18081 by default. [EVAL_AGENT_API_PORT]")
@judge_model_option
@judges_file_option
@click.option("--concurrency", metavar="N", help="How many events are judged at once. [CONCURRENCY]")
@click.option(
    "--redis-addr", metavar="HOST:PORT", help="Serve events and results from this Redis; overrides REDIS_URL."
)
@click.option("--dashboard-only", is_flag=True, help="Serve the live page and its data alone; needs no judge model.")
@log_format_option
@log_level_option
def api(redis_addr: str | None, *, dashboard_only: bool, **flags: str | None) -> None:
    """Judge answers that come over HTTP, until told to stop.

    / is a live page of the results, /docs describes every route. Without a Redis address, events and results are not
    served. SIGTERM or Ctrl+C finishes what is in flight within DRAIN_SECONDS; a second one stops at once.
    """
    leave_on_signals()

    with needs_extra("api", "the HTTP API", "fastapi", "fastapi_offline", "uvicorn", "starlette", "h11"):
        from eval_worker.doors.http_api.server import run_api, run_dashboard

    run = run_dashboard if dashboard_only else run_api
    run(settings_for(redis_addr, **flags))
    leave(0)
