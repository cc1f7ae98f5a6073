"""Told to stop: what is in flight is finished, what comes too late is given back."""

import asyncio
from typing import Any

from tests.events import deliveries, event, results, send
from tests.failures.switchable_model import SwitchableModel
from tests.stream.working import working
from tests.waiting import eventually

from eval_worker.settings import Settings


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
