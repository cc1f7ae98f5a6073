"""The janitor: trims to what some group still needs, never beyond; deletes consumers that are gone."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from redis.exceptions import ResponseError
from tests.events import DEAD_LETTERS, EVENTS, GROUP, RESULTS, event, send
from tests.waiting import eventually_sync

from eval_worker.redis_connection import connect
from eval_worker.settings import Settings
from eval_worker.stream import janitor as janitor_module
from eval_worker.stream.janitor import Janitor
from eval_worker.stream.names import StreamNames

NAMES = StreamNames(EVENTS, RESULTS, DEAD_LETTERS, GROUP, "us")


def clean(settings: Settings, retention: timedelta | None = None, *, leave: bool = False) -> None:
    async def go() -> None:
        async with connect(settings) as client:
            janitor = Janitor(client, NAMES, retention=retention, idle_after=timedelta(hours=24))
            await (janitor.leave() if leave else janitor.clean())

    asyncio.run(go())


@pytest.fixture
def ids(redis_client: Any) -> list[str]:
    made = [send(redis_client, event(str(number))) for number in range(10)]
    redis_client.xgroup_create(EVENTS, GROUP, id="0")
    return made


def read(redis_client: Any, group: str, count: int, *, acknowledge: bool) -> None:
    reply = redis_client.xreadgroup(group, "us", {EVENTS: ">"}, count=count)
    if acknowledge:
        redis_client.xack(EVENTS, group, *[entry_id for _, entries in reply for entry_id, _ in entries])


def left(redis_client: Any) -> list[str]:
    return [entry_id.decode() for entry_id, _ in redis_client.xrange(EVENTS)]


def test_what_every_group_has_acknowledged_is_trimmed(settings: Settings, redis_client: Any, ids: list[str]):
    read(redis_client, GROUP, 10, acknowledge=True)

    clean(settings)

    assert left(redis_client) == []


def test_what_is_unread_or_pending_anywhere_stays(settings: Settings, redis_client: Any, ids: list[str]):
    redis_client.xgroup_create(EVENTS, "slower", id="0")
    read(redis_client, GROUP, 10, acknowledge=True)
    read(redis_client, "slower", 3, acknowledge=True)
    read(redis_client, "slower", 2, acknowledge=False)

    clean(settings)

    assert left(redis_client) == ids[3:]


def test_a_group_that_has_read_nothing_keeps_everything(settings: Settings, redis_client: Any, ids: list[str]):
    redis_client.xgroup_create(EVENTS, "fresh", id="0")
    read(redis_client, GROUP, 10, acknowledge=True)

    clean(settings)

    assert left(redis_client) == ids


def test_kept_events_are_trimmed_only_past_their_retention(settings: Settings, redis_client: Any, ids: list[str]):
    read(redis_client, GROUP, 10, acknowledge=True)

    clean(settings, timedelta(hours=1))
    assert left(redis_client) == ids

    clean(settings, timedelta(hours=-1))
    assert left(redis_client) == []


def test_nothing_is_trimmed_while_our_group_is_missing(settings: Settings, redis_client: Any, ids: list[str]):
    redis_client.xgroup_create(EVENTS, "another", id="0")
    read(redis_client, "another", 10, acknowledge=True)
    redis_client.xgroup_destroy(EVENTS, GROUP)

    with pytest.raises(ResponseError, match="NOGROUP"):
        clean(settings)

    assert left(redis_client) == ids


def test_a_stream_without_groups_or_no_stream_at_all_is_left_alone(settings: Settings, redis_client: Any):
    send(redis_client, event())
    redis_client.xgroup_create(EVENTS, GROUP, id="0")

    clean(settings)

    assert len(left(redis_client)) == 1


def test_a_consumer_that_is_gone_is_deleted_unless_something_is_pending_under_its_name(
    settings: Settings, redis_client: Any, ids: list[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(janitor_module, "CONSUMER_GONE_AFTER_SECONDS", 0.0)
    for consumer in ("gone", "us"):
        redis_client.xgroup_createconsumer(EVENTS, GROUP, consumer)
    redis_client.xreadgroup(GROUP, "busy", {EVENTS: ">"}, count=1)
    while min(each["idle"] for each in redis_client.xinfo_consumers(EVENTS, GROUP)) < 2:
        pass

    clean(settings)

    names = {each["name"] for each in redis_client.xinfo_consumers(EVENTS, GROUP)}
    assert names == {b"us", b"busy"}


def test_leaving_deletes_our_own_consumer_only_if_nothing_is_pending(
    settings: Settings, redis_client: Any, ids: list[str]
):
    read(redis_client, GROUP, 1, acknowledge=False)
    clean(settings, leave=True)
    assert len(redis_client.xinfo_consumers(EVENTS, GROUP)) == 1

    redis_client.xack(EVENTS, GROUP, ids[0])
    clean(settings, leave=True)
    assert redis_client.xinfo_consumers(EVENTS, GROUP) == []


def test_five_hundred_restarts_leave_no_consumers_behind(
    settings: Settings, redis_client: Any, ids: list[str], monkeypatch: pytest.MonkeyPatch
):
    """Half of them crashed, and two of those had read something."""
    monkeypatch.setattr(janitor_module, "CONSUMER_GONE_AFTER_SECONDS", 0.0)
    pipeline = redis_client.pipeline(transaction=False)
    for number in range(250):
        pipeline.xgroup_createconsumer(EVENTS, GROUP, f"crashed-{number}")
    pipeline.execute()
    for consumer in ("crashed-0", "crashed-1"):
        redis_client.xreadgroup(GROUP, consumer, {EVENTS: ">"}, count=1)

    async def start_and_leave() -> None:
        async with connect(settings) as client:
            for number in range(250):
                names = replace(NAMES, consumer=f"left-{number}")
                redis_client.xgroup_createconsumer(EVENTS, GROUP, names.consumer)
                await Janitor(client, names, retention=None, idle_after=timedelta(hours=24)).leave()

    asyncio.run(start_and_leave())
    eventually_sync(lambda: min(each["idle"] for each in redis_client.xinfo_consumers(EVENTS, GROUP)) > 1)
    clean(settings)

    assert {each["name"] for each in redis_client.xinfo_consumers(EVENTS, GROUP)} == {b"crashed-0", b"crashed-1"}
