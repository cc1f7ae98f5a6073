"""The way into an event loop from other threads."""

import asyncio
from collections import deque
from collections.abc import Callable
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
        """Have this called in the loop. Nothing happens if the loop is closed."""
        self._letters.append(letter)
        if not self._woken:
            try:
                self._woken = True
                self.loop.call_soon_threadsafe(self._deliver)
            except RuntimeError:
                pass  # it is closed
            except BaseException:  # a Ctrl-C, say: whoever posts next has to wake the loop
                self._woken = False
                raise

    def _deliver(self) -> None:
        self._woken = False  # first of all: what is posted from now on must wake the loop again
        while self._letters:
            letter = self._letters.popleft()
            try:
                letter()
            except Exception as bug:  # noqa: BLE001, the letters behind it are of others
                self.loop.call_exception_handler({"message": "a letter to an event loop raised", "exception": bug})


def settle(future: asyncio.Future[Any], how: Callable[[], object]) -> Callable[[], None]:
    """Return the letter that settles a future, if nobody has by then."""

    def letter() -> None:
        if future.done():
            return
        try:
            how()
        except Exception as error:  # noqa: BLE001, of StopIteration no future is made, and nobody may wait for ever
            future.set_exception(RuntimeError(f"a call ended in what no future can hold: {error}"))

    return letter
