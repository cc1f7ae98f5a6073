"""Paces kept in Redis, so that all workers together go as fast as the provider bears, and no faster."""

from collections.abc import Callable, Sequence

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from eval_worker.provider_limits.pace import Grant, Quotas
from eval_worker.provider_limits.pace_keeper import PacesInMemory
from eval_worker.redis_connection import REDIS_ERRORS
from eval_worker.redis_refusal import is_refusal
from eval_worker.short_patience import ShortPatience, any_patience
from eval_worker.stream.lua_script import Argument, LuaScript
from eval_worker.stream.redis_patience import RedisPatience

log = structlog.get_logger()


class RedisPaces:
    """One key a model. What Redis refuses (rights, memory, a key of another type) leaves this worker a pace of its own.

    Like everything here it waits for a Redis that is gone: a turn taken twice costs a little time, and no call.
    """

    def __init__(
        self,
        client: Redis,
        prefix: str,
        quotas: Quotas,
        patience: RedisPatience,
        clock: Callable[[], float],
        *,
        gives_up_on: Callable[[Exception], bool] = is_refusal,
        short: ShortPatience | None = None,
    ) -> None:
        """`gives_up_on` says what is not waited out: refusals, or with `any_failure` all that may be wrong.

        `short` bounds how long an answer may take, which is then for `gives_up_on` to take for a failure.
        """
        self._client = client
        self._prefix = prefix
        self._quotas = quotas
        self._patience = patience
        self._gives_up_on = gives_up_on
        self._call = any_patience if short is None else short.call
        self._script = LuaScript("pace.lua", package="eval_worker.provider_limits")
        self._own = PacesInMemory(quotas, clock)
        self._refused = False

    async def take(self, model: str, tokens: Sequence[float], spent_beyond: float) -> Grant | None:
        quotas = (_or_empty(self._quotas.calls_per_minute), _or_empty(self._quotas.tokens_per_minute))
        reply = await self._run(model, "take", *quotas, repr(spent_beyond), *map(repr, tokens))
        if not reply or isinstance(reply, RedisError):  # what could not be told to others, this worker keeps to
            return await self._own.take(model, tokens, spent_beyond)
        _, rate, *waits = reply
        return Grant([float(wait) for wait in waits], float(rate) if rate else None)

    async def throttled(self, model: str, given_rate: float | None, taken: float) -> None:
        reply = await self._run(model, "throttled", _or_empty(given_rate), repr(taken))
        if isinstance(reply, RedisError):
            await self._own.throttled(model, given_rate, taken)

    async def recovered(self, model: str) -> None:
        if isinstance(await self._run(model, "recovered"), RedisError):
            await self._own.recovered(model)

    async def _run(self, model: str, *arguments: Argument) -> list[bytes] | RedisError | None:
        keys = [f"{self._prefix}:{model}"]
        reply = await self._patience.insist("pace", lambda: self._reply_or_refusal(keys, arguments))
        if isinstance(reply, RedisError) and not self._refused:
            problem = self._patience.in_words(reply)
            log.warning("the provider's limits can't be shared; this worker keeps a pace of its own", problem=problem)
        self._refused = isinstance(reply, RedisError) or (self._refused and not reply)
        return reply

    async def _reply_or_refusal(
        self, keys: Sequence[str], arguments: Sequence[Argument]
    ) -> list[bytes] | RedisError | None:
        try:
            return await self._call(lambda: self._script(self._client, keys, arguments))
        except REDIS_ERRORS as error:
            if self._gives_up_on(error):
                return error if isinstance(error, RedisError) else RedisError(str(error))
            raise


def _or_empty(number: float | None) -> str:
    return "" if number is None else repr(number)
