"""Suspects run alone, and neither they nor the others wait for ever."""

import asyncio
from typing import Any

import pytest
from tests.events import EVENTS, GROUP, dead_letters, event, results, send
from tests.failures.switchable_model import SwitchableModel
from tests.stream.working import with_settings, working
from tests.waiting import eventually

from eval_worker.settings import Settings
from eval_worker.stream import lane as lane_module
from eval_worker.stream import reclaim as reclaim_module

CRASHED = "a-worker-that-crashed"


def leave_behind(redis_client: Any, count: int, deliveries: int) -> None:
    """Pending entries as crashed workers leave them, after so many deliveries each."""
    for number in range(count):
        send(redis_client, event(f"suspect-{number}"))
    redis_client.xgroup_create(EVENTS, GROUP, id="0")
    redis_client.xreadgroup(GROUP, CRASHED, {EVENTS: ">"}, count=count)
    pending = redis_client.xpending_range(EVENTS, GROUP, "-", "+", count)
    ids = [each["message_id"] for each in pending]
    redis_client.xclaim(EVENTS, GROUP, CRASHED, 0, ids, idle=60_000, retrycount=deliveries, justid=True)


def test_suspects_run_one_at_a_time_with_nothing_beside_them(settings: Settings, redis_client: Any):
    leave_behind(redis_client, 5, deliveries=2)
    model = SwitchableModel(latency=0.05)

    async def scenario() -> None:
        async with working(with_settings(settings, lease_seconds=5.0), model):
            await eventually(lambda: len(results(redis_client)) == 5)

    asyncio.run(scenario())

    assert model.most_in_flight == 5  # one event's five judges
    assert {result["attempt"] for result in results(redis_client)} == {3}


def test_new_events_are_judged_between_suspects(settings: Settings, redis_client: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lane_module, "SUSPECTS_SECONDS", 0.2)
    leave_behind(redis_client, 30, deliveries=2)

    async def scenario() -> None:
        async with working(with_settings(settings, lease_seconds=5.0), SwitchableModel(latency=0.1)):
            await eventually(lambda: results(redis_client))
            send(redis_client, event("new"))
            await eventually(lambda: any(result["id"] == "new" for result in results(redis_client)))
            assert len(results(redis_client)) < 20

    asyncio.run(scenario())


def test_a_suspect_seen_beside_entries_that_are_none_is_not_forgotten(
    settings: Settings, redis_client: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(reclaim_module, "INTERVAL_SECONDS", 3_600.0)  # there is no second pass
    leave_behind(redis_client, 40, deliveries=1)
    suspect = redis_client.xpending_range(EVENTS, GROUP, "-", "+", 40)[20]["message_id"]
    redis_client.xclaim(EVENTS, GROUP, CRASHED, 0, [suspect], idle=60_000, retrycount=3, justid=True)

    async def scenario() -> None:
        async with working(with_settings(settings, lease_seconds=5.0), SwitchableModel()):
            await eventually(lambda: len(results(redis_client)) == 40)

    asyncio.run(scenario())


def test_past_max_deliveries_an_entry_is_a_dead_letter_and_is_not_run(settings: Settings, redis_client: Any):
    leave_behind(redis_client, 1, deliveries=5)
    model = SwitchableModel()

    async def scenario() -> None:
        async with working(settings, model):
            await eventually(lambda: dead_letters(redis_client))

    asyncio.run(scenario())

    (letter,) = dead_letters(redis_client)
    assert (letter["error"], letter["deliveries"], model.calls) == (b"max_deliveries", b"5", 0)
