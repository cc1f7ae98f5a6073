"""The network between the workers and the server, which can fail without either of them."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from random import Random
from typing import Self

CHUNK = 65_536
HOST = "127.0.0.1"


def _flowing() -> asyncio.Event:
    event = asyncio.Event()
    event.set()
    return event


@dataclass(eq=False, slots=True)
class _Connection:
    task: asyncio.Task[None]
    flowing: asyncio.Event = field(default_factory=_flowing)


class Network:
    """Carries bytes both ways, in one connection to the server for each of a worker's."""

    def __init__(self, server_port: int) -> None:
        self._server_port = server_port
        self._listener: asyncio.Server | None = None
        self._connections: set[_Connection] = set()
        self._replies_lost = 0  # faults of a kind may overlap
        self._delays: list[float] = []

    async def __aenter__(self) -> Self:
        self._listener = await asyncio.start_server(self._connect, HOST, 0)
        return self

    async def __aexit__(self, *_exception: object) -> None:
        assert self._listener is not None
        self._listener.close()
        tasks = [connection.task for connection in self._connections]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def addr(self) -> str:
        assert self._listener is not None
        return f"{HOST}:{self._listener.sockets[0].getsockname()[1]}"

    @asynccontextmanager
    async def losing_replies(self) -> AsyncGenerator[None]:
        """Commands arrive and are carried out, and nobody hears of it; in the end the connections break."""
        self._replies_lost += 1
        try:
            yield
        finally:
            self._replies_lost -= 1
            for connection in self._connections:
                connection.task.cancel()

    @asynccontextmanager
    async def half_stalled(self, random: Random) -> AsyncGenerator[None]:
        """On every second connection nothing arrives, and none breaks; when it is over, what was sent arrives late.

        By then its sender may have asked again elsewhere, and others may have taken over what it was about.
        """
        stalled = [connection for connection in self._connections if random.random() < 0.5]
        for connection in stalled:
            connection.flowing.clear()
        try:
            yield
        finally:
            for connection in stalled:
                connection.flowing.set()

    @asynccontextmanager
    async def slow(self, seconds: float) -> AsyncGenerator[None]:
        """Each piece takes so long."""
        self._delays.append(seconds)
        try:
            yield
        finally:
            self._delays.remove(seconds)

    async def _connect(self, from_worker: asyncio.StreamReader, to_worker: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        connection = _Connection(task)
        self._connections.add(connection)
        try:
            # A cancelled or broken connection is the purpose here, not an error.
            with suppress(OSError, asyncio.CancelledError):
                await self._carry(connection, from_worker, to_worker)
        finally:
            self._connections.discard(connection)
            to_worker.transport.abort()

    async def _carry(
        self, connection: _Connection, from_worker: asyncio.StreamReader, to_worker: asyncio.StreamWriter
    ) -> None:
        from_server, to_server = await asyncio.open_connection(HOST, self._server_port)
        ways = [
            asyncio.create_task(self._pump(connection, from_worker, to_server, is_reply=False)),
            asyncio.create_task(self._pump(connection, from_server, to_worker, is_reply=True)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            to_server.transport.abort()

    async def _pump(
        self, connection: _Connection, source: asyncio.StreamReader, target: asyncio.StreamWriter, *, is_reply: bool
    ) -> None:
        while piece := await source.read(CHUNK):
            await connection.flowing.wait()
            await asyncio.sleep(sum(self._delays))
            if is_reply and self._replies_lost:
                continue
            target.write(piece)
            await target.drain()
