"""Told to stop: what is in flight is finished, what comes too late is given back."""

import asyncio
from typing import Any

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from tests.events import deliveries, event, results, send
from tests.failures.switchable_model import DENIED, SwitchableModel
from tests.stream.working import with_settings, working
from tests.waiting import eventually

from eval_worker.settings import Settings
from eval_worker.wiring.judging import read_judges
from eval_worker.wiring.worker import build_worker


def test_what_a_read_under_way_still_brings_is_given_back_and_not_judged(settings: Settings, redis_client: Any):
    model = SwitchableModel(latency=0.2)

    async def scenario() -> None:
        async with working(settings, model) as parts:
            send(redis_client, event("before"))
            await eventually(lambda: results(redis_client))
            parts.worker.stop()
            send(redis_client, event("too late"))  # into the read that has not returned yet

    asyncio.run(scenario())

    assert [result["id"] for result in results(redis_client)] == ["before"]
    assert model.calls == 5
    assert list(deliveries(redis_client).values()) == [0]


def test_what_was_cut_off_is_given_back_even_if_the_connection_breaks_just_then(settings: Settings, redis_client: Any):
    async def scenario() -> None:
        impatient = with_settings(settings, drain_seconds=4.0, judge_timeout_seconds=60.0)
        async with working(impatient, SwitchableModel(latency=60)) as parts:
            for number in range(3):
                send(redis_client, event(f"evt-{number}"))
            await eventually(lambda: len(deliveries(redis_client)) == 3)
            give_back, breaks = parts.worker.lanes[0]._releaser.release_all, [RedisConnectionError("cut")]

            async def give_back_on_the_second_try() -> None:
                if breaks:
                    raise breaks.pop()
                await give_back()

            parts.worker.lanes[0]._releaser.release_all = give_back_on_the_second_try

    asyncio.run(scenario())

    assert list(deliveries(redis_client).values()) == [0, 0, 0]


@pytest.mark.parametrize("part", ["renew", "release"])
def test_a_bug_of_ours_ends_the_worker_and_what_it_held_is_given_back(settings: Settings, redis_client: Any, part: str):
    """Going on without that part, it would hold its entries for ever and look healthy."""
    send(redis_client, event())

    async def bug(*_arguments: Any) -> None:
        raise AttributeError("a bug of ours")

    async def scenario() -> None:
        quick = with_settings(settings, lease_seconds=1.0, drain_seconds=2.0)
        model = SwitchableModel(DENIED) if part == "release" else SwitchableModel(latency=60)
        parts = build_worker(quick, read_judges(quick), model)
        await parts.ensure_groups()
        broken = parts.worker.lanes[0]._leases if part == "renew" else parts.worker.lanes[0]._releaser
        setattr(broken, part, bug)
        with pytest.raises(AttributeError, match="a bug of ours"):
            async with asyncio.timeout(60):
                await parts.worker.run()
        await parts.close()

    asyncio.run(scenario())

    assert list(deliveries(redis_client).values()) == [0]
