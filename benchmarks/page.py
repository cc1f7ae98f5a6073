"""The part of a page that the benchmarks write; what a person wrote around it stays."""

from pathlib import Path

import click

BEGIN = "<!-- benchmarks: begin (written by make bench PAGE=docs/performance.md) -->"
END = "<!-- benchmarks: end -->"


def check_page(path: Path) -> None:
    """Find out before anything is measured whether the page can take the tables."""
    _around(path)


def write_page(path: Path, text: str) -> None:
    """Replace what stands between the markers."""
    before, after = _around(path)
    path.write_text(f"{before}{BEGIN}\n\n{text}\n{END}{after}", encoding="utf-8")


def _around(path: Path) -> tuple[str, str]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise click.UsageError(f"--markdown {path} can't be read: {error.strerror}") from error
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise click.UsageError(f"--markdown {path}: it needs the lines {BEGIN} and {END}, between which the tables go")
    return before, after
