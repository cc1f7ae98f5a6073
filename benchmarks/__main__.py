"""`python -m benchmarks [NAME…]`: measure the worker next to what the machine, the provider and others allow."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from benchmarks.bench import Effort, opened
from benchmarks.machine import machine
from benchmarks.measurements import MEASUREMENTS, WITH_INSTALLATION
from benchmarks.page import check_page, write_page
from benchmarks.report import document, markdown, plain

if TYPE_CHECKING:
    from benchmarks.figures import Figure

_QUICK = Effort(seconds=0.3, repeat=1, quick=True)


@click.command()
@click.argument("names", nargs=-1, type=click.Choice([*MEASUREMENTS, *WITH_INSTALLATION]))
@click.option("--seconds", type=click.FloatRange(min=0, min_open=True), help="How long a sample lasts. [3]")
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
    """Measure NAMES, all but `peers` by default: figures on stdout, how it goes on stderr."""
    if page is not None:
        check_page(page)
    usual = _QUICK if quick else Effort()
    effort = Effort(seconds or usual.seconds, repeat or usual.repeat, quick)
    figures: list[Figure] = []
    with opened(effort, lambda line: click.echo(line, err=True)) as bench:
        about = machine(bench.streams.client)
        for name in names or tuple(MEASUREMENTS):
            bench.announce(name)
            for figure in {**MEASUREMENTS, **WITH_INSTALLATION}[name](bench):
                click.echo(plain(figure))
                figures.append(figure)
    command = " ".join(["python -m benchmarks", *names, f"--seconds {effort.seconds:g} --repeat {effort.repeat}"])
    if json_file is not None:
        json_file.write_text(json.dumps(document(figures, about, command), indent=2) + "\n", encoding="utf-8")
    if page is not None:
        write_page(page, markdown(figures, about, command))


if __name__ == "__main__":
    main()
