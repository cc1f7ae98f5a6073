"""Ending tasks that may not hear it the first time."""

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

ASK_AGAIN_SECONDS = 0.1
MOST_TIMES = 20


async def cancel_and_wait(tasks: "Iterable[asyncio.Task[Any]]") -> None:
    """Cancel the tasks and wait until they have ended. What they raise is dropped.

    Before Python 3.12 `asyncio.wait_for`, through which the Redis client sends every command, can swallow a
    cancellation that arrives as the command goes out. So it is repeated; after two seconds the deaf are left to
    themselves, since nothing may hold up the end of the process.
    """
    tasks = list(tasks)
    for _ in range(MOST_TIMES):
        running = [task for task in tasks if not task.done()]
        if not running:
            break
        for task in running:
            task.cancel()
        await asyncio.wait(running, timeout=ASK_AGAIN_SECONDS)
    await asyncio.gather(*(task for task in tasks if task.done()), return_exceptions=True)
