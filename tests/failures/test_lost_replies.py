"""Redis does what it was asked and nobody hears of it: nothing is charged to the events."""

import asyncio
import json
from typing import Any

from redis.exceptions import ConnectionError as RedisConnectionError
from tests.events import EVENTS, GROUP, deliveries, event, results, send
from tests.failures.switchable_model import SwitchableModel
from tests.stream.working import with_settings, working
from tests.waiting import eventually

from eval_worker.settings import Settings


def test_a_suspect_whose_claim_was_answered_to_nobody_is_not_charged_for_it(settings: Settings, redis_client: Any):
    entry = send(redis_client, event())
    redis_client.xgroup_create(EVENTS, GROUP, "0")
    redis_client.xreadgroup(GROUP, "dead", {EVENTS: ">"})
    redis_client.xclaim(EVENTS, GROUP, "dead", 0, [entry], retrycount=2, idle=60_000, justid=True)
    losses = 1

    async def scenario() -> None:
        nonlocal losses
        async with working(with_settings(settings, lease_seconds=1.0), SwitchableModel()) as parts:
            claim = parts.worker.lanes[0]._reclaimer.claim_suspect

            async def claim_unheard() -> Any:
                nonlocal losses
                claimed = await claim()
                if claimed is not None and losses:
                    losses -= 1
                    raise RedisConnectionError("the reply was lost")
                return claimed

            parts.worker.lanes[0]._reclaimer.claim_suspect = claim_unheard
            await eventually(lambda: results(redis_client))

    asyncio.run(scenario())

    assert losses == 0
    (result,) = results(redis_client)
    assert result["attempt"] == 3


def test_a_read_that_arrives_after_it_was_given_up_is_given_back_uncharged(settings: Settings, redis_client: Any):
    async def scenario() -> None:
        async with working(with_settings(settings, lease_seconds=30.0), SwitchableModel()) as parts:
            send(redis_client, event("first"))
            await eventually(lambda: results(redis_client))
            # What a stalled link delivers late: a read in the worker's own name, answered to a dead connection.
            late = redis_client.pipeline(transaction=True)
            late.xadd(EVENTS, {"payload": json.dumps(event("late"))})
            late.xreadgroup(GROUP, parts.names.consumer, {EVENTS: ">"})
            late.execute()
            await eventually(lambda: len(results(redis_client)) == 2)

    asyncio.run(scenario())

    assert [result["attempt"] for result in results(redis_client)] == [1, 1]
    assert deliveries(redis_client) == {}
