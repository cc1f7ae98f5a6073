"""The way of results from threads into an event loop."""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


class Mailbox:
    """Settles futures of a loop from other threads. However many results wait for the loop, it is woken once.

    `asyncio.wrap_future` wakes it for each: a system call, at which a thread loses the interpreter's lock.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._letters: deque[tuple[asyncio.Future[Any], Callable[[], object]]] = deque()
        self._woken = False

    def post(self, future: asyncio.Future[T], settle: Callable[[], object]) -> None:
        """Have the future settled in the loop; nothing happens if it is settled by then, or the loop closed."""
        self._letters.append((future, settle))
        if not self._woken:
            self._woken = True
            with suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self._deliver)

    def _deliver(self) -> None:
        self._woken = False  # first of all: what is posted from now on must wake the loop again
        while self._letters:
            future, settle = self._letters.popleft()
            if not future.done():
                settle()
