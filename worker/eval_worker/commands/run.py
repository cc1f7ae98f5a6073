"""`eval-worker run`: the daemon."""

import click


@click.command()
@click.option(
    "--embedded", is_flag=True, help="Start a Valkey server of our own on REDIS_ADDR's port, with its data kept."
)
@click.option("--data-dir", metavar="DIR", help="Where the embedded server keeps its data. [EMBEDDED_DATA_DIR]")
@click.option("--redis-addr", metavar="HOST:PORT", help="Where Redis is. [REDIS_ADDR]")
@click.option("--judge-model", metavar="MODEL", help="bedrock or offline. [JUDGE_MODEL]")
@click.option("--judges-file", metavar="FILE", help="Your own judges, laid over the built-in ones. [JUDGES_FILE]")
@click.option("--concurrency", type=int, help="How many events are judged at once. [CONCURRENCY]")
@click.option("--metrics-port", type=int, help="Port of /metrics, /healthz and /readyz. [METRICS_PORT]")
@click.option("--log-format", help="console or json. [LOG_FORMAT]")
@click.option("--log-level", help="debug, info, warning or error. [LOG_LEVEL]")
def run(embedded: bool, data_dir: str | None, redis_addr: str | None, **flags: object) -> None:
    """Judge events from the stream until told to stop.

    SIGTERM or Ctrl+C finishes what is in flight within DRAIN_SECONDS and gives back the rest; a second one stops at
    once. Every setting can be given in the environment or in .env; flags override.
    """
    from eval_worker.daemon import leave, run_daemon
    from eval_worker.settings import load_settings

    if redis_addr is not None:
        flags["redis_url"] = ""
    settings = load_settings(embedded_data_dir=data_dir, redis_addr=redis_addr, **flags)
    run_daemon(settings, embedded=embedded)
    leave(0)
