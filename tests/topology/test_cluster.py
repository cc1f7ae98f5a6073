"""A cluster of real nodes: one dies, comes back, is replaced, hands its slots to another. The worker goes on."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator

import pytest
from redis.crc import key_slot
from tests.events import EVENTS
from tests.failures.switchable_model import SwitchableModel
from tests.servers.cluster import Cluster, ask
from tests.servers.kinds import STREAMS_IN_ONE_SLOT
from tests.stream.working import working
from tests.topology.accounting import Load
from tests.waiting import eventually

from eval_worker.embedded import HOST, EmbeddedServer
from eval_worker.redis_connection import REDIS_ERRORS, connect
from eval_worker.settings import load_settings
from eval_worker.wiring.worker import RunningParts

WITHIN = 90.0
SLOT = key_slot(EVENTS.encode())

Scenario = Callable[[RunningParts, Load], Awaitable[None]]


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    config = {"appendonly": "yes", "appendfsync": "always", "cluster-require-full-coverage": "no"}
    with Cluster(config=config) as made:
        yield made


@pytest.fixture
def cluster_with_a_replica() -> Iterator[Cluster]:
    with Cluster(replica_for=EVENTS, config={"cluster-replica-validity-factor": "0"}) as made:
        yield made


def run(cluster: Cluster, scenario: Scenario, *, replicas: int = 0) -> None:
    """Run a worker under load; the scenario breaks something in the middle."""
    first = cluster.nodes[0]  # the node that the client knows first has none of our streams
    assert first is not cluster.home_of(EVENTS)
    settings = load_settings(
        redis_addr=first.addr, redis_cluster=True, **STREAMS_IN_ONE_SLOT, judge_model="offline", lease_seconds=2.0
    )
    load = Load(settings, lambda: cluster.client_at(EVENTS), replicas=replicas)

    async def go() -> None:
        async with working(settings, SwitchableModel(latency=0.02)) as parts:
            await load.send(10)
            await load.all_judged(within=WITHIN)
            await scenario(parts, load)
            await load.send(10)
            await load.all_judged(within=WITHIN)
            await eventually(lambda: parts.health.not_ready() is None, within=WITHIN)

    asyncio.run(go())


def test_the_death_of_a_node_without_our_streams_holds_up_nothing(cluster: Cluster):
    async def scenario(parts: RunningParts, load: Load) -> None:
        await load.send(5)
        cluster.nodes[0].kill()

    run(cluster, scenario)


def test_the_node_with_our_streams_is_waited_for_and_found_again(cluster: Cluster):
    async def scenario(parts: RunningParts, load: Load) -> None:
        await load.send(5)
        home = cluster.home_of(EVENTS)
        home.kill()
        await eventually(lambda: (parts.health.not_ready() or "").startswith("redis: "), within=WITHIN)
        home.start()

    run(cluster, scenario)


def test_the_replica_that_takes_over_is_found(cluster_with_a_replica: Cluster):
    cluster = cluster_with_a_replica

    async def scenario(parts: RunningParts, load: Load) -> None:
        await load.send(5)
        old = cluster.home_of(EVENTS)
        old.kill()
        await eventually(lambda: cluster.is_anywhere(EVENTS), within=WITHIN)
        old.start()  # as a replica of the other, which the load waits for

    run(cluster, scenario, replicas=1)


def test_streams_that_move_to_a_node_that_has_just_joined_are_followed(cluster: Cluster):
    """Once the keys are there and the slot is still here, the old node sends us to one that the client can't know."""

    async def scenario(parts: RunningParts, load: Load) -> None:
        old, new = cluster.home_of(EVENTS), cluster.join()
        begin_to_move_slot(old, new)
        move_streams(old, new)
        await eventually(parts.health.not_ready, within=WITHIN)
        for node in (new, old, *cluster.nodes):
            ask(node, "CLUSTER", "SETSLOT", SLOT, "NODE", ask(new, "CLUSTER", "MYID"))
        assert cluster.home_of(EVENTS) is new

    run(cluster, scenario)


def begin_to_move_slot(old: EmbeddedServer, new: EmbeddedServer) -> None:
    ask(new, "CLUSTER", "SETSLOT", SLOT, "IMPORTING", ask(old, "CLUSTER", "MYID"))
    ask(old, "CLUSTER", "SETSLOT", SLOT, "MIGRATING", ask(new, "CLUSTER", "MYID"))


def move_streams(old: EmbeddedServer, new: EmbeddedServer) -> None:
    keys = ask(old, "CLUSTER", "GETKEYSINSLOT", SLOT, 10)
    ask(old, "MIGRATE", HOST, new.port, "", 0, 5_000, "KEYS", *keys)


def test_a_connection_that_another_task_closes_is_broken_and_no_bug(cluster: Cluster):
    """The library closes all connections wherever one fails, those on which others are sending at that moment too."""
    settings = load_settings(redis_addr=cluster.nodes[0].addr, redis_cluster=True, **STREAMS_IN_ONE_SLOT)

    async def go() -> None:
        client = connect(settings)
        closing = True

        async def ask_on() -> None:
            while closing:
                with contextlib.suppress(*REDIS_ERRORS):
                    await client.xlen(EVENTS)

        async def close_again_and_again() -> None:
            nonlocal closing
            for _ in range(100):
                await client.aclose()
                await asyncio.sleep(0.002)
            closing = False

        await asyncio.wait_for(asyncio.gather(close_again_and_again(), *(ask_on() for _ in range(8))), WITHIN)
        assert await client.xlen(EVENTS) == 0
        await client.aclose()

    asyncio.run(go())
