"""`eval-worker run`: the daemon."""

import click

from eval_worker.commands.judging_options import (
    judge_model_option,
    judges_file_option,
    log_format_option,
    log_level_option,
)
from eval_worker.commands.redis_addr import redis_addr_option, settings_for
from eval_worker.process_exit import leave, leave_on_signals


@click.command()
@click.option("--embedded", is_flag=True, help="Start a Valkey server of our own, on the port that REDIS_ADDR names.")
@click.option("--data-dir", metavar="DIR", help="Where the embedded server keeps its data. [EMBEDDED_DATA_DIR]")
@redis_addr_option
@judge_model_option
@judges_file_option
@click.option("--concurrency", metavar="N", help="How many events are judged at once. [CONCURRENCY]")
@click.option("--metrics-port", metavar="PORT", help="Where /metrics, /healthz and /readyz are. [METRICS_PORT]")
@log_format_option
@log_level_option
def run(embedded: bool, data_dir: str | None, redis_addr: str | None, **flags: str | None) -> None:
    """Judge events from the stream until told to stop.

    SIGTERM or Ctrl+C finishes what is in flight within DRAIN_SECONDS and gives back the rest; a second one stops at
    once. Every setting can be given in the environment or in .env; flags override them.
    """
    leave_on_signals()

    from eval_worker.daemon import run_daemon

    settings = settings_for(redis_addr, embedded_data_dir=data_dir, **flags)
    run_daemon(settings, embedded=embedded)
    leave(0)
