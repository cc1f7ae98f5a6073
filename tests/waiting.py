"""Tests wait for what must become true, never for a time to pass."""

import time
from collections.abc import Callable

DEADLINE_SECONDS = 10.0


def wait_until(condition: Callable[[], object], *, seconds: float = DEADLINE_SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"still not true after {seconds:g} seconds")
        time.sleep(0.005)
