"""The network between the workers and the server, which can fail without either of them."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Self

CHUNK = 65_536
HOST = "127.0.0.1"


class Network:
    """Carries bytes both ways. Only one of its faults at a time.

    `losing_replies`: commands arrive and are carried out, and nobody hears of it. `stalled`: nothing arrives, and no
    connection breaks; when it is over, what was sent arrives late. `slow`: each piece takes so many seconds.
    """

    def __init__(self, server_port: int) -> None:
        self._server_port = server_port
        self._listener: asyncio.Server | None = None
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._connections: set[asyncio.Task[None]] = set()
        self._losing_replies = False
        self._slow = 0.0
        self.busy = asyncio.Lock()

    async def __aenter__(self) -> Self:
        self._listener = await asyncio.start_server(self._connect, HOST, 0)
        return self

    async def __aexit__(self, *_exception: object) -> None:
        assert self._listener is not None
        self._listener.close()
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    @property
    def addr(self) -> str:
        assert self._listener is not None
        return f"{HOST}:{self._listener.sockets[0].getsockname()[1]}"

    @asynccontextmanager
    async def losing_replies(self) -> AsyncGenerator[None]:
        """Replies are lost, and in the end so are the connections that waited for them."""
        async with self.busy:
            self._losing_replies = True
            try:
                yield
            finally:
                self._losing_replies = False
                for connection in self._connections:
                    connection.cancel()

    @asynccontextmanager
    async def stalled(self) -> AsyncGenerator[None]:
        async with self.busy:
            self._flowing.clear()
            try:
                yield
            finally:
                self._flowing.set()

    @asynccontextmanager
    async def slow(self, seconds: float) -> AsyncGenerator[None]:
        async with self.busy:
            self._slow = seconds
            try:
                yield
            finally:
                self._slow = 0.0

    async def _connect(self, from_worker: asyncio.StreamReader, to_worker: asyncio.StreamWriter) -> None:
        connection = asyncio.current_task()
        assert connection is not None
        self._connections.add(connection)
        try:
            # A cancelled or broken connection is the purpose here, not an error.
            with suppress(OSError, asyncio.CancelledError):
                await self._carry(from_worker, to_worker)
        finally:
            self._connections.discard(connection)
            to_worker.transport.abort()

    async def _carry(self, from_worker: asyncio.StreamReader, to_worker: asyncio.StreamWriter) -> None:
        from_server, to_server = await asyncio.open_connection(HOST, self._server_port)
        ways = [
            asyncio.create_task(self._pump(from_worker, to_server, is_reply=False)),
            asyncio.create_task(self._pump(from_server, to_worker, is_reply=True)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            to_server.transport.abort()

    async def _pump(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, *, is_reply: bool) -> None:
        while piece := await source.read(CHUNK):
            await self._flowing.wait()
            if self._slow:
                await asyncio.sleep(self._slow)
            if is_reply and self._losing_replies:
                continue
            target.write(piece)
            await target.drain()
