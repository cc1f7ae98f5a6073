"""A primary dies under load, a real sentinel promotes its replica: every event is accounted for on it."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Iterator

import pytest
from tests.events import deliveries
from tests.failures.switchable_model import SwitchableModel
from tests.servers.kinds import STREAMS
from tests.servers.sentinel import SentinelGroup
from tests.stream.working import working
from tests.topology.accounting import Load
from tests.waiting import eventually

from eval_worker.settings import load_settings
from eval_worker.wiring.worker import RunningParts

# A sentinel that the machine held up for two seconds does nothing for thirty ("TILT"), and a server that comes back is
# made a replica ten seconds later at the earliest.
WITHIN = 100.0

Scenario = Callable[[RunningParts, Load], Awaitable[None]]


@pytest.fixture
def sentinels() -> Iterator[SentinelGroup]:
    with SentinelGroup() as group:
        yield group


def run(sentinels: SentinelGroup, scenario: Scenario) -> None:
    """Run a worker under load, while the scenario ends the primary and lets it come back as a replica."""
    settings = load_settings(
        redis_sentinel=sentinels.redis_sentinel, **STREAMS, judge_model="offline", lease_seconds=2.0, concurrency=4
    )
    load = Load(settings, sentinels.client, replicas=1)

    async def go() -> None:
        async with working(settings, SwitchableModel(latency=0.05)) as parts:
            await load.send(40)  # faster than they are judged: some are in flight when it happens
            await scenario(parts, load)
            await load.send(10)
            await load.all_judged(within=WITHIN)
            await eventually(lambda: parts.health.not_ready() is None, within=WITHIN)
        with sentinels.client() as client:
            assert deliveries(client) == {}

    asyncio.run(go())


def test_a_primary_that_is_killed_is_replaced_and_comes_back_as_a_replica(sentinels: SentinelGroup):
    first, second = sentinels.servers

    async def scenario(parts: RunningParts, load: Load) -> None:
        first.kill()
        await eventually(parts.health.not_ready, within=WITHIN)
        await eventually(lambda: sentinels.primary() is second, within=WITHIN)
        first.start()
        await eventually(lambda: sentinels.is_replica(first), within=WITHIN)

    run(sentinels, scenario)


def test_a_primary_that_hung_while_it_was_replaced_is_not_written_to_again(sentinels: SentinelGroup):
    first, second = sentinels.servers
    assert first.pid is not None
    pid = first.pid

    async def scenario(parts: RunningParts, load: Load) -> None:
        os.kill(pid, signal.SIGSTOP)
        try:
            await eventually(lambda: sentinels.primary() is second, within=WITHIN)
        finally:
            os.kill(pid, signal.SIGCONT)
        await eventually(lambda: sentinels.is_replica(first), within=WITHIN)

    run(sentinels, scenario)
