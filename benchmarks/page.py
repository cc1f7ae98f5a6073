"""The parts of a page that the benchmarks write, one a measurement; what a person wrote around them stays."""

from collections.abc import Iterable
from pathlib import Path

import click


def begin(name: str) -> str:
    return f"<!-- benchmarks {name}: begin (written by make bench ONLY={name} PAGE=…) -->"


def end(name: str) -> str:
    return f"<!-- benchmarks {name}: end -->"


def check_page(path: Path, names: Iterable[str]) -> None:
    """Find out before anything is measured whether the page can take the tables of all these measurements."""
    for name in names:
        _around(path, name)


def write_page(path: Path, name: str, text: str) -> None:
    """Replace what stands between the measurement's markers."""
    before, after = _around(path, name)
    path.write_text(f"{before}{begin(name)}\n\n{text}\n{end(name)}{after}", encoding="utf-8")


def _around(path: Path, name: str) -> tuple[str, str]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise click.UsageError(f"--markdown {path} can't be read: {error.strerror}") from error
    before, found, rest = text.partition(begin(name))
    _, ended, after = rest.partition(end(name))
    if not (found and ended):
        raise click.UsageError(
            f"--markdown {path}: it needs the lines {begin(name)} and {end(name)}, between which the table goes"
        )
    return before, after
