"""Side by side: a task for each that has to wait but one, and none for those that do not."""

import asyncio
import contextvars
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import pytest

from eval_worker.evaluation.judges.side_by_side import side_by_side


async def at_once(value: int) -> int:
    return value


async def late(value: int, seconds: float = 0.01) -> int:
    await asyncio.sleep(seconds)
    return value


async def buggy() -> int:
    await asyncio.sleep(0)
    raise ZeroDivisionError


def in_a_loop(*coroutines: Coroutine[Any, Any, int]) -> list[int]:
    return asyncio.run(side_by_side(coroutines))


def test_results_come_in_order_whoever_has_to_wait():
    assert in_a_loop(at_once(1), late(2, 0.02), late(3), at_once(4), late(5)) == [1, 2, 3, 4, 5]


def test_what_never_waits_runs_in_the_callers_task():
    async def task_name() -> str:
        task = asyncio.current_task()
        return task.get_name() if task else "none"

    async def scenario() -> bool:
        return await side_by_side([task_name(), task_name()]) == [await task_name()] * 2

    assert asyncio.run(scenario())


def test_a_deadline_that_was_set_before_the_first_wait_cuts_off_nothing_else():
    async def cut_off() -> int:
        try:
            async with asyncio.timeout(0.01):
                return await late(1, 60)
        except TimeoutError:
            return -1

    assert in_a_loop(cut_off(), late(2, 0.05), cut_off()) == [-1, 2, -1]


def test_what_has_to_wait_ends_in_the_context_in_which_it_began():
    variable = contextvars.ContextVar("variable", default=0)

    async def sets_and_resets(value: int) -> int:
        token = variable.set(value)
        await asyncio.sleep(0)
        variable.reset(token)  # raises in any other context
        return variable.get()

    assert in_a_loop(sets_and_resets(1), sets_and_resets(2)) == [0, 0]


def test_an_error_reaches_what_waits_for_it():
    async def fails() -> None:
        await asyncio.sleep(0)
        raise ValueError("no")

    async def catches() -> int:
        try:
            await asyncio.create_task(fails())
        except ValueError:
            return await late(1)
        return 0

    assert in_a_loop(catches(), late(2)) == [1, 2]


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (1, 2, 0)])
def test_a_bug_is_raised_as_it_is_and_ends_the_others(order: tuple[int, int, int]):
    ended: list[int] = []

    async def endless(number: int) -> int:
        try:
            return await late(number, 60)
        finally:
            ended.append(number)

    makers: tuple[Callable[[], Coroutine[Any, Any, int]], ...] = (buggy, lambda: endless(1), lambda: endless(2))

    with pytest.raises(ZeroDivisionError):
        asyncio.run(side_by_side(makers[at]() for at in order))

    assert sorted(ended) == [1, 2]


def test_a_bug_before_anything_waits_begins_nothing_more():
    begun: list[int] = []

    async def begins(number: int) -> int:
        begun.append(number)
        return 1 // number

    with pytest.raises(ZeroDivisionError):
        asyncio.run(side_by_side(begins(number) for number in (1, 0, 2)))

    assert begun == [1, 0]


def test_a_cancellation_reaches_all_of_them():
    ended: list[int] = []

    async def endless(number: int) -> int:
        try:
            return await late(number, 60)
        finally:
            ended.append(number)

    async def scenario() -> bool:
        waiting: Awaitable[object] = asyncio.create_task(side_by_side(endless(number) for number in range(3)))
        await asyncio.sleep(0.01)
        assert isinstance(waiting, asyncio.Task)
        waiting.cancel()
        await asyncio.wait([waiting])
        return waiting.cancelled()

    assert asyncio.run(scenario())
    assert sorted(ended) == [0, 1, 2]
