"""Redis comes and goes; whoever needs it waits here, for ever, and says so once."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import structlog
from redis.exceptions import DataError, ResponseError
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception
from tenacity.wait import wait_random_exponential

from eval_worker.redaction import Redact, without_secrets
from eval_worker.redis_connection import REDIS_ERRORS
from eval_worker.stream.group import ConsumerGroup, is_missing_group
from eval_worker.stream.rights import Rights, is_missing_right, refusal_of

log = structlog.get_logger()

T = TypeVar("T")

FIRST_WAIT_SECONDS = 0.1
LONGEST_WAIT_SECONDS = 5.0


class RedisPatience:
    """Repeats an operation until Redis has answered it. Only for operations that are safe to repeat.

    A refusal (no rights any more, a key of another type) is waited out as well: people can mend it while we run, and
    until then readiness says what it is, without secrets. A missing stream or group (FLUSHALL, XGROUP DESTROY,
    failover to an empty server) is made again on the way. What is waited for is kept by the operation's name.
    """

    def __init__(
        self,
        group: ConsumerGroup,
        redact: Redact = without_secrets,
        rights: Rights | None = None,
        partition: int | None = None,
    ) -> None:
        self._where = "" if partition is None else f"partition {partition}: "
        self._log = log if partition is None else log.bind(partition=partition)
        self._group = group
        self._redact = redact
        self._rights = rights
        self._problems: dict[str, str] = {}

    def what_is_wrong(self) -> str | None:
        """Say what we wait for, for readiness."""
        return next((f"{self._where}redis: {name}: {problem}" for name, problem in self._problems.items()), None)

    async def insist(self, name: str, operation: Callable[[], Awaitable[T]]) -> T:
        try:
            result = await self.attempt(operation)
        except Exception as error:
            if not _can_pass(error):
                raise
            result = await self._insist_after(error, name, operation)
        self.succeeded(name)
        return result

    async def _insist_after(self, error: Exception, name: str, operation: Callable[[], Awaitable[T]]) -> T:
        """Go on after a first failure. Nearly always there is none, and retrying made for it would cost the more."""
        failures = [error]

        async def attempt() -> T:
            if failures:
                raise failures.pop()
            return await self.attempt(operation)

        async def before_sleep(state: RetryCallState) -> None:
            error = state.outcome.exception() if state.outcome else None
            if error is not None:
                await self.failed(name, error)

        retrying = AsyncRetrying(
            retry=retry_if_exception(_can_pass),
            wait=wait_random_exponential(multiplier=FIRST_WAIT_SECONDS, max=LONGEST_WAIT_SECONDS),
            before_sleep=before_sleep,
            reraise=True,
        )
        return await retrying(attempt)

    async def attempt(self, operation: Callable[[], Awaitable[T]]) -> T:
        """Try once; a lost group is recreated and the operation tried again."""
        try:
            return await operation()
        except ResponseError as error:
            if not is_missing_group(error):
                raise
        await self._group.recover()
        return await operation()

    async def failed(self, name: str, error: BaseException) -> None:
        await self.refused(name, self.in_words(error))

    def in_words(self, error: BaseException) -> str:
        """Say what happened, without secrets: servers repeat what they were sent."""
        return self._redact(f"{type(error).__name__}: {error}")

    async def refused(self, name: str, problem: str) -> None:
        """Note what Redis said; where it is for want of rights, by the rights that are missing."""
        problem = await self._by_missing_rights(problem)
        if name not in self._problems:
            self._log.warning("redis does not answer or refuses; waiting", operation=name, problem=problem)
        self._problems[name] = problem

    def succeeded(self, name: str) -> None:
        if self._problems.pop(name, None) is not None:
            self._log.info("redis answers again", operation=name)

    async def _by_missing_rights(self, problem: str) -> str:
        if self._rights is None or not is_missing_right(problem):
            return problem
        try:
            missing = await self._rights.missing()
        except REDIS_ERRORS:
            return problem
        return problem if missing is None else refusal_of(missing)


def _can_pass(error: BaseException) -> bool:
    # A DataError is ours: an argument that no server was even asked about.
    return isinstance(error, REDIS_ERRORS) and not isinstance(error, DataError)
