"""Single keys from a terminal, while something is shown on it."""

import asyncio
import os
import sys
import termios
import tty
from collections.abc import Callable, Generator
from contextlib import contextmanager


@contextmanager
def listening_for(key: str, on_key: Callable[[], None]) -> Generator[None]:
    """Call back when the key is pressed, within a running event loop; whatever else is typed is dropped.

    Where stdin is no terminal nothing is listened for. The terminal is left as it was found.
    """
    if not sys.stdin.isatty():
        yield
        return
    descriptor, loop = sys.stdin.fileno(), asyncio.get_running_loop()
    before = termios.tcgetattr(descriptor)

    def read() -> None:
        if key.encode() in os.read(descriptor, 1024):
            on_key()

    tty.setcbreak(descriptor)  # Ctrl+C stays a signal
    loop.add_reader(descriptor, read)
    try:
        yield
    finally:
        loop.remove_reader(descriptor)
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
