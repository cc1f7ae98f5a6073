"""Notices clients that hang up before they are answered. The SDK goes on for some of them, and nobody would read it."""

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

import anyio
from mcp.shared.exceptions import MCPError
from mcp.types import CONNECTION_CLOSED
from starlette.types import ASGIApp, Receive, Scope, Send

T = TypeVar("T")

_KEY = "eval_worker.gone"


class NoticeDepartures:
    """ASGI middleware: a request is over once it was answered or its client has gone."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        over = asyncio.Event()
        scope[_KEY] = over
        try:
            await self._app(scope, receive, send)
        finally:
            over.set()


async def while_connected(request: Any, work: Awaitable[T]) -> T:
    """Cancel the work when the HTTP request that asked for it is over. Without one (stdio) just do it.

    Raises:
        MCPError: the client has gone.
    """
    if request is None:
        return await work
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_cancel_after, request.scope[_KEY], tasks.cancel_scope)
        outcome = await work
        tasks.cancel_scope.cancel()
        return outcome
    raise MCPError(CONNECTION_CLOSED, "the client hung up")


async def _cancel_after(over: asyncio.Event, scope: anyio.CancelScope) -> None:
    await over.wait()
    scope.cancel()
