"""How many entries one reply may hold, so that a slow link or large events can't keep every reply from arriving."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from redis.exceptions import TimeoutError as RedisTimeoutError

T = TypeVar("T")


class ReadPace:
    """Halves when a reply does not arrive in time, and grows by one with each that does."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.limit = most

    async def read(self, wanted: int, operation: Callable[[int], Awaitable[T]]) -> T:
        """Call the operation with as many entries as are wanted, or as the link has shown to take."""
        count = min(wanted, self.limit)
        try:
            reply = await operation(count)
        except (RedisTimeoutError, TimeoutError):
            self.limit = max(count // 2, 1)
            raise
        self.limit = min(self.limit + 1, self._most)
        return reply
