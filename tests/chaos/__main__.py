"""`python -m tests.chaos --seed 1 --minutes 10 --events 20000`, or `make chaos`."""

import asyncio
import secrets
import sys
import tempfile
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from tests.chaos.faults import fault_kinds
from tests.chaos.report import show
from tests.chaos.run import Options, run_chaos


@click.command()
@click.option("--seed", type=int, help="Repeats the events and faults of an earlier run.")
@click.option("--minutes", type=click.FloatRange(min=0.1), default=2.0, show_default=True)
@click.option("--events", type=click.IntRange(min=1), default=4_000, show_default=True)
@click.option("--workers", type=click.IntRange(min=1), default=4, show_default=True)
@click.option("--faults-per-minute", type=click.FloatRange(min=0), default=12.0, show_default=True)
@click.option("--only", multiple=True, type=click.Choice(list(fault_kinds(1))), help="Faults of this kind; repeatable.")
@click.option("--directory", type=click.Path(path_type=Path), help="Where logs and data are kept; a new directory.")
def main(seed: int | None, minutes: float, directory: Path | None, **options: Any) -> None:
    """Judge events while workers, server and model fail; end with 1 if any was lost, doubled or judged otherwise."""
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    directory = directory or Path(tempfile.mkdtemp(prefix="chaos-"))
    directory.mkdir(parents=True, exist_ok=True)
    console, progress = Console(), Console(stderr=True, highlight=False)
    progress.print(f"seed {seed}; logs in {directory}")
    account = asyncio.run(run_chaos(Options(seed, minutes * 60, **options), directory, progress.print))
    console.print(f"Chaos run, seed {seed}: {minutes:g} minutes of faults")
    show(account, console)
    sys.exit(1 if account.problems() else 0)


main()
