"""The newest results are known without reading any of them twice."""

import asyncio
from typing import Any

import pytest
from tests.stored_results import add_many, add_result, make_result

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


@pytest.mark.parametrize("small_ones_before", [0, 100])
def test_few_megabytes_of_results_are_held_at_once_however_large_they_are(
    operator_settings: Settings, redis_client: Any, small_ones_before: int
):
    key = operator_settings.redis_result_stream
    book = {"user_query": "q", "answer": "x" * 1_000_000}

    async def run() -> None:
        async with connect(operator_settings) as client:
            measured = _Measured(client)
            results = RecentResults(measured, key)  # type: ignore[arg-type]
            if small_ones_before:
                add_many(redis_client, small_ones_before, key=key)
                await results.catch_up()
            add_many(redis_client, 40, key=key, interaction=book)
            await results.catch_up()
            assert len(results.facts) == small_ones_before + 40
            assert measured.largest_page <= 10_000_000

    asyncio.run(run())


def test_what_was_trimmed_is_dropped(operator_settings: Settings, redis_client: Any):
    add(redis_client, operator_settings, "a", "b", "c")

    def trim() -> None:
        redis_client.xtrim(operator_settings.redis_result_stream, maxlen=1, approximate=False)

    results = read(operator_settings, most=10, steps=[trim])

    assert names(results) == ["c"]
    assert results.changes > read(operator_settings, most=10, steps=[]).changes


def test_a_stream_that_was_deleted_and_written_to_between_two_looks_holds_what_was_written(
    operator_settings: Settings, redis_client: Any
):
    add(redis_client, operator_settings, "old-1", "old-2")

    def begin_anew() -> None:
        redis_client.delete(operator_settings.redis_result_stream)
        add(redis_client, operator_settings, "new")

    results = read(operator_settings, most=10, steps=[begin_anew])

    assert (names(results), results.entries) == (["new"], 1)


def test_a_stream_that_begins_anew_with_lower_ids_is_followed(operator_settings: Settings, redis_client: Any):
    key = operator_settings.redis_result_stream
    add(redis_client, operator_settings, "old-1", "old-2")

    def begin_anew() -> None:
        redis_client.delete(key)
        add_result(redis_client, make_result("new-1"), entry_id="1000-1", key=key)

    def go_on() -> None:
        add_result(redis_client, make_result("new-2"), entry_id="1000-2", key=key)

    assert names(read(operator_settings, most=10, steps=[begin_anew, go_on])) == ["new-1", "new-2"]


def test_a_look_back_that_broke_off_is_gone_on_with(operator_settings: Settings, redis_client: Any):
    add(redis_client, operator_settings, *(f"e{number}" for number in range(600)))

    async def run() -> RecentResults:
        async with connect(operator_settings) as client:
            results = RecentResults(_BreaksOnce(client), operator_settings.redis_result_stream)  # type: ignore[arg-type]
            with pytest.raises(OSError, match="cable"):
                await results.catch_up()
            assert names(results) == [f"e{number}" for number in range(588, 600)]
            await results.catch_up()
            return results

    assert names(asyncio.run(run())) == [f"e{number}" for number in range(600)]


class _BreaksOnce:
    """A client whose third look back fails."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._looks = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    async def xrevrange(self, *given: Any, **named: Any) -> Any:
        if "max" in named:
            self._looks += 1
            if self._looks == 3:
                raise OSError("cable")
        return await self._client.xrevrange(*given, **named)


class _Measured:
    """A client that remembers the bytes of the largest page it read."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.largest_page = 0

    async def xlen(self, key: str) -> int:
        return await self._client.xlen(key)

    async def xrange(self, *given: Any, **named: Any) -> Any:
        return self._measured(await self._client.xrange(*given, **named))

    async def xrevrange(self, *given: Any, **named: Any) -> Any:
        return self._measured(await self._client.xrevrange(*given, **named))

    def _measured(self, page: Any) -> Any:
        self.largest_page = max(self.largest_page, sum(len(fields[b"payload"]) for _, fields in page))
        return page
