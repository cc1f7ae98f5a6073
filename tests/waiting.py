"""Waiting for a condition, never for a time."""

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

POLL_SECONDS = 0.01
PATIENCE = 60.0  # nobody waits so long but on a machine that does many other things, or for what never comes


TRIES = 5


def once_in_a_few_tries(attempt: Callable[[], bool]) -> bool:
    """Whether it works once: for a limit of time, which a machine that does many other things may miss now and then."""
    return any(attempt() for _ in range(TRIES))


async def eventually(condition: Callable[[], T], *, within: float = PATIENCE) -> T:
    """Wait until the condition is true and return what it returned; fail after so many seconds."""
    deadline = time.monotonic() + within
    while not (outcome := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {within} s; the last look gave {outcome!r}")
        await asyncio.sleep(POLL_SECONDS)
    return outcome


def eventually_sync(condition: Callable[[], T], *, within: float = PATIENCE) -> T:
    """Wait as `eventually` does, where nothing else has to go on in this thread."""
    deadline = time.monotonic() + within
    while not (outcome := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {within} s; the last look gave {outcome!r}")
        time.sleep(POLL_SECONDS)
    return outcome
