"""The one reader behind the page: it begins with the first viewer and ends after the last."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from tests.servers.kinds import RESULTS
from tests.stored_results import add_result, make_result
from tests.waiting import POLL_SECONDS, eventually

from eval_worker.doors.http_api.dashboard import watch as watching
from eval_worker.doors.http_api.dashboard.dashboard import Dashboard
from eval_worker.doors.http_api.dashboard.watch import IDLE_SECONDS, Sight, Watch
from eval_worker.errors import SettingsError
from eval_worker.redis_connection import connect
from eval_worker.settings import Settings, load_settings


class Clock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def watched(settings: Settings, look_on: Callable[[Watch, Clock], Awaitable[None]]) -> None:
    async def run() -> None:
        clock = Clock()
        async with connect(settings) as client:
            watch = Watch(client, settings, clock)
            await look_on(watch, clock)
            await watch.close()
            assert not watch.is_reading

    asyncio.run(run())


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "POLL_SECONDS", 0.01)


def test_nothing_is_read_before_somebody_looks_nor_after_the_last_viewer_left(settings: Settings, redis_client: Any):
    add_result(redis_client, make_result("a"), key=RESULTS)

    async def look_on(watch: Watch, clock: Clock) -> None:
        assert not watch.is_reading
        assert [each.event_id for each in (await watch.look()).facts] == ["a"]
        clock.seconds += IDLE_SECONDS - 1
        await watch.look()
        clock.seconds += IDLE_SECONDS - 1
        assert watch.is_reading
        clock.seconds += 2
        await eventually(lambda: not watch.is_reading)
        add_result(redis_client, make_result("b"), key=RESULTS)
        assert [each.event_id for each in (await watch.look()).facts] == ["a", "b"]

    watched(settings, look_on)


def test_a_redis_that_refuses_is_a_problem_and_what_was_read_before_stays(settings: Settings, redis_client: Any):
    add_result(redis_client, make_result("a"), key=RESULTS)

    async def look_on(watch: Watch, _clock: Clock) -> None:
        await watch.look()
        redis_client.rename(RESULTS, "elsewhere")
        redis_client.set(RESULTS, "not a stream")
        refused = await seen(watch, lambda sight: sight.problem is not None)
        assert "WRONGTYPE" in str(refused.problem)
        assert [each.event_id for each in refused.facts] == ["a"]
        redis_client.rename("elsewhere", RESULTS)
        await seen(watch, lambda sight: sight.problem is None)

    watched(settings, look_on)


async def seen(watch: Watch, wanted: Callable[[Sight], bool]) -> Sight:
    """Look until it is as wanted."""
    async with asyncio.timeout(60):
        while not wanted(sight := await watch.look()):  # noqa: ASYNC110 (Redis tells nobody)
            await asyncio.sleep(POLL_SECONDS)
    return sight


def test_a_cluster_whose_keys_lie_apart_is_refused_at_the_start():
    with pytest.raises(SettingsError, match="lie in different slots"):
        Dashboard(load_settings(redis_cluster=True))
