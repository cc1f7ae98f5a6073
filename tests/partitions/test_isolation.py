"""A suspect runs with nothing beside it in any lane, and a lane in trouble keeps no other waiting for that."""

import asyncio
import json
from math import inf
from typing import Any

import pytest
import structlog
from redis.exceptions import ConnectionError as RedisConnectionError
from tests.events import event
from tests.failures.switchable_model import DENIED, SwitchableModel
from tests.partitions.test_worker import Witness, leave_behind
from tests.stream.working import with_settings, working
from tests.waiting import eventually

from eval_worker.partitions import partitions_of
from eval_worker.settings import Settings
from eval_worker.stream.lane import Deadlines


def test_a_suspect_whose_outcome_can_not_be_written_keeps_no_other_partition_waiting(
    partitioned: Settings, redis_client: Any
):
    first, *others = partitions_of(partitioned)
    leave_behind(redis_client, first.events, 1, deliveries=2)
    redis_client.set(first.results, "a key of another type")

    async def scenario() -> None:
        settings = with_settings(partitioned, lease_seconds=5.0, drain_seconds=2.0)
        async with working(settings, SwitchableModel()) as parts:
            await eventually(lambda: parts.worker.lanes[0].held and parts.worker.lanes[0].in_trouble)
            for each in others:
                redis_client.xadd(each.events, {"payload": json.dumps(event())})
            await eventually(lambda: all(redis_client.xlen(each.results) for each in others))
            redis_client.delete(first.results)
            await eventually(lambda: redis_client.xlen(first.results) == 1)

    asyncio.run(scenario())


def test_a_suspect_that_can_not_be_claimed_keeps_no_other_partition_waiting(partitioned: Settings, redis_client: Any):
    first, *others = partitions_of(partitioned)
    leave_behind(redis_client, first.events, 1, deliveries=2)

    async def scenario() -> None:
        settings = with_settings(partitioned, lease_seconds=5.0, drain_seconds=2.0)
        async with working(settings, SwitchableModel()) as parts:
            reclaimer = parts.worker.lanes[0]._reclaimer
            claim_suspect, asked = reclaimer.claim_suspect, asyncio.Event()

            async def away() -> Any:
                asked.set()
                raise RedisConnectionError

            reclaimer.claim_suspect = away
            await asked.wait()
            for each in others:
                redis_client.xadd(each.events, {"payload": json.dumps(event())})
            await eventually(lambda: all(redis_client.xlen(each.results) for each in others))
            reclaimer.claim_suspect = claim_suspect
            await eventually(lambda: redis_client.xlen(first.results) == 1)

    asyncio.run(scenario())


def test_a_lane_that_sweeps_when_a_suspect_begins_reads_nothing_beside_it(partitioned: Settings, redis_client: Any):
    first, second, _ = partitions_of(partitioned)
    leave_behind(redis_client, first.events, 1, deliveries=2)
    redis_client.xadd(second.events, {"payload": json.dumps(event("innocent"))})
    model = Witness()
    model.latency = 0.2

    async def scenario() -> None:
        async with working(with_settings(partitioned, lease_seconds=5.0), model) as parts:
            releaser = parts.worker.lanes[1]._releaser
            sweep = releaser.release_strays

            async def sweep_until_it_runs() -> int:
                await eventually(lambda: model.under_way["suspect-0"])
                releaser.release_strays = sweep
                return await sweep()

            releaser.release_strays = sweep_until_it_runs
            await eventually(lambda: redis_client.xlen(first.results) + redis_client.xlen(second.results) == 2)

    asyncio.run(scenario())

    assert model.company_of_suspects == {1}


class SlowlyBeside(Witness):
    """Takes long over the event `slow`."""

    async def ask(self, request: Any) -> Any:
        self.latency = 2.5 if structlog.contextvars.get_contextvars()["event_id"] == "slow" else 0.02
        return await super().ask(request)


def test_a_suspect_that_is_the_probe_runs_with_nothing_beside_it(partitioned: Settings, redis_client: Any):
    first, second, _ = partitions_of(partitioned)
    leave_behind(redis_client, first.events, 1, deliveries=2)
    redis_client.xadd(second.events, {"payload": json.dumps(event("slow"))})
    model = SlowlyBeside()

    async def scenario() -> None:
        async with working(with_settings(partitioned, lease_seconds=5.0), model) as parts:
            lane = parts.worker.lanes[0]
            lane._reclaimer._due_at = inf  # only the probe looks for it
            await eventually(lambda: model.under_way["slow"])
            lane._circuit.tripped("2/1-1", DENIED)
            await eventually(lambda: redis_client.xlen(first.results))

    asyncio.run(scenario())

    assert model.company_of_suspects == {1}


def test_where_there_are_only_suspects_they_are_the_probes(partitioned: Settings, redis_client: Any):
    first, second, _ = partitions_of(partitioned)
    for each in (first, second):
        leave_behind(redis_client, each.events, 1, deliveries=2)
    model = Witness()

    async def scenario() -> None:
        async with working(with_settings(partitioned, lease_seconds=5.0), model) as parts:
            parts.worker.lanes[0]._circuit.tripped("2/1-1", DENIED)
            await eventually(lambda: redis_client.xlen(first.results) + redis_client.xlen(second.results) == 2)

    asyncio.run(scenario())

    assert model.company_of_suspects == {1}


def test_a_suspect_names_its_partition_when_it_runs_alone(
    partitioned: Settings, redis_client: Any, capsys: pytest.CaptureFixture[str]
):
    second = partitions_of(partitioned)[1]
    leave_behind(redis_client, second.events, 1, deliveries=2)
    ((entry_id, _),) = redis_client.xrange(second.events)

    async def scenario() -> None:
        async with working(with_settings(partitioned, lease_seconds=5.0), SwitchableModel()):
            await eventually(lambda: redis_client.xlen(second.results))

    asyncio.run(scenario())

    (line,) = [line for line in capsys.readouterr().out.splitlines() if "running alone" in line]
    assert f"1/{entry_id.decode()}" in line


def test_a_drain_that_breaks_in_one_lane_goes_on_in_the_others(partitioned: Settings, redis_client: Any):
    others = partitions_of(partitioned)[1:]
    model = SwitchableModel(latency=0.3)

    async def scenario() -> None:
        async with working(partitioned, model) as parts:
            for each in others:
                redis_client.xadd(each.events, {"payload": json.dumps(event())})
            await eventually(lambda: model.in_flight == 10)

            async def broken(deadlines: Deadlines) -> None:
                raise ZeroDivisionError(deadlines)

            parts.worker.lanes[0].drain = broken

    with pytest.raises(ZeroDivisionError):
        asyncio.run(scenario())
    assert [redis_client.xlen(each.results) for each in others] == [1, 1]
