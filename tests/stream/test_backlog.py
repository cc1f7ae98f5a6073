import asyncio
from typing import Any

import pytest
from tests.events import DEAD_LETTERS, EVENTS, GROUP, RESULTS

from eval_worker.redis_connection import connect
from eval_worker.settings import Settings
from eval_worker.stream.backlog import Backlog, read_backlog


def backlog(settings: Settings, *, keep_events: bool = False) -> Backlog:
    async def read() -> Backlog:
        client = connect(settings)
        try:
            return await read_backlog(
                client,
                events=EVENTS,
                results=RESULTS,
                dead_letters=DEAD_LETTERS,
                group=GROUP,
                keep_events=keep_events,
            )
        finally:
            await client.aclose()

    return asyncio.run(read())


@pytest.fixture
def group(redis_client: Any) -> str:
    redis_client.xgroup_create(EVENTS, GROUP, "0", mkstream=True)
    return GROUP


def read(redis_client: Any, count: int, consumer: str = "me") -> list[bytes]:
    reply = redis_client.xreadgroup(GROUP, consumer, {EVENTS: ">"}, count=count)
    return [entry_id for entry_id, _ in reply[0][1]]


def test_an_empty_server_has_no_backlog(settings: Settings):
    nothing = Backlog(
        entries=0,
        pending=0,
        lag=0,
        oldest_pending_seconds=None,
        consumers=(),
        other_groups=(),
        results=0,
        dead_letters=0,
        group_exists=False,
    )
    assert backlog(settings) == nothing


def test_without_a_group_everything_is_still_to_be_read(settings: Settings, redis_client: Any):
    redis_client.xadd(EVENTS, {"payload": "{}"})
    found = backlog(settings)
    assert (found.entries, found.lag, found.pending, found.group_exists) == (1, 1, 0, False)


def test_lag_stays_known_when_settled_entries_are_deleted(settings: Settings, redis_client: Any, group: str):
    for _ in range(5):
        redis_client.xadd(EVENTS, {"payload": "{}"})
    settled, *_ = read(redis_client, 3)
    redis_client.xack(EVENTS, group, settled)
    redis_client.xdel(EVENTS, settled)
    found = backlog(settings)
    assert (found.entries, found.pending, found.lag) == (4, 2, 2)


def test_where_entries_are_kept_lag_is_what_redis_says(settings: Settings, redis_client: Any, group: str):
    for _ in range(5):
        redis_client.xadd(EVENTS, {"payload": "{}"})
    redis_client.xack(EVENTS, group, *read(redis_client, 3))
    found = backlog(settings, keep_events=True)
    assert (found.entries, found.pending, found.lag) == (5, 0, 2)


def test_lag_is_right_also_for_a_reader_who_does_not_know_that_entries_are_kept(
    settings: Settings, redis_client: Any, group: str
):
    for _ in range(3):
        redis_client.xadd(EVENTS, {"payload": "{}"})
    reply = redis_client.xreadgroup(group, "reader", {EVENTS: ">"})
    redis_client.xack(EVENTS, group, *[entry_id for _, entries in reply for entry_id, _ in entries])

    assert backlog(settings, keep_events=False).lag == 0


def test_a_second_group_is_named_and_makes_redis_the_judge_of_lag(settings: Settings, redis_client: Any, group: str):
    redis_client.xgroup_create(EVENTS, "archive", "0")
    redis_client.xadd(EVENTS, {"payload": "{}"})
    redis_client.xack(EVENTS, group, *read(redis_client, 1))
    found = backlog(settings)
    assert (found.entries, found.lag, [group.name for group in found.other_groups]) == (1, 0, ["archive"])


def test_of_another_group_it_is_known_what_it_still_needs(settings: Settings, redis_client: Any, group: str):
    now_ms = redis_client.time()[0] * 1000
    ids = [redis_client.xadd(EVENTS, {"payload": "{}"}, id=f"{now_ms - age * 1000}-0").decode() for age in (90, 60, 30)]
    redis_client.xgroup_create(EVENTS, "archive", "0")
    redis_client.xreadgroup("archive", "theirs", {EVENTS: ">"}, count=2)
    redis_client.xack(EVENTS, "archive", ids[0])

    (other,) = backlog(settings).other_groups

    assert (other.lag, other.pending, other.consumers, other.oldest_needed_id) == (1, 1, 1, ids[1])
    assert other.oldest_needed_seconds == pytest.approx(60, abs=5)
    assert other.idle_seconds == pytest.approx(0, abs=5)


def test_another_group_that_has_read_everything_needs_nothing(settings: Settings, redis_client: Any, group: str):
    redis_client.xadd(EVENTS, {"payload": "{}"})
    redis_client.xgroup_create(EVENTS, "archive", "$")

    (other,) = backlog(settings).other_groups

    assert (other.lag, other.oldest_needed_id, other.idle_seconds, other.is_idle(0)) == (0, None, None, False)


def test_another_group_is_idle_when_something_waits_and_nobody_reads(settings: Settings, redis_client: Any, group: str):
    redis_client.xadd(EVENTS, {"payload": "{}"}, id="7-0")
    redis_client.xgroup_create(EVENTS, "archive", "0")
    (other,) = backlog(settings).other_groups
    assert (other.oldest_needed_id, other.oldest_needed_seconds, other.is_idle(3600)) == ("7-0", None, True)

    redis_client.xgroup_createconsumer(EVENTS, "archive", "alive")
    (other,) = backlog(settings).other_groups
    assert (other.is_idle(3600), other.is_idle(-1)) == (False, True)


def test_a_lag_that_redis_does_not_know_is_unknown_and_not_zero(settings: Settings, redis_client: Any, group: str):
    ids = [redis_client.xadd(EVENTS, {"payload": "{}"}) for _ in range(3)]
    redis_client.xdel(EVENTS, ids[1])
    assert backlog(settings, keep_events=True).lag is None


def test_the_oldest_pending_entry_is_aged_by_when_it_came_in(settings: Settings, redis_client: Any, group: str):
    now_ms = redis_client.time()[0] * 1000
    redis_client.xadd(EVENTS, {"payload": "{}"}, id=f"{now_ms - 90_000}-0")
    redis_client.xadd(EVENTS, {"payload": "{}"})
    assert backlog(settings).oldest_pending_seconds is None
    read(redis_client, 2)
    assert backlog(settings).oldest_pending_seconds == pytest.approx(90, abs=5)


def test_ids_that_are_no_times_have_no_age(settings: Settings, redis_client: Any, group: str):
    redis_client.xadd(EVENTS, {"payload": "{}"}, id="7-0")
    read(redis_client, 1)
    found = backlog(settings)
    assert (found.pending, found.oldest_pending_seconds) == (1, None)


def test_consumers_are_listed_with_what_they_hold(settings: Settings, redis_client: Any, group: str):
    for _ in range(3):
        redis_client.xadd(EVENTS, {"payload": "{}"})
    read(redis_client, 2, "one")
    read(redis_client, 1, "two")
    held = {consumer.name: consumer.pending for consumer in backlog(settings).consumers}
    assert held == {"one": 2, "two": 1}


def test_results_and_dead_letters_are_counted(settings: Settings, redis_client: Any):
    redis_client.xadd(RESULTS, {"payload": "{}"})
    redis_client.xadd(DEAD_LETTERS, {"payload": "{}"})
    redis_client.xadd(DEAD_LETTERS, {"payload": "{}"})
    found = backlog(settings)
    assert (found.results, found.dead_letters) == (1, 2)
