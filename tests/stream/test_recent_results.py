"""The newest results are known without reading any of them twice."""

import asyncio
from typing import Any

import pytest
from tests.stored_results import add_result, make_result

from eval_worker.redis_connection import connect
from eval_worker.settings import Settings
from eval_worker.stream.recent_results import RecentResults


def names(results: RecentResults) -> list[str]:
    return [each.event_id for each in results.facts]


def add(redis_client: Any, settings: Settings, *event_ids: str) -> None:
    pipeline = redis_client.pipeline(transaction=False)
    for event_id in event_ids:
        add_result(pipeline, make_result(event_id), key=settings.redis_result_stream)
    pipeline.execute()


def read(settings: Settings, *, most: int, steps: Any) -> RecentResults:
    """Catch up, and again after each of the steps."""

    async def run() -> RecentResults:
        async with connect(settings) as client:
            results = RecentResults(client, settings.redis_result_stream, most=most)
            await results.catch_up()
            for step in steps:
                step()
                await results.catch_up()
            return results

    return asyncio.run(run())


def test_what_comes_later_is_added_at_its_end(operator_settings: Settings, redis_client: Any):
    add(redis_client, operator_settings, *(f"e{number}" for number in range(600)))

    results = read(
        operator_settings,
        most=10_000,
        steps=[lambda: add(redis_client, operator_settings, "new-1", "new-2"), lambda: None],
    )

    assert names(results) == [*(f"e{number}" for number in range(600)), "new-1", "new-2"]
    assert results.reaches_back
    assert results.entries == 602


def test_of_very_many_the_newest_are_kept(operator_settings: Settings, redis_client: Any):
    add(redis_client, operator_settings, *(f"e{number}" for number in range(400)))

    results = read(operator_settings, most=300, steps=[lambda: add(redis_client, operator_settings, "new")])

    assert names(results) == [*(f"e{number}" for number in range(101, 400)), "new"]
    assert results.entries == 401


def test_the_first_result_of_an_empty_stream_is_seen(operator_settings: Settings, redis_client: Any):
    results = read(operator_settings, most=10, steps=[lambda: add(redis_client, operator_settings, "first")])

    assert names(results) == ["first"]


def test_a_stream_that_was_deleted_is_forgotten(operator_settings: Settings, redis_client: Any):
    add(redis_client, operator_settings, "old")

    def begin_anew() -> None:
        redis_client.delete(operator_settings.redis_result_stream)

    results = read(operator_settings, most=10, steps=[begin_anew, lambda: add(redis_client, operator_settings, "new")])

    assert names(results) == ["new"]


def test_what_is_no_result_is_left_out_and_read_over(operator_settings: Settings, redis_client: Any):
    redis_client.xadd(operator_settings.redis_result_stream, {"payload": "{}"})
    add(redis_client, operator_settings, "a")

    assert names(read(operator_settings, most=10, steps=[lambda: add(redis_client, operator_settings, "b")])) == [
        "a",
        "b",
    ]


def test_results_as_large_as_books_are_held_a_few_at_a_time(operator_settings: Settings, redis_client: Any):
    book = {"user_query": "q", "answer": "x" * 200_000}
    for number in range(30):
        add_result(redis_client, make_result(f"e{number}", interaction=book), key=operator_settings.redis_result_stream)

    results = read(operator_settings, most=20, steps=[])

    assert names(results) == [f"e{number}" for number in range(10, 30)]


def test_a_look_back_that_broke_off_is_gone_on_with(operator_settings: Settings, redis_client: Any):
    add(redis_client, operator_settings, *(f"e{number}" for number in range(600)))

    async def run() -> RecentResults:
        async with connect(operator_settings) as client:
            results = RecentResults(_BreaksOnce(client), operator_settings.redis_result_stream)  # type: ignore[arg-type]
            with pytest.raises(OSError, match="cable"):
                await results.catch_up()
            assert names(results) == [f"e{number}" for number in range(344, 600)]
            await results.catch_up()
            return results

    assert names(asyncio.run(run())) == [f"e{number}" for number in range(600)]


class _BreaksOnce:
    """A client whose second look back fails."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._looks = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    async def xrevrange(self, *given: Any, **named: Any) -> Any:
        self._looks += 1
        if self._looks == 2:
            raise OSError("cable")
        return await self._client.xrevrange(*given, **named)
