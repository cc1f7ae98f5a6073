"""Judgements in Redis: found by every worker, claimed by one, and no event hangs on them."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from structlog.testing import capture_logs

from eval_worker.evaluation.judges.model import Judgement
from eval_worker.judgements.redis_cache import CacheTimes, RedisJudgementCache
from eval_worker.redis_connection import connect
from eval_worker.settings import Settings
from eval_worker.stream.group import ConsumerGroup
from eval_worker.stream.redis_patience import RedisPatience
from eval_worker.telemetry.metrics import Metrics
from eval_worker.wiring.streams import stream_names

GOOD = Judgement(0.8, "mostly right")
PREFIX = "eval-judgements"
NOT_FOR_LONG, LONG = 0.3, 600.0


@asynccontextmanager
async def caches(
    settings: Settings, count: int = 1, *, kept: float = LONG, asking: float = LONG
) -> AsyncGenerator[list[RedisJudgementCache]]:
    """Those of so many workers."""
    async with connect(settings) as client:
        patience = RedisPatience(ConsumerGroup(client, stream_names(settings)[0], Metrics()))
        times = CacheTimes(kept=kept, asking=asking)
        made = [RedisJudgementCache(client, PREFIX, times, patience, time.monotonic) for _ in range(count)]
        yield made
        for cache in made:
            await cache.flushed()


def in_two_workers(settings: Settings, scenario: Callable[..., Awaitable[Any]], **times: float) -> Any:
    async def run() -> Any:
        async with caches(settings, 2, **times) as both:
            return await scenario(*both)

    return asyncio.run(run())


def test_a_judgement_is_found_by_another_worker_until_it_expires(settings: Settings, redis_client: Any):
    async def scenario(one: RedisJudgementCache, other: RedisJudgementCache) -> Judgement | None:
        assert await one.claim("k") is None
        one.keep("k", GOOD)
        await one.flushed()
        return await other.claim("k")

    assert in_two_workers(settings, scenario, kept=100) == GOOD
    assert 90_000 < redis_client.pttl(f"{PREFIX}:k") <= 100_000


@pytest.mark.parametrize("same_worker", [True, False])
def test_whoever_wants_what_another_one_asks_waits_for_it(settings: Settings, empty_server: object, same_worker: bool):
    async def scenario(one: RedisJudgementCache, other: RedisJudgementCache) -> Judgement | None:
        assert await one.claim("k") is None
        waiting = asyncio.create_task((one if same_worker else other).claim("k"))
        await asyncio.wait([waiting], timeout=0.1)
        assert not waiting.done()
        one.keep("k", GOOD)
        return await waiting

    assert in_two_workers(settings, scenario) == GOOD


@pytest.mark.parametrize("same_worker", [True, False])
def test_what_one_gives_up_another_one_asks_at_once(settings: Settings, same_worker: bool):
    async def scenario(one: RedisJudgementCache, other: RedisJudgementCache) -> Judgement | None:
        assert await one.claim("k") is None
        waiting = asyncio.create_task((one if same_worker else other).claim("k"))
        await asyncio.wait([waiting], timeout=0.1)
        one.forgo("k")
        return await waiting

    started = time.monotonic()
    assert in_two_workers(settings, scenario) is None
    assert time.monotonic() - started < LONG / 10


def test_a_worker_that_died_while_asking_is_waited_for_no_longer_than_it_may_take(settings: Settings):
    async def scenario(dead: RedisJudgementCache, other: RedisJudgementCache) -> Judgement | None:
        assert await dead.claim("k") is None
        return await other.claim("k")

    assert in_two_workers(settings, scenario, asking=NOT_FOR_LONG) is None


def test_one_that_is_cut_off_while_it_looks_leaves_no_claim(settings: Settings, redis_client: Any):
    async def scenario(one: RedisJudgementCache, _other: RedisJudgementCache) -> None:
        looking = asyncio.create_task(one.claim("k"))
        await asyncio.sleep(0)
        looking.cancel()
        await asyncio.wait([looking])
        await one.flushed()

    in_two_workers(settings, scenario)
    assert redis_client.exists(f"{PREFIX}:k") == 0


def test_a_claim_that_another_worker_holds_by_now_is_not_given_up(settings: Settings, redis_client: Any):
    async def scenario(late: RedisJudgementCache, other: RedisJudgementCache) -> None:
        assert await late.claim("k") is None
        redis_client.delete(f"{PREFIX}:k")  # it expires
        late._clock = lambda: time.monotonic() + 2 * LONG
        assert await other.claim("k") is None
        late.forgo("k")
        await late.flushed()

    in_two_workers(settings, scenario)
    assert redis_client.delete(f"{PREFIX}:k") == 1


@pytest.mark.parametrize("found", [b"{}", b"null", b"not JSON", b'{"score": "?", "reason": 1}'])
def test_what_is_no_judgement_is_asked_and_written_over(settings: Settings, redis_client: Any, found: bytes):
    redis_client.set(f"{PREFIX}:k", found, ex=60)

    async def scenario(one: RedisJudgementCache, other: RedisJudgementCache) -> Judgement | None:
        assert await one.claim("k") is None
        one.keep("k", GOOD)
        await one.flushed()
        return await other.claim("k")

    assert in_two_workers(settings, scenario) == GOOD


def test_a_refusal_costs_a_call_and_no_more(settings: Settings, redis_client: Any, lasting_keys: set[str]):
    lasting_keys.add(f"{PREFIX}:k")
    redis_client.lpush(f"{PREFIX}:k", "a list")  # as a server without memory refuses, or a user without rights

    async def scenario(one: RedisJudgementCache, other: RedisJudgementCache) -> list[Judgement | None]:
        found = [await one.claim("k"), await one.claim("another")]
        one.keep("another", GOOD)
        await one.flushed()
        return [*found, await other.claim("another")]

    with capture_logs() as said:
        assert in_two_workers(settings, scenario) == [None, None, GOOD]
    assert [line["event"].partition(";")[0] for line in said] == ["judgements can't be kept"]


def test_many_lookups_at_once_go_out_together(settings: Settings, redis_client: Any):
    async def scenario(one: RedisJudgementCache, _other: RedisJudgementCache) -> None:
        await asyncio.gather(*(one.claim(str(number)) for number in range(100)))
        for number in range(100):
            one.keep(str(number), GOOD)

    in_two_workers(settings, scenario)
    assert len(set(redis_client.scan_iter(f"{PREFIX}:*", count=10_000))) == 100
