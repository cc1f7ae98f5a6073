"""A progress bar on stderr, where a person looks."""

import os
import stat
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from io import BufferedIOBase


@contextmanager
def progress_of(source: BufferedIOBase, *, wanted: bool) -> Generator[Callable[[int, int], None]]:
    """Yield a function to be told of the bytes read and the events sent."""
    if not (wanted and sys.stderr.isatty()):
        yield lambda _read_bytes, _sent: None
        return
    from rich.console import Console  # noqa: PLC0415  # only where a person looks
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (
        TextColumn("sending"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[sent]:,} events"),
        TimeElapsedColumn(),
    )
    with Progress(
        *columns, console=Console(stderr=True), transient=True, redirect_stdout=sys.stdout.isatty()
    ) as progress:
        task = progress.add_task("", total=_size(source), sent=0)
        yield lambda read_bytes, sent: progress.update(task, advance=read_bytes, sent=sent)


def _size(source: BufferedIOBase) -> int | None:
    """None where only the end will tell."""
    try:
        found = os.fstat(source.fileno())
    except OSError:
        return None
    return found.st_size if stat.S_ISREG(found.st_mode) else None
