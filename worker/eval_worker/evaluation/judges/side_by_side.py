"""Awaits several things at once, and leaves none of them running."""

import asyncio
from collections.abc import Awaitable, Coroutine, Iterable
from contextvars import Context, copy_context
from typing import Any, TypeVar

from eval_worker.evaluation.judges.waiting import Waiting

T = TypeVar("T")


async def side_by_side(coroutines: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Return their results in order. Where one raises, which is a bug, the others are cancelled and it is raised.

    They are begun one after the other in the caller's task. The first that has to wait goes on there, and only then do
    those after it get tasks of their own: a task costs more than all that a judge does whose model answers at once.
    """
    results: list[T] = []
    context = copy_context()  # what the one that goes on here has set is not for the others
    left = iter(coroutines)
    for coroutine in left:
        try:
            waits_for = coroutine.send(None)
        except StopIteration as end:
            results.append(end.value)
        else:
            results += await _all_at_once(Waiting(coroutine, waits_for), left, context)
    return results


async def _all_at_once(first: Awaitable[T], others: Iterable[Coroutine[Any, Any, T]], context: Context) -> list[T]:
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(coroutine, context=context.copy()) for coroutine in others]
            results = [await first]
    except BaseExceptionGroup as bugs:
        raise bugs.exceptions[0] from None
    return results + [task.result() for task in tasks]
