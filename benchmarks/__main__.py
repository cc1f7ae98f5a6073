"""`python -m benchmarks [NAME…]`: measure the worker next to what the machine, the provider and others allow."""

import json
from collections.abc import Iterator
from pathlib import Path

import click

from benchmarks.bench import Effort, opened
from benchmarks.figures import Figure
from benchmarks.machine import machine
from benchmarks.measurements import ALL, MEASUREMENTS
from benchmarks.page import check_page, write_page
from benchmarks.report import document, markdown, plain
from eval_worker.console.finite_float import FiniteFloat

_QUICK = Effort(seconds=0.3, repeat=1, quick=True)


@click.command()
@click.argument("names", nargs=-1, type=click.Choice([*ALL]))
@click.option("--seconds", type=FiniteFloat(min=0, min_open=True), help="How long a sample lasts. [3]")
@click.option("--repeat", type=click.IntRange(min=1), help="How many samples of everything, by turns. [5]")
@click.option("--quick", is_flag=True, help="One short sample of everything: whether it works, not how fast.")
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path), help="Every sample goes there.")
@click.option("--markdown", "page", type=click.Path(dir_okay=False, path_type=Path), help="The page with the tables.")
def main(
    *,
    names: tuple[str, ...],
    seconds: float | None,
    repeat: int | None,
    quick: bool,
    json_file: Path | None,
    page: Path | None,
) -> None:
    """Measure NAMES, all but `partitions` and `peers` by default: figures on stdout, how it goes on stderr."""
    chosen = names or tuple(MEASUREMENTS)
    if page is not None:
        check_page(page, chosen)
    usual = _QUICK if quick else Effort()
    effort = Effort(seconds or usual.seconds, repeat or usual.repeat, quick)
    figures: list[Figure] = []
    with opened(effort, lambda line: click.echo(line, err=True)) as bench:
        about = machine(bench.streams.client)
        for name in chosen:
            bench.announce(name)
            found = list(_shown(ALL[name](bench)))
            figures += found
            if page is not None:
                write_page(page, name, markdown(found, about, _command(effort, name)))
    if json_file is not None:
        written = json.dumps(document(figures, about, _command(effort, *chosen)), indent=2)
        json_file.write_text(written + "\n", encoding="utf-8")


def _shown(figures: Iterator[Figure]) -> Iterator[Figure]:
    for figure in figures:
        click.echo(plain(figure))
        yield figure


def _command(effort: Effort, *names: str) -> str:
    return " ".join(["python -m benchmarks", *names, f"--seconds {effort.seconds:g} --repeat {effort.repeat}"])


if __name__ == "__main__":
    main()
