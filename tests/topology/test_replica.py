"""Failover without a sentinel: the server that we are connected to is a read-only replica now."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.failures.switchable_model import SwitchableModel
from tests.servers.binaries import server_binary
from tests.servers.cluster import ask, plain_client, text
from tests.servers.kinds import STREAMS
from tests.servers.ports import free_port
from tests.stream.working import working
from tests.topology.accounting import Load
from tests.waiting import eventually, eventually_sync

from eval_worker.embedded import HOST, EmbeddedServer
from eval_worker.settings import Settings, load_settings

WITHIN = 90.0


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[EmbeddedServer, EmbeddedServer]]:
    """A primary and its replica."""
    config = {"appendonly": "no", "repl-diskless-sync-delay": "0"}
    first, second = (
        EmbeddedServer.on_port(free_port(), tmp_path / name, binary=server_binary(), config=config)
        for name in ("first", "second")
    )
    with first, second:
        ask(second, "REPLICAOF", HOST, first.port)
        eventually_sync(lambda: "master_link_status:up" in text(second, "INFO", "replication"), within=WITHIN)
        yield first, second


def settings_at(port: int) -> Settings:
    return load_settings(
        redis_addr=f"{HOST}:{port}", **STREAMS, judge_model="offline", lease_seconds=2.0, concurrency=4
    )


def test_a_primary_that_is_a_replica_for_a_while_is_waited_for(pair: tuple[EmbeddedServer, EmbeddedServer]):
    primary, _ = pair
    settings = settings_at(primary.port or 0)
    load = Load(settings, lambda: plain_client(primary))

    async def scenario() -> None:
        async with working(settings, SwitchableModel(latency=0.1)) as parts:
            await load.send(30)
            ask(primary, "REPLICAOF", HOST, 1)
            await eventually(lambda: "ReadOnlyError" in (parts.health.not_ready() or ""), within=WITHIN)
            ask(primary, "REPLICAOF", "NO", "ONE")
            await load.send(10)
            await load.all_judged(within=WITHIN)
            await eventually(lambda: parts.health.not_ready() is None, within=WITHIN)

    asyncio.run(scenario())


class Address:
    """A name that leads to one server and later to another; connections that are there stay where they are."""

    def __init__(self, target: EmbeddedServer) -> None:
        self.target = target
        self.port = 0

    @asynccontextmanager
    async def served(self) -> AsyncGenerator[None]:
        server = await asyncio.start_server(self._forward, HOST, 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield
        finally:
            server.close()

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection(HOST, self.target.port)
        await asyncio.gather(_pump(reader, there_writer), _pump(there_reader, writer))


async def _pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    try:
        while data := await source.read(65_536):
            target.write(data)
            await target.drain()
    except ConnectionError:
        pass
    finally:
        target.close()


def test_an_address_that_leads_to_the_new_primary_now_is_connected_to_again(
    pair: tuple[EmbeddedServer, EmbeddedServer],
):
    """The old primary still answers on the connections that are there: only its refusals tell that it is none."""
    first, second = pair
    address = Address(first)

    def at_the_address() -> Any:
        return plain_client(address.target)

    async def scenario() -> None:
        async with address.served():
            settings = settings_at(address.port)
            load = Load(settings, at_the_address, replicas=1)
            async with working(settings, SwitchableModel(latency=0.1)) as parts:
                await load.send(30)
                ask(second, "REPLICAOF", "NO", "ONE")
                address.target = second
                ask(first, "REPLICAOF", HOST, second.port)
                await load.send(10)
                await load.all_judged(within=WITHIN)
                await eventually(lambda: parts.health.not_ready() is None, within=WITHIN)

    asyncio.run(scenario())
