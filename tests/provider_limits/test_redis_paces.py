"""The pace in Redis is the one that pace.py describes, for all workers together; and no event hangs on it."""

import asyncio
import random
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from structlog.testing import capture_logs

from eval_worker.provider_limits.pace import Grant, Pace, Quotas
from eval_worker.provider_limits.redis_paces import RedisPaces
from eval_worker.redis_connection import connect
from eval_worker.settings import Settings
from eval_worker.stream.group import ConsumerGroup
from eval_worker.stream.lua_script import LuaScript
from eval_worker.stream.redis_patience import RedisPatience
from eval_worker.telemetry.metrics import Metrics
from eval_worker.wiring.streams import stream_names

PREFIX = "eval-pace"
MODEL = "a-model"
NO_QUOTAS = Quotas()


@asynccontextmanager
async def workers(settings: Settings, quotas: Quotas = NO_QUOTAS) -> AsyncGenerator[tuple[RedisPaces, RedisPaces]]:
    async with connect(settings) as client:
        patience = RedisPatience(ConsumerGroup(client, stream_names(settings)[0], Metrics()))
        one, other = (RedisPaces(client, PREFIX, quotas, patience, time.monotonic) for _ in range(2))
        yield one, other


@pytest.mark.parametrize("quotas", [Quotas(), Quotas(calls_per_minute=3_000), Quotas(600, 90_000)])
def test_the_script_keeps_the_pace_that_is_described(settings: Settings, quotas: Quotas):
    """Both are told the same at the same moments, which the script says."""
    pace, script = Pace(quotas), LuaScript("pace.lua", package="eval_worker.provider_limits")
    chance = random.Random(3)
    limits = ["" if each is None else each for each in (quotas.calls_per_minute, quotas.tokens_per_minute)]

    async def tell(client: Any, *arguments: object) -> list[float | None] | None:
        reply = await script(client, [f"{PREFIX}:{MODEL}"], [str(each) for each in arguments])
        return reply and [float(each) if each else None for each in reply]

    async def scenario() -> None:
        rate: float | None = None
        async with connect(settings) as client:
            for _ in range(150):
                await asyncio.sleep(chance.choice((0, 0, 0.001, 0.02)))
                if chance.random() < 0.05:
                    told = await tell(client, "recovered")
                    assert told is not None
                    pace.recovered(told[0] or 0.0)
                    continue
                if chance.random() < 0.2:
                    given = chance.choice((None, rate, rate and rate * 1.2))
                    told = await tell(client, "throttled", "" if given is None else given, 30)
                    assert told is not None
                    pace.throttled(told[0] or 0.0, given, 30)
                    continue
                tokens = [chance.uniform(100, 2_000) for _ in range(chance.randrange(4))]
                reply = await tell(client, "take", *limits, 55.5, *tokens)
                if reply is None:
                    assert pace.take(time.time(), tokens, 55.5) is None
                    continue
                now, rate, *waits = reply
                grant = pace.take(now or 0.0, tokens, 55.5)
                assert grant is not None
                assert grant.rate == pytest.approx(rate)
                assert list(grant.waits) == pytest.approx(waits, abs=1e-5)

    asyncio.run(scenario())
    assert pace.rate is not None


def test_a_throttle_of_one_worker_paces_the_others(settings: Settings, redis_client: Any):
    async def scenario() -> tuple[Grant | None, Grant | None, Grant | None]:
        async with workers(settings) as (one, other):
            before = await other.take(MODEL, [0.0], 0.0)
            await one.throttled(MODEL, None, 100)
            return before, await one.take(MODEL, [0.0] * 3, 0.0), await other.take(MODEL, [0.0], 0.0)

    before, ones, others = asyncio.run(scenario())

    assert before is None
    assert ones is not None
    assert others is not None
    assert 0.6 < ones.waits[0] < ones.waits[1] < ones.waits[2] < others.waits[0]
    assert redis_client.ttl(f"{PREFIX}:{MODEL}") > 0


def test_without_the_rights_a_worker_keeps_a_pace_of_its_own_and_says_so_once(settings: Settings, redis_client: Any):
    redis_client.set(f"{PREFIX}:{MODEL}", "somebody else's", px=60_000)

    async def scenario() -> list[Grant | None]:
        async with workers(settings) as (one, _):
            return [
                await one.take(MODEL, [0.0], 0.0),
                await one.throttled(MODEL, None, 100),
                await one.take(MODEL, [0.0], 0.0),
            ]

    with capture_logs() as logs:
        before, _, after = asyncio.run(scenario())

    assert before is None
    assert after is not None
    assert after.rate is not None
    (warning,) = [log for log in logs if log["log_level"] == "warning"]
    assert warning["event"] == "the provider's limits can't be shared; this worker keeps a pace of its own"
    assert "WRONGTYPE" in warning["problem"]


def test_a_redis_without_memory_leaves_each_worker_a_pace_of_its_own(settings: Settings, redis_client: Any):
    async def scenario() -> list[Grant | None]:
        async with workers(settings) as (one, other):
            await one.throttled(MODEL, None, 100)
            return [await one.take(MODEL, [0.0], 0.0), await other.take(MODEL, [0.0], 0.0)]

    redis_client.config_set("maxmemory", 1)
    try:
        with capture_logs() as logs:
            ones, others = asyncio.run(scenario())
    finally:
        redis_client.config_set("maxmemory", 0)

    assert ones is not None
    assert others is None
    assert [log["log_level"] for log in logs] == ["warning"]
