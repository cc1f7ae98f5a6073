"""Other groups on the event stream: what they need is not trimmed, an idle one is reported and not obeyed for ever."""

import asyncio
import random
from datetime import timedelta
from typing import Any

import pytest
from structlog.testing import capture_logs
from tests.events import DEAD_LETTERS, EVENTS, GROUP, RESULTS, results, rubbish, send
from tests.failures.switchable_model import SwitchableModel
from tests.stream.working import with_settings, working
from tests.waiting import eventually, eventually_sync

from eval_worker.redis_connection import connect
from eval_worker.settings import Settings
from eval_worker.stream import janitor as janitor_module
from eval_worker.stream import lane as lane_module
from eval_worker.stream.janitor import Janitor
from eval_worker.stream.lua_script import LuaScript
from eval_worker.stream.names import StreamNames

NAMES = StreamNames(EVENTS, RESULTS, DEAD_LETTERS, GROUP, "us")
OTHER = "archive"
HOUR = timedelta(hours=1)


def clean(
    settings: Settings, *, times: int = 1, idle_after: timedelta = HOUR, retention: timedelta | None = None
) -> list[tuple[str, str]]:
    """Let one janitor clean up; returns what it said, as (event, group)."""

    async def go() -> None:
        async with connect(settings) as client:
            janitor = Janitor(client, NAMES, retention=retention, idle_after=idle_after)
            for _ in range(times):
                await janitor.clean()

    with capture_logs() as said:
        asyncio.run(go())
    return [(line["event"], line["group"]) for line in said if "group" in line]


def add(redis_client: Any, age: timedelta) -> str:
    """An entry that came in so long ago."""
    seconds, microseconds = redis_client.time()
    milliseconds = seconds * 1000 + microseconds // 1000 - int(age.total_seconds() * 1000)
    return redis_client.xadd(EVENTS, {"payload": "{}"}, id=f"{milliseconds}-*").decode()


def read(redis_client: Any, group: str, count: int, *, consumer: str = "us", acknowledge: bool = True) -> list[bytes]:
    reply = redis_client.xreadgroup(group, consumer, {EVENTS: ">"}, count=count)
    ids = [entry_id for _, entries in reply for entry_id, _ in entries]
    if acknowledge and ids:
        redis_client.xack(EVENTS, group, *ids)
    return ids


def left(redis_client: Any) -> list[str]:
    return [entry_id.decode() for entry_id, _ in redis_client.xrange(EVENTS)]


@pytest.fixture
def ages(redis_client: Any) -> list[str]:
    """Entries of four, three, two hours and of now, with which our group is done."""
    made = [add(redis_client, age) for age in (4 * HOUR, 3 * HOUR, 2 * HOUR, 0 * HOUR)]
    redis_client.xgroup_create(EVENTS, GROUP, id="0")
    read(redis_client, GROUP, 4)
    return made


def test_a_slower_group_finds_everything_and_what_both_are_done_with_goes(
    settings: Settings, redis_client: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(lane_module, "JANITOR_SECONDS", 0.02)
    redis_client.xgroup_create(EVENTS, OTHER, id="0", mkstream=True)
    sent = [send(redis_client, rubbish(f"evt-{number}")) for number in range(50)]

    async def scenario() -> None:
        async with working(settings, SwitchableModel()):
            await eventually(lambda: len(results(redis_client)) == 50)
            for number in range(0, 50, 10):
                ids = read(redis_client, OTHER, 10, acknowledge=False)
                assert [entry_id.decode() for entry_id in ids] == sent[number : number + 10]
                redis_client.xack(EVENTS, OTHER, *ids[1:])
                await eventually(lambda number=number: left(redis_client) == sent[number:])
                redis_client.xack(EVENTS, OTHER, ids[0])
                await eventually(lambda number=number: left(redis_client) == sent[number + 10 :])

    asyncio.run(scenario())


@pytest.mark.parametrize("seed", range(6))
def test_whatever_the_groups_do_what_is_left_is_what_some_group_needs_and_what_came_after(
    settings: Settings, redis_client: Any, seed: int
):
    chance = random.Random(seed)
    groups = [GROUP, "second", "third"]
    for group in groups:
        redis_client.xgroup_create(EVENTS, group, id="0", mkstream=True)
    sent: list[str] = []
    unread = {group: [] for group in groups}
    pending: dict[str, list[str]] = {group: [] for group in groups}
    for _ in range(60):
        for _ in range(chance.randrange(8)):
            sent.append(send(redis_client, {}))
            for group in groups:
                unread[group].append(sent[-1])
        group = chance.choice(groups)
        got = [raw.decode() for raw in read(redis_client, group, chance.randrange(1, 20), acknowledge=False)]
        assert got == unread[group][: len(got)]  # nothing was trimmed before it was delivered
        del unread[group][: len(got)]
        pending[group] += got
        for entry_id in [each for each in pending[group] if chance.random() < 0.8]:
            redis_client.xack(EVENTS, group, entry_id)
            pending[group].remove(entry_id)
        if chance.random() < 0.3:
            clean(settings)
            needed = [entry_id for group in groups for entry_id in unread[group] + pending[group]]
            assert left(redis_client) == (sent[sent.index(min(needed, key=sent.index)) :] if needed else [])


def test_a_group_created_at_the_end_holds_back_nothing(settings: Settings, redis_client: Any, ages: list[str]):
    redis_client.xgroup_create(EVENTS, OTHER, id="$")

    assert clean(settings) == []
    assert left(redis_client) == []


def test_a_group_without_consumers_holds_an_entry_until_that_is_too_old(
    settings: Settings, redis_client: Any, ages: list[str]
):
    redis_client.xgroup_create(EVENTS, OTHER, id="0")

    clean(settings, idle_after=2.5 * HOUR)

    assert left(redis_client) == ages[2:]
    assert [raw.decode() for raw in read(redis_client, OTHER, 10)] == ages[2:]  # it came back


def test_a_group_whose_consumers_are_silent_is_like_one_without(settings: Settings, redis_client: Any, ages: list[str]):
    redis_client.xgroup_create(EVENTS, OTHER, id="0")
    read(redis_client, OTHER, 1, consumer="gone", acknowledge=False)
    assert clean(settings) == []
    assert left(redis_client) == ages

    eventually_sync(lambda: redis_client.xinfo_consumers(EVENTS, OTHER)[0]["idle"] > 50)
    clean(settings, idle_after=timedelta(milliseconds=50))

    assert not {*ages[:3]} & {*left(redis_client)}


def test_one_consumer_that_reads_makes_its_group_obeyed(settings: Settings, redis_client: Any, ages: list[str]):
    redis_client.xgroup_create(EVENTS, OTHER, id="0")
    read(redis_client, OTHER, 1, consumer="gone", acknowledge=False)
    eventually_sync(lambda: redis_client.xinfo_consumers(EVENTS, OTHER)[0]["idle"] > 1000)
    read(redis_client, OTHER, 1, consumer="alive")

    assert clean(settings, idle_after=timedelta(seconds=1)) == []
    assert left(redis_client) == ages


def test_what_we_need_stays_however_old_and_silent_we_and_the_others_are(settings: Settings, redis_client: Any):
    old = [add(redis_client, age) for age in (9 * HOUR, 8 * HOUR, 7 * HOUR)]
    redis_client.xgroup_create(EVENTS, GROUP, id="0")
    redis_client.xgroup_create(EVENTS, OTHER, id="0")
    clean(settings)
    assert left(redis_client) == old

    read(redis_client, GROUP, 2, acknowledge=False)
    redis_client.xack(EVENTS, GROUP, old[0])
    clean(settings)

    assert left(redis_client) == old[1:]


def test_an_idle_group_does_not_cost_a_third_one_its_entries(settings: Settings, redis_client: Any, ages: list[str]):
    redis_client.xgroup_create(EVENTS, "idle", id="0")
    redis_client.xgroup_create(EVENTS, OTHER, id="0")
    read(redis_client, OTHER, 2, acknowledge=False)
    redis_client.xack(EVENTS, OTHER, ages[0])

    clean(settings)

    assert left(redis_client) == ages[1:]


def test_kept_events_outlive_the_limit_of_an_idle_group(settings: Settings, redis_client: Any, ages: list[str]):
    redis_client.xgroup_create(EVENTS, OTHER, id="0")

    clean(settings, retention=2.5 * HOUR)
    assert left(redis_client) == ages[2:]

    clean(settings, retention=0.5 * HOUR, idle_after=2.5 * HOUR)
    assert left(redis_client) == ages[2:]


def test_where_ids_are_no_times_an_idle_group_is_obeyed_and_reported(settings: Settings, redis_client: Any):
    for number in range(1, 6):
        redis_client.xadd(EVENTS, {"payload": "{}"}, id=f"{number}-0")
    redis_client.xgroup_create(EVENTS, GROUP, id="0")
    redis_client.xgroup_create(EVENTS, OTHER, id="2-0")
    read(redis_client, GROUP, 5)

    (said,) = clean(settings, times=2)

    assert said == ("an idle group keeps the stream from being trimmed, as the ids of its entries are no times", OTHER)
    assert left(redis_client) == ["3-0", "4-0", "5-0"]


def test_kept_events_whose_ids_are_no_times_are_kept(settings: Settings, redis_client: Any):
    redis_client.xadd(EVENTS, {"payload": "{}"}, id="1-0")
    redis_client.xgroup_create(EVENTS, GROUP, id="0")
    read(redis_client, GROUP, 1)

    clean(settings, retention=HOUR)

    assert left(redis_client) == ["1-0"]


def test_ids_are_told_apart_to_their_last_digit(settings: Settings, redis_client: Any):
    """A Lua number would take these two for the same."""
    first, second = "1795312975612000001-0", "1795312975612000002-0"
    for entry_id in (first, second):
        redis_client.xadd(EVENTS, {"payload": "{}"}, id=entry_id)
    redis_client.xgroup_create(EVENTS, GROUP, id="0")
    redis_client.xgroup_create(EVENTS, OTHER, id="0")
    read(redis_client, GROUP, 1, acknowledge=False)
    read(redis_client, GROUP, 1)
    read(redis_client, OTHER, 1)
    read(redis_client, OTHER, 1, acknowledge=False)

    clean(settings)

    assert left(redis_client) == [first, second]


def test_an_idle_group_is_reported_once_and_again_when_it_is_overruled_and_when_it_is_back(
    settings: Settings, redis_client: Any
):
    async def go() -> None:
        async with connect(settings) as client:
            janitor = Janitor(client, NAMES, retention=None, idle_after=2.5 * HOUR)
            add(redis_client, 2 * HOUR)
            for _ in range(3):
                await janitor.clean()
            redis_client.delete(EVENTS)
            add(redis_client, 3 * HOUR)
            add(redis_client, 2 * HOUR)
            for group in (GROUP, OTHER):
                redis_client.xgroup_create(EVENTS, group, id="0")
            read(redis_client, GROUP, 2)
            for _ in range(3):
                await janitor.clean()
            read(redis_client, OTHER, 1, acknowledge=False)
            for _ in range(3):
                await janitor.clean()

    for group in (GROUP, OTHER):
        redis_client.xgroup_create(EVENTS, group, id="0", mkstream=True)
    with capture_logs() as said:
        asyncio.run(go())

    assert [(line["log_level"], line["event"].split(":")[0], line["group"]) for line in said if "group" in line] == [
        ("warning", "a group is idle", OTHER),
        ("warning", "an idle group is overruled", OTHER),
        ("info", "a group is idle no longer", OTHER),
    ]


def test_a_silent_group_for_which_nothing_waits_is_not_idle(settings: Settings, redis_client: Any, ages: list[str]):
    redis_client.xgroup_create(EVENTS, OTHER, id="0")
    read(redis_client, OTHER, 4)
    eventually_sync(lambda: redis_client.xinfo_consumers(EVENTS, OTHER)[0]["idle"] > 50)

    assert clean(settings, idle_after=timedelta(milliseconds=50)) == []
    assert left(redis_client) == []


def test_a_call_trims_no_more_than_a_step_and_the_janitor_goes_on_until_all_is_gone(
    settings: Settings, redis_client: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(janitor_module, "TRIM_STEP", 1_000)
    redis_client.xgroup_create(EVENTS, GROUP, id="0", mkstream=True)
    pipeline = redis_client.pipeline(transaction=False)
    for _ in range(3_333):
        pipeline.xadd(EVENTS, {"payload": "{}"})
    pipeline.execute()
    read(redis_client, GROUP, 3_303)

    async def one_call() -> list[Any]:
        async with connect(settings) as client:
            return await LuaScript("trim.lua")(client, [EVENTS], [GROUP, "", 3_600_000, 1_000])

    trimmed, more, _ = asyncio.run(one_call())
    assert (0 < trimmed <= 1_000, more) == (True, 1)
    clean(settings)
    assert len(left(redis_client)) == 30


def test_several_janitors_at_once_trim_what_one_would(settings: Settings, redis_client: Any, ages: list[str]):
    redis_client.xgroup_create(EVENTS, OTHER, id="0")
    read(redis_client, OTHER, 1)

    async def go() -> None:
        async with connect(settings) as client:
            janitors = [Janitor(client, NAMES, retention=None, idle_after=HOUR) for _ in range(5)]
            await asyncio.gather(*(janitor.clean() for janitor in janitors))

    asyncio.run(go())

    assert left(redis_client) == ages[1:]


def test_a_worker_counts_idle_groups(settings: Settings, redis_client: Any):
    redis_client.xgroup_create(EVENTS, OTHER, id="0", mkstream=True)
    redis_client.xgroup_create(EVENTS, "reading", id="0")
    redis_client.xgroup_createconsumer(EVENTS, "reading", "alive")
    send(redis_client, rubbish())

    async def scenario() -> None:
        async with working(with_settings(settings, idle_group_hours=0.5), SwitchableModel()) as parts:
            await eventually(lambda: parts.metrics.registry.get_sample_value("eval_idle_groups") == 1)

    asyncio.run(scenario())
