"""Waiting for a fake to have seen something."""

import time
from collections.abc import Callable

from eval_worker.testing.fake_provider.counters import Counters

_POLL_SECONDS = 0.005


def wait_until(read: Callable[[], Counters], condition: Callable[[Counters], bool], timeout: float) -> Counters:
    """Block until the counters are as wanted.

    Raises:
        TimeoutError: it did not come to that.
    """
    deadline = time.monotonic() + timeout
    while True:
        seen = read()
        if condition(seen):
            return seen
        if time.monotonic() > deadline:
            raise TimeoutError(f"after {timeout:g} s the fake had seen {seen}")
        time.sleep(_POLL_SECONDS)
