"""For what Redis may keep for us and need not: nobody waits long for a node that hangs."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from redis.exceptions import TimeoutError as RedisTimeoutError

T = TypeVar("T")

ANSWER_SECONDS = 0.5
SPARED_SECONDS = 5.0


class ShortPatience:
    """Gives a call a moment. After one that took longer there is no other for a while.

    A node that died refuses at once; one that hangs takes what is sent to it and is silent.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._spared_until = clock()

    async def call(self, operation: Callable[[], Awaitable[T]]) -> T:
        """Do it.

        Raises:
            RedisTimeoutError: there was no answer within ANSWER_SECONDS, now or in the last SPARED_SECONDS.
        """
        if self._clock() < self._spared_until:
            raise RedisTimeoutError("a node gave no answer a moment ago, and is asked again in a while")
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await operation()
        except TimeoutError as error:
            self._spared_until = self._clock() + SPARED_SECONDS
            raise RedisTimeoutError(f"no answer within {ANSWER_SECONDS} seconds") from error


async def any_patience(operation: Callable[[], Awaitable[T]]) -> T:
    """Wait for the answer as long as the connection does."""
    return await operation()
