import asyncio
from typing import Any

import pytest

from eval_worker.redis_connection import connect
from eval_worker.settings import Settings
from eval_worker.stream.backlog import Backlog, read_backlog


def backlog(settings: Settings, *, keep_events: bool = False) -> Backlog:
    async def read() -> Backlog:
        client = connect(settings)
        try:
            return await read_backlog(
                client,
                events="eval-events",
                results="eval-results",
                dead_letters="eval-dead-letters",
                group="eval-group",
                keep_events=keep_events,
            )
        finally:
            await client.aclose()

    return asyncio.run(read())


@pytest.fixture
def group(redis_client: Any) -> str:
    redis_client.xgroup_create("eval-events", "eval-group", "0", mkstream=True)
    return "eval-group"


def read(redis_client: Any, count: int, consumer: str = "me") -> list[bytes]:
    reply = redis_client.xreadgroup("eval-group", consumer, {"eval-events": ">"}, count=count)
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
    redis_client.xadd("eval-events", {"payload": "{}"})
    found = backlog(settings)
    assert (found.entries, found.lag, found.pending, found.group_exists) == (1, 1, 0, False)


def test_lag_stays_known_when_settled_entries_are_deleted(settings: Settings, redis_client: Any, group: str):
    for _ in range(5):
        redis_client.xadd("eval-events", {"payload": "{}"})
    settled, *_ = read(redis_client, 3)
    redis_client.xack("eval-events", group, settled)
    redis_client.xdel("eval-events", settled)
    found = backlog(settings)
    assert (found.entries, found.pending, found.lag) == (4, 2, 2)


def test_where_entries_are_kept_lag_is_what_redis_says(settings: Settings, redis_client: Any, group: str):
    for _ in range(5):
        redis_client.xadd("eval-events", {"payload": "{}"})
    redis_client.xack("eval-events", group, *read(redis_client, 3))
    found = backlog(settings, keep_events=True)
    assert (found.entries, found.pending, found.lag) == (5, 0, 2)


def test_lag_is_right_also_for_a_reader_who_does_not_know_that_entries_are_kept(
    settings: Settings, redis_client: Any, group: str
):
    for _ in range(3):
        redis_client.xadd("eval-events", {"payload": "{}"})
    reply = redis_client.xreadgroup(group, "reader", {"eval-events": ">"})
    redis_client.xack("eval-events", group, *[entry_id for _, entries in reply for entry_id, _ in entries])

    assert backlog(settings, keep_events=False).lag == 0


def test_a_second_group_is_named_and_makes_redis_the_judge_of_lag(settings: Settings, redis_client: Any, group: str):
    redis_client.xgroup_create("eval-events", "archive", "0")
    redis_client.xadd("eval-events", {"payload": "{}"})
    redis_client.xack("eval-events", group, *read(redis_client, 1))
    found = backlog(settings)
    assert (found.entries, found.lag, [group.name for group in found.other_groups]) == (1, 0, ["archive"])


def test_a_lag_that_redis_does_not_know_is_unknown_and_not_zero(settings: Settings, redis_client: Any, group: str):
    ids = [redis_client.xadd("eval-events", {"payload": "{}"}) for _ in range(3)]
    redis_client.xdel("eval-events", ids[1])
    assert backlog(settings, keep_events=True).lag is None


def test_the_oldest_pending_entry_is_aged_by_when_it_came_in(settings: Settings, redis_client: Any, group: str):
    now_ms = redis_client.time()[0] * 1000
    redis_client.xadd("eval-events", {"payload": "{}"}, id=f"{now_ms - 90_000}-0")
    redis_client.xadd("eval-events", {"payload": "{}"})
    assert backlog(settings).oldest_pending_seconds is None
    read(redis_client, 2)
    assert backlog(settings).oldest_pending_seconds == pytest.approx(90, abs=5)


def test_ids_that_are_no_times_have_no_age(settings: Settings, redis_client: Any, group: str):
    redis_client.xadd("eval-events", {"payload": "{}"}, id="7-0")
    read(redis_client, 1)
    found = backlog(settings)
    assert (found.pending, found.oldest_pending_seconds) == (1, None)


def test_consumers_are_listed_with_what_they_hold(settings: Settings, redis_client: Any, group: str):
    for _ in range(3):
        redis_client.xadd("eval-events", {"payload": "{}"})
    read(redis_client, 2, "one")
    read(redis_client, 1, "two")
    held = {consumer.name: consumer.pending for consumer in backlog(settings).consumers}
    assert held == {"one": 2, "two": 1}


def test_results_and_dead_letters_are_counted(settings: Settings, redis_client: Any):
    redis_client.xadd("eval-results", {"payload": "{}"})
    redis_client.xadd("eval-dead-letters", {"payload": "{}"})
    redis_client.xadd("eval-dead-letters", {"payload": "{}"})
    found = backlog(settings)
    assert (found.results, found.dead_letters) == (1, 2)
