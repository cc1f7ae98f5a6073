"""Redis dies, forgets, cuts us off, hangs: every event still has exactly one result."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.events import DEAD_LETTERS, EVENTS, GROUP, RESULTS, event, results, send
from tests.failures.switchable_model import SwitchableModel
from tests.servers.binaries import server_binary
from tests.servers.kinds import STREAMS
from tests.servers.suite_server import SuiteServer
from tests.stream.working import with_settings, working
from tests.waiting import eventually

from eval_worker.embedded import EmbeddedServer
from eval_worker.redis_connection import REDIS_ERRORS, connect_sync
from eval_worker.settings import Settings, load_settings

COUNT = 60


@pytest.fixture
def durable(tmp_path: Path, free_port: int) -> Iterator[EmbeddedServer]:
    """A server with an append-only file, for this test to kill."""
    config = {"appendfsync": "always"}
    with EmbeddedServer.on_port(free_port, tmp_path / "data", binary=server_binary(), config=config) as server:
        yield server


@pytest.fixture
def durable_settings(durable: EmbeddedServer) -> Settings:
    made = load_settings(redis_addr=durable.addr, **STREAMS, judge_model="offline")
    return with_settings(made, lease_seconds=2.0, concurrency=4)


@pytest.fixture
def durable_client(durable_settings: Settings) -> Iterator[Any]:
    with connect_sync(durable_settings) as client:
        yield client


@pytest.fixture
def quick_settings(settings: Settings) -> Settings:
    return with_settings(settings, lease_seconds=2.0, concurrency=4)


def expect_one_result_each(client: Any) -> None:
    assert sorted(result["id"] for result in results(client)) == sorted(f"evt-{number}" for number in range(COUNT))
    assert client.xlen(DEAD_LETTERS) == 0


def judge_through(settings: Settings, client: Any, disturb: Callable[[], object]) -> None:
    """Judge 60 events, disturb after the first results, wait for the rest."""
    for number in range(COUNT):
        send(client, event(f"evt-{number}"))

    def count() -> int:
        try:
            return len({result["id"] for result in results(client)})
        except REDIS_ERRORS:  # the server is away
            return 0

    async def scenario() -> None:
        async with working(settings, SwitchableModel(latency=0.05)):
            await eventually(lambda: count() >= 5)
            disturb()
            await eventually(lambda: count() == COUNT)

    asyncio.run(scenario())
    expect_one_result_each(client)


def test_a_server_that_is_killed_and_comes_back(
    durable: EmbeddedServer, durable_settings: Settings, durable_client: Any
):
    judge_through(durable_settings, durable_client, durable.restart)


def test_connections_that_are_cut(quick_settings: Settings, redis_client: Any, empty_server: SuiteServer):
    cut = ("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
    judge_through(quick_settings, redis_client, lambda: empty_server.tell(*cut))


def test_a_group_that_is_destroyed(quick_settings: Settings, redis_client: Any):
    judge_through(quick_settings, redis_client, lambda: redis_client.xgroup_destroy(EVENTS, GROUP))


def test_scripts_that_are_flushed(quick_settings: Settings, redis_client: Any, empty_server: SuiteServer):
    judge_through(quick_settings, redis_client, lambda: empty_server.tell("SCRIPT", "FLUSH"))


def test_a_server_that_hangs_for_longer_than_a_lease(
    durable: EmbeddedServer, durable_settings: Settings, durable_client: Any
):
    """Stopped, it neither answers nor closes: only timeouts help."""
    pid = durable.pid
    assert pid is not None

    def hang() -> None:
        os.kill(pid, signal.SIGSTOP)
        asyncio.get_running_loop().call_later(7.0, os.kill, pid, signal.SIGCONT)

    judge_through(durable_settings, durable_client, hang)


def test_a_result_stream_that_cannot_be_written_is_waited_for(settings: Settings, redis_client: Any):
    redis_client.set(RESULTS, "not a stream")
    send(redis_client, event())

    async def scenario() -> None:
        async with working(with_settings(settings, lease_seconds=2.0), SwitchableModel()) as parts:
            await eventually(lambda: parts.worker.lanes[0]._settler.waiting)
            assert redis_client.xlen(EVENTS) == 1
            redis_client.delete(RESULTS)
            await eventually(lambda: results(redis_client))

    asyncio.run(scenario())

    assert redis_client.xlen(EVENTS) == 0
