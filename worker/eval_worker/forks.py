"""Whether this process was forked off: its threads, and what they held, are then left behind."""

import os

_generation = 0


def generation() -> int:
    """Return a number that is another one in each process that was forked off."""
    return _generation


def _next() -> None:
    global _generation  # noqa: PLW0603, there is one process
    _generation += 1


os.register_at_fork(after_in_child=_next)
