"""Ending tasks that may not hear it the first time."""

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

ASK_AGAIN_SECONDS = 0.1


async def cancel_and_wait(tasks: "Iterable[asyncio.Task[Any]]") -> None:
    """Cancel the tasks and wait until they have ended; what they raise is dropped.

    Before Python 3.12 `asyncio.wait_for`, through which the Redis client sends every command, can swallow a
    cancellation that arrives as the command goes out. So it is repeated until it is heard.
    """
    tasks = list(tasks)
    while running := [task for task in tasks if not task.done()]:
        for task in running:
            task.cancel()
        await asyncio.wait(running, timeout=ASK_AGAIN_SECONDS)
    await asyncio.gather(*tasks, return_exceptions=True)
