"""A coroutine that was begun by hand, and has to wait: awaiting it is going on with it."""

from collections.abc import Coroutine, Generator
from functools import partial
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Waiting(Generic[T]):
    """`coroutine.send(None)` has returned `waits_for`. The task that began it must be the one to await this.

    A coroutine may remember in which task it runs, as `asyncio.timeout` does, so it can't be handed to another.
    """

    __slots__ = ("_coroutine", "_waits_for")

    def __init__(self, coroutine: Coroutine[Any, Any, T] | Generator[Any, Any, T], waits_for: object) -> None:
        self._coroutine = coroutine
        self._waits_for = waits_for

    def __await__(self) -> Generator[Any, Any, T]:
        waits_for = self._waits_for
        while True:
            try:
                advance = partial(self._coroutine.send, (yield waits_for))
            except BaseException as error:  # noqa: BLE001 (a cancellation too is the coroutine's to see)
                advance = partial(self._coroutine.throw, error)
            try:
                waits_for = advance()
            except StopIteration as end:
                return end.value
