"""Just enough HTTP/1.1 for clients of providers, and curl: keep-alive, Content-Length, one request at a time."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus

from eval_worker.testing.fake_provider.response import Response

HOST = "127.0.0.1"
_BACKLOG = 1024
_HEAD_END = b"\r\n\r\n"


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """`headers` are named in lower case."""

    method: str
    path: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


# The context lasts until all but the end of the response is sent, so that a handler knows when a call is over, however
# it ended, and a client that has its answer finds it counted as over.
Handler = Callable[[HttpRequest], AbstractAsyncContextManager[Response]]


@asynccontextmanager
async def http_server(handler: Handler, port: int = 0) -> AsyncGenerator[int, None]:
    """Serve on 127.0.0.1 and yield the port. On the way out every connection is cut."""
    connections: set[_Connection] = set()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Connection(handler, connections), HOST, port, backlog=_BACKLOG)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await asyncio.gather(*(connection.cut() for connection in tuple(connections)), return_exceptions=True)
        await server.wait_closed()


class _Connection(asyncio.Protocol):
    """One client. What arrives while a request is being answered waits in the buffer."""

    def __init__(self, handler: Handler, connections: set["_Connection"]) -> None:
        self._handler = handler
        self._connections = connections
        self._buffer = b""
        self._transport: asyncio.Transport | None = None
        self._answering: asyncio.Task[None] | None = None
        self._closed = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if not isinstance(transport, asyncio.Transport):
            raise TypeError(f"a stream transport is needed, not {transport!r}")
        self._transport = transport
        self._connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self._connections.discard(self)
        if self._answering:
            self._answering.cancel()
        if not self._closed.done():
            self._closed.set_result(None)

    async def cut(self) -> None:
        if self._transport:
            self._transport.abort()
        await self._closed

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        self._answer_next()

    def _answer_next(self) -> None:
        if self._answering is not None or self._transport is None:
            return
        head_end = self._buffer.find(_HEAD_END)
        if head_end < 0:
            return
        request_line, headers = _parse_head(self._buffer[:head_end])
        body_start = head_end + len(_HEAD_END)
        body_end = body_start + int(headers.get("content-length", 0))
        if len(self._buffer) < body_end:
            if headers.get("expect", "").lower() == "100-continue" and len(self._buffer) == body_start:
                self._transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            return
        method, path, _version = request_line.split(" ", 2)
        request = HttpRequest(method, path, self._buffer[body_start:body_end], headers)
        self._buffer = self._buffer[body_end:]
        self._answering = asyncio.get_running_loop().create_task(self._answer(request, self._transport))

    async def _answer(self, request: HttpRequest, transport: asyncio.Transport) -> None:
        async with self._handler(request) as response:
            unsent = await _send_slowly(transport, response)
        _send_rest(transport, response, unsent)
        self._answering = None
        self._answer_next()


def _parse_head(head: bytes) -> tuple[str, dict[str, str]]:
    request_line, *lines = head.decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in lines)
    return request_line, {name.strip().lower(): value.strip() for name, _colon, value in pairs}


async def _send_slowly(transport: asyncio.Transport, response: Response) -> bytes:
    """Send what takes time, and return what is left to be sent at once."""
    head = _head(response)
    if not response.pause_per_byte:
        return head + response.body
    transport.write(head)
    for byte in response.body[:-1]:
        await asyncio.sleep(response.pause_per_byte)
        transport.write(bytes([byte]))
    await asyncio.sleep(response.pause_per_byte)
    return response.body[-1:]


def _send_rest(transport: asyncio.Transport, response: Response, unsent: bytes) -> None:
    if response.cut_after is None:
        transport.write(unsent)
    elif response.cut_after == 0:
        transport.abort()
    else:
        transport.write(unsent[: len(unsent) - len(response.body) + response.cut_after])
        transport.close()


def _head(response: Response) -> bytes:
    known = response.status in HTTPStatus.__members__.values()
    phrase = HTTPStatus(response.status).phrase if known else "Unknown"
    headers = (
        ("Content-Type", "application/json"),
        ("Content-Length", str(len(response.body))),
        *response.headers,
    )
    lines = [f"HTTP/1.1 {response.status} {phrase}", *(f"{name}: {value}" for name, value in headers)]
    return "\r\n".join(lines).encode("latin-1") + _HEAD_END
