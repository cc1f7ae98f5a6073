"""How a process that has threads at a provider leaves."""

import os
import signal
import sys
from typing import NoReturn


def leave(code: int) -> NoReturn:
    """End the process now: a thread that waits for a provider can't be cancelled, and must not hold up the exit."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def leave_on_signals() -> None:
    """Until a server takes signals itself it has nothing to drain: SIGTERM and SIGINT just end the process, with 0."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _leave_at_once)


def _leave_at_once(_number: int, _frame: object) -> None:
    os._exit(0)
