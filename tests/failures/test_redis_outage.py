"""Redis dies, forgets, cuts us off, hangs: every event still has exactly one result."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.events import event, results, send
from tests.failures.switchable_model import SwitchableModel
from tests.stream.working import with_settings, working
from tests.waiting import eventually, eventually_sync

from eval_worker.embedded import EmbeddedServer
from eval_worker.redis_connection import connect_sync
from eval_worker.settings import Settings, load_settings

EVENTS = 60


@pytest.fixture
def durable(tmp_path: Path, free_port: int) -> Iterator[EmbeddedServer]:
    """A server with an append-only file, for this test to kill."""
    with EmbeddedServer.on_port(free_port, tmp_path / "data", config={"appendfsync": "always"}) as server:
        yield server


@pytest.fixture
def durable_settings(durable: EmbeddedServer) -> Settings:
    made = load_settings(redis_addr=durable.addr, judge_model="offline")
    return with_settings(made, lease_seconds=2.0, concurrency=4)


def expect_one_result_each(client: Any) -> None:
    assert sorted(result["id"] for result in results(client)) == sorted(f"evt-{number}" for number in range(EVENTS))
    assert client.xlen("eval-dead-letters") == 0


def judged_through(settings: Settings, disturb: Callable[[Any], None]) -> Any:
    """Judge 60 events, disturb after the first results, wait for the rest; returns a client to look with."""
    client = connect_sync(settings)
    for number in range(EVENTS):
        send(client, event(f"evt-{number}"))

    def count() -> int:
        try:
            return len({result["id"] for result in results(client)})
        except Exception:  # noqa: BLE001 (the server is away)
            return 0

    async def scenario() -> None:
        async with working(settings, SwitchableModel(latency=0.05)):
            await eventually(lambda: count() >= 5)
            disturb(client)
            await eventually(lambda: count() == EVENTS, within=40)

    asyncio.run(scenario())
    return client


def test_a_server_that_is_killed_and_comes_back(durable: EmbeddedServer, durable_settings: Settings):
    with judged_through(durable_settings, lambda _: durable.restart()) as client:
        expect_one_result_each(client)


def is_up(client: Any) -> bool:
    return "cluster_state:ok" in str(client.execute_command("CLUSTER", "INFO"))


def test_a_cluster_that_is_away_for_a_while(tmp_path: Path, free_port: int):
    """The cluster client's errors are a family of their own."""
    config = {"cluster-enabled": "yes", "appendfsync": "always"}
    with EmbeddedServer.on_port(free_port, tmp_path / "data", config=config) as server:
        plain = load_settings(redis_addr=server.addr, judge_model="offline")
        with connect_sync(plain) as client:
            client.execute_command("CLUSTER", "ADDSLOTSRANGE", 0, 16_383)
            eventually_sync(lambda: is_up(client))
        clustered = with_settings(
            plain,
            redis_cluster=True,
            redis_stream_name="{eval-events}",
            redis_result_stream="{eval-events}:results",
            redis_dead_letter_stream="{eval-events}:dead-letters",
        )

        async def scenario() -> None:
            async with working(clustered, SwitchableModel()):
                for name in ("before", "after"):
                    with connect_sync(plain) as client:
                        send(client, event(name), "{eval-events}")
                        await eventually(
                            lambda name=name, client=client: (
                                name in {result["id"] for result in results(client, "{eval-events}:results")}
                            )
                        )
                    if name == "before":
                        server.restart()
                        with connect_sync(plain) as client:
                            eventually_sync(lambda client=client: is_up(client))

        asyncio.run(scenario())


def test_connections_that_are_cut(settings: Settings):
    quick = with_settings(settings, lease_seconds=2.0, concurrency=4)
    with judged_through(quick, lambda client: client.execute_command("CLIENT KILL TYPE normal SKIPME yes")) as client:
        expect_one_result_each(client)


def test_a_group_that_is_destroyed(settings: Settings):
    quick = with_settings(settings, lease_seconds=2.0, concurrency=4)
    with judged_through(quick, lambda client: client.xgroup_destroy("eval-events", "eval-group")) as client:
        expect_one_result_each(client)


def test_scripts_that_are_flushed(settings: Settings):
    quick = with_settings(settings, concurrency=4)
    with judged_through(quick, lambda client: client.script_flush()) as client:
        expect_one_result_each(client)


def test_a_server_that_hangs_for_longer_than_a_lease(durable: EmbeddedServer, durable_settings: Settings):
    """Stopped, it neither answers nor closes: only timeouts help."""
    pid = durable.pid
    assert pid is not None

    def hang(_client: Any) -> None:
        os.kill(pid, signal.SIGSTOP)
        asyncio.get_running_loop().call_later(7.0, os.kill, pid, signal.SIGCONT)

    with judged_through(durable_settings, hang) as client:
        expect_one_result_each(client)


def test_a_result_stream_that_cannot_be_written_is_waited_for(settings: Settings, redis_client: Any):
    redis_client.set("eval-results", "not a stream")
    send(redis_client, event())

    async def scenario() -> None:
        async with working(with_settings(settings, lease_seconds=2.0), SwitchableModel()) as parts:
            await eventually(lambda: parts.worker._settler.waiting)
            assert redis_client.xlen("eval-events") == 1
            redis_client.delete("eval-results")
            await eventually(lambda: results(redis_client))

    asyncio.run(scenario())

    assert redis_client.xlen("eval-events") == 0
