"""Lets a client finish that is answered before its body was read, where the connection ends with the answer.

To close while something lies unread makes the kernel reset the connection, which may take the answer with it.
"""

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

SECONDS = 10.0


class UnreadBody:
    """An ASGI middleware. Where the connection stays open, the server drops the rest by itself."""

    def __init__(self, app: "ASGIApp", seconds: float = SECONDS) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Serve one request."""
        if scope["type"] != "http" or not _ends_its_connection(scope):
            await self._app(scope, receive, send)
            return
        body = _Body(receive)

        async def send_last(message: "Message") -> None:
            if message["type"] == "http.response.start":
                await body.drop(self._seconds)
            await send(message)

        await self._app(scope, body.receive, send_last)


class _Body:
    def __init__(self, receive: "Receive") -> None:
        self._receive = receive
        self._more = True

    async def receive(self) -> "Message":
        message = await self._receive()
        self._more = message.get("more_body", False)
        return message

    async def drop(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._more:
                    await self.receive()


def _ends_its_connection(scope: "Scope") -> bool:
    """Whoever waits to be told to go on has sent nothing yet, and is not told."""
    headers = {name: value.lower() for name, value in scope["headers"]}
    closes = headers.get(b"connection") == b"close" or scope["http_version"] == "1.0"
    return closes and b"expect" not in headers
