"""Work for a client that may hang up before it is done."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from fastapi import Request
from starlette.requests import ClientDisconnect

from eval_worker.stream.cancellation import cancel_and_wait

T = TypeVar("T")


async def while_connected(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Do the work, or cancel it when nobody waits for it any more. The request's body must have been read.

    Raises:
        ClientDisconnect: the client hung up.
    """
    working, listening = asyncio.create_task(work), asyncio.create_task(_hang_up(request))
    try:
        await asyncio.wait((working, listening), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise ClientDisconnect
    finally:
        await cancel_and_wait((working, listening))


async def _hang_up(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
