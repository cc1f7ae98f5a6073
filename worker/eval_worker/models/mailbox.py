"""The way into an event loop from other threads."""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any


class Mailbox:
    """Has things done in a loop, in order. However many wait for the loop, it is woken once.

    `call_soon_threadsafe` wakes it for each: a system call, at which a thread loses the interpreter's lock.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._letters: deque[Callable[[], object]] = deque()
        self._woken = False

    def post(self, letter: Callable[[], object]) -> None:
        """Have this called in the loop; it must not raise. Nothing happens if the loop is closed."""
        self._letters.append(letter)
        if not self._woken:
            self._woken = True
            with suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self._deliver)

    def _deliver(self) -> None:
        self._woken = False  # first of all: what is posted from now on must wake the loop again
        while self._letters:
            self._letters.popleft()()


def settle(future: asyncio.Future[Any], how: Callable[[], object]) -> Callable[[], None]:
    """Return the letter that settles a future, if nobody has by then."""

    def letter() -> None:
        if not future.done():
            how()

    return letter
