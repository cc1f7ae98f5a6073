"""Three partitions on the three nodes of a cluster, one of which is killed: the events of the others go on."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from tests.failures.switchable_model import SwitchableModel
from tests.processes import Worker, environment_for
from tests.servers.cluster import Cluster, plain_client, text
from tests.stream.working import with_settings, working
from tests.topology.accounting import Load
from tests.waiting import eventually, eventually_sync

from eval_worker.embedded import EmbeddedServer
from eval_worker.partitions import partitions_of
from eval_worker.settings import Settings, load_settings
from eval_worker.wiring.worker import RunningParts

WITHIN = 90.0
PARTITIONS = 3


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    config = {"appendonly": "yes", "appendfsync": "always", "cluster-require-full-coverage": "no"}
    with Cluster(config=config) as made:
        yield made


@pytest.fixture
def settings(cluster: Cluster) -> Settings:
    """With a cache of judgements, whose keys are on all nodes."""
    return load_settings(
        redis_addr=cluster.nodes[0].addr,
        redis_cluster=True,
        stream_partitions=PARTITIONS,
        judge_model="bedrock",
        lease_seconds=2.0,
    )


def loads_of(cluster: Cluster, settings: Settings) -> list[Load]:
    """One for each partition, which asks its node alone."""
    return [
        Load(
            settings.model_copy(
                update={
                    "redis_stream_name": each.events,
                    "redis_result_stream": each.results,
                    "redis_dead_letter_stream": each.dead_letters,
                }
            ),
            partial(plain_client, cluster.home_of(each.events)),
            prefix=each.prefix,
        )
        for each in partitions_of(settings)
    ]


def homes(cluster: Cluster, settings: Settings) -> list[EmbeddedServer]:
    return [cluster.home_of(each.events) for each in partitions_of(settings)]


def says_only(parts: RunningParts, partition: int) -> bool:
    """Whether this partition is in trouble and no other; while the nodes find out who is gone, others may be."""
    trouble = parts.health.lanes_in_trouble()
    return len(trouble) == 1 and trouble[0].startswith(f"partition {partition}: redis: ")


def is_known_to_be_away(cluster: Cluster, away: EmbeddedServer) -> bool:
    others = [node for node in cluster.nodes if node is not away]
    return all("cluster_state:ok" in text(node, "CLUSTER", "INFO") for node in others) and all(
        f":{away.port}@" in line and "fail" in line
        for node in others
        for line in text(node, "CLUSTER", "NODES").splitlines()
        if f":{away.port}@" in line
    )


async def all_judged(loads: list[Load]) -> None:
    for load in loads:
        await load.all_judged(within=WITHIN)


def test_a_killed_node_stops_its_own_partition_and_its_events_are_judged_once_it_is_back(
    cluster: Cluster, settings: Settings
):
    """What was acknowledged has one outcome each in the end, whichever node it lies on, and two workers serve it."""
    at = homes(cluster, settings)
    assert len(set(at)) == PARTITIONS  # each node has one
    killed = at.index(cluster.nodes[0])  # the one that the client knows first
    loads = loads_of(cluster, settings)
    others = [load for number, load in enumerate(loads) if number != killed]

    model = SwitchableModel(latency=0.01)

    async def scenario() -> None:
        async with working(settings, model) as one, working(settings, model) as other:
            await asyncio.gather(*(load.send(20) for load in loads))
            await all_judged(loads)
            model.latency = 1.0
            await loads[killed].send(10)
            await eventually(lambda: model.in_flight >= 10)
            assert len(loads[killed].outcomes()) == 20
            at[killed].kill()
            model.latency = 0.01
            before = [len(load.outcomes()) for load in others]
            await asyncio.gather(*(load.send(40) for load in others))
            await all_judged(others)
            assert [len(load.outcomes()) - count for load, count in zip(others, before, strict=True)] >= [40, 40]
            for parts in (one, other):
                await eventually(lambda parts=parts: says_only(parts, killed), within=WITHIN)
                assert parts.health.not_ready() is None
            at[killed].start()
            await asyncio.to_thread(cluster.wait_until_up)
            await asyncio.gather(*(load.send(10) for load in loads))
            await all_judged(loads)
            assert [len(load.sent) for load in loads] == [len(load.outcomes()) for load in loads]
            for parts in (one, other):
                await eventually(lambda parts=parts: not parts.health.lanes_in_trouble(), within=WITHIN)

    asyncio.run(scenario())


def test_a_worker_starts_while_a_node_is_away_and_serves_the_others(cluster: Cluster, settings: Settings):
    away = cluster.home_of(partitions_of(settings)[0].events)
    loads = loads_of(cluster, settings)
    away.kill()
    eventually_sync(lambda: is_known_to_be_away(cluster, away), within=WITHIN)

    async def scenario() -> None:
        async with working(settings, SwitchableModel()) as parts:
            await asyncio.gather(*(load.send(10) for load in loads[1:]))
            await all_judged(loads[1:])
            assert parts.health.not_ready() is None
            away.start()
            await asyncio.to_thread(cluster.wait_until_up)
            await loads[0].send(10)
            await all_judged(loads)

    asyncio.run(scenario())


@pytest.mark.parametrize("node", [0, 1], ids=["the cluster's first", "another"])
def test_the_daemon_starts_while_any_one_node_is_away(
    cluster: Cluster, settings: Settings, spawn: Callable[..., Worker], node: int
):
    """More partitions than nodes, so that what goes to any node would find the dead one."""
    away, known = cluster.nodes[node], cluster.nodes[2]
    away.kill()
    try:
        eventually_sync(lambda: is_known_to_be_away(cluster, away), within=WITHIN)
        reachable = settings.model_copy(update={"redis_addr": known.addr})
        spawn(environment_for(reachable, STREAM_PARTITIONS=str(4 * PARTITIONS))).end()
    finally:
        away.start()
        cluster.wait_until_up()


def test_a_node_that_hangs_stops_its_own_partition_alone(cluster: Cluster, settings: Settings):
    """It takes what it is sent and is silent; the judgements that it may have are done without."""
    at, loads = homes(cluster, settings), loads_of(cluster, settings)
    hung = next(number for number, node in enumerate(at) if node is not cluster.nodes[0])
    others = [load for number, load in enumerate(loads) if number != hung]
    pid = at[hung].pid
    assert pid is not None

    async def scenario() -> None:
        async with working(with_settings(settings, drain_seconds=1.0), SwitchableModel(latency=0.01)):
            await asyncio.gather(*(load.send(5) for load in loads))
            await all_judged(loads)
            os.kill(pid, signal.SIGSTOP)
            try:
                await asyncio.gather(*(load.send(40) for load in others))
                await asyncio.gather(*(load.all_judged(within=30) for load in others))
            finally:
                os.kill(pid, signal.SIGCONT)
            await loads[hung].send(5)
            await all_judged(loads)

    asyncio.run(scenario())
