"""Redis comes and goes; whoever needs it waits here, for ever, and says so once."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import structlog
from redis.exceptions import RedisError, ResponseError
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type
from tenacity.wait import wait_random_exponential

from eval_worker.stream.group import ConsumerGroup, is_missing_group

log = structlog.get_logger()

T = TypeVar("T")

FIRST_WAIT_SECONDS = 0.1
LONGEST_WAIT_SECONDS = 5.0


class RedisPatience:
    """Repeats an operation until Redis has answered it. Only for operations that are safe to repeat.

    A refusal (no rights any more, a key of another type) is waited out as well: people can mend it while we run, and
    until then readiness says what it is.

    A missing stream or group (FLUSHALL, XGROUP DESTROY, failover to an empty server) is made again on the way.
    `on_wait` is called before each wait: the loop that waits is alive.
    """

    def __init__(self, group: ConsumerGroup, on_wait: Callable[[], None]) -> None:
        self._group = group
        self._on_wait = on_wait
        self.problem: str | None = None

    def what_is_wrong(self) -> str | None:
        """Say what we wait for, for readiness."""
        return f"redis: {self.problem}" if self.problem else None

    async def insist(self, operation: Callable[[], Awaitable[T]]) -> T:
        retrying = AsyncRetrying(
            retry=retry_if_exception_type((RedisError, OSError)),
            wait=wait_random_exponential(multiplier=FIRST_WAIT_SECONDS, max=LONGEST_WAIT_SECONDS),
            before_sleep=self._say_that_it_is_gone,
            reraise=True,
        )
        result: T = await retrying(self._attempt, operation)
        if self.problem is not None:
            self.problem = None
            log.info("redis is back")
        return result

    async def _attempt(self, operation: Callable[[], Awaitable[T]]) -> T:
        try:
            return await operation()
        except ResponseError as error:
            if not is_missing_group(error):
                raise
        await self._group.recover()
        return await operation()

    def _say_that_it_is_gone(self, state: RetryCallState) -> None:
        self._on_wait()
        error = state.outcome.exception() if state.outcome else None
        problem = f"{type(error).__name__}: {error}"
        if self.problem is None:
            log.warning("redis does not answer or refuses; waiting", problem=problem)
        self.problem = problem
