"""A progress bar on stderr, where a person looks."""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from typing import TypeAlias

Progress: TypeAlias = Callable[[str, int], Callable[[], None]]
"""Told what is done and how often; returns what is called each time."""


@contextmanager
def judging_progress() -> Generator[Progress]:
    if not sys.stderr.isatty():
        yield lambda _doing, _total: lambda: None
        return
    from rich.console import Console  # noqa: PLC0415 (only where a person looks)
    from rich.progress import Progress as Bars  # noqa: PLC0415

    with Bars(console=Console(stderr=True), transient=True) as bars:

        def begin(doing: str, total: int) -> Callable[[], None]:
            return partial(bars.advance, bars.add_task(doing, total=total))

        yield begin
