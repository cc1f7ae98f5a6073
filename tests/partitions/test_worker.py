"""One worker process that serves all partitions, on a plain server."""

import asyncio
import json
import socket
from collections import Counter
from typing import Any

import pytest
from prometheus_client import generate_latest
from tests.events import GROUP, conversations, event, rubbish
from tests.failures.switchable_model import DENIED, SwitchableModel
from tests.stream.working import with_settings, working
from tests.waiting import eventually

from eval_worker.embedded import HOST
from eval_worker.errors import SettingsError
from eval_worker.partitions import Partitioner, partition, partitions_of
from eval_worker.redis_connection import connect
from eval_worker.settings import Settings, load_settings
from eval_worker.stream.partition_count import PartitionCount, compare, count_key
from eval_worker.wiring.worker import RunningParts

CRASHED = "a-worker-that-crashed"


def send(client: Any, settings: Settings, *documents: dict[str, Any]) -> list[str]:
    """Send as the producer does; returns the ids as people see them."""
    partitioner = Partitioner(settings)
    payloads = [json.dumps(document).encode() for document in documents]
    return [
        each.prefix + client.xadd(each.events, {"payload": payload}).decode()
        for each, payload in ((partitioner.partition_of(payload), payload) for payload in payloads)
    ]


def outcomes(client: Any, settings: Settings) -> Counter[str]:
    """How many outcomes each source id has, in whichever partition."""
    found: list[str] = []
    for each in partitions_of(settings):
        found += [json.loads(fields[b"payload"])["source_id"] for _, fields in client.xrange(each.results)]
        found += [fields[b"source_id"].decode() for _, fields in client.xrange(each.dead_letters)]
    return Counter(found)


def leave_behind(client: Any, events: str, count: int, deliveries: int) -> None:
    """Pending entries as crashed workers leave them, after so many deliveries each."""
    for number in range(count):
        client.xadd(events, {"payload": json.dumps(event(f"suspect-{number}"))})
    client.xgroup_create(events, GROUP, id="0")
    client.xreadgroup(GROUP, CRASHED, {events: ">"}, count=count)
    ids = [each["message_id"] for each in client.xpending_range(events, GROUP, "-", "+", count)]
    client.xclaim(events, GROUP, CRASHED, 0, ids, idle=60_000, retrycount=deliveries, justid=True)


def metric(parts: RunningParts, line: str) -> float:
    found = [each for each in generate_latest(parts.metrics.registry).decode().splitlines() if each.startswith(line)]
    return float(found[0].rpartition(" ")[2]) if found else float("nan")


def test_each_event_of_any_kind_has_one_outcome_in_its_own_partition(partitioned: Settings, redis_client: Any):
    documents = [make(f"evt-{number}") for number in range(30) for make in (event, rubbish, conversations)]
    sent = send(redis_client, partitioned, *documents, *({"event_id": f"bad-{number}"} for number in range(10)))

    async def scenario() -> None:
        async with working(partitioned, SwitchableModel()):
            await eventually(lambda: len(outcomes(redis_client, partitioned)) == len(sent))

    asyncio.run(scenario())

    assert outcomes(redis_client, partitioned) == Counter(sent)
    for each in partitions_of(partitioned):
        results = [json.loads(fields[b"payload"]) for _, fields in redis_client.xrange(each.results)]
        assert results
        assert all(result["source_id"].startswith(each.prefix) for result in results)
        assert redis_client.xlen(each.events) == 0


def test_no_more_are_judged_at_once_than_concurrency_in_all_partitions_together(
    partitioned: Settings, redis_client: Any
):
    send(redis_client, partitioned, *(event(f"evt-{number}") for number in range(60)))
    model = SwitchableModel(latency=0.02)

    async def scenario() -> None:
        async with working(with_settings(partitioned, concurrency=4), model):
            await eventually(lambda: len(outcomes(redis_client, partitioned)) == 60)

    asyncio.run(scenario())

    assert model.most_in_flight == 4 * 5  # five judges an event


def test_a_partition_with_one_event_does_not_wait_for_another_with_hundreds(partitioned: Settings, redis_client: Any):
    hot, cold = partitions_of(partitioned)[:2]
    for number in range(400):
        redis_client.xadd(hot.events, {"payload": json.dumps(event(f"hot-{number}"))})

    async def scenario() -> None:
        async with working(with_settings(partitioned, concurrency=2), SwitchableModel(latency=0.02)):
            await eventually(lambda: redis_client.xlen(hot.results) > 10)
            redis_client.xadd(cold.events, {"payload": json.dumps(event("cold"))})
            await eventually(lambda: redis_client.xlen(cold.results))
            assert redis_client.xlen(hot.results) < 200

    asyncio.run(scenario())


def test_a_suspect_runs_with_nothing_beside_it_in_any_partition(partitioned: Settings, redis_client: Any):
    first, second, third = partitions_of(partitioned)
    for each in (first, second):
        leave_behind(redis_client, each.events, 3, deliveries=2)
    for number in range(100):
        redis_client.xadd(third.events, {"payload": json.dumps(event(f"innocent-{number}"))})
    model = Witness()

    async def scenario() -> None:
        async with working(with_settings(partitioned, lease_seconds=5.0), model):
            await eventually(lambda: redis_client.xlen(first.results) + redis_client.xlen(second.results) == 6)
            await eventually(lambda: redis_client.xlen(third.results) == 100)

    asyncio.run(scenario())

    assert model.most_beside_an_innocent > 1
    assert model.company_of_suspects == {1}


class Witness(SwitchableModel):
    """Sees with how many other events each is judged; an event's judges ask under its own id."""

    def __init__(self) -> None:
        super().__init__(latency=0.02)
        self.under_way: Counter[str] = Counter()
        self.company_of_suspects: set[int] = set()
        self.most_beside_an_innocent = 0

    async def ask(self, request: Any) -> Any:
        import structlog

        event_id = structlog.contextvars.get_contextvars()["event_id"]
        self.under_way[event_id] += 1
        beside = len(+self.under_way)
        if any(each.startswith("suspect") for each in +self.under_way):
            self.company_of_suspects.add(beside)
        self.most_beside_an_innocent = max(beside, self.most_beside_an_innocent)
        try:
            return await super().ask(request)
        finally:
            self.under_way[event_id] -= 1


def test_while_the_model_is_away_nothing_is_charged_in_any_partition(partitioned: Settings, redis_client: Any):
    model = SwitchableModel(DENIED)
    sent = send(redis_client, partitioned, *(event(f"evt-{number}") for number in range(30)))

    async def scenario() -> None:
        async with working(partitioned, model) as parts:
            await eventually(lambda: "paused" in (parts.health.not_ready() or ""))
            await eventually(lambda: model.calls >= 15)  # three probes: nobody else asks
            assert model.calls < 100
            model.failure = None
            await eventually(lambda: len(outcomes(redis_client, partitioned)) == 30)

    asyncio.run(scenario())

    assert outcomes(redis_client, partitioned) == Counter(sent)
    attempts = [
        json.loads(fields[b"payload"])["attempt"]
        for each in partitions_of(partitioned)
        for _, fields in redis_client.xrange(each.results)
    ]
    assert set(attempts) == {1}


def test_a_stop_gives_back_what_all_lanes_hold_uncharged(partitioned: Settings, redis_client: Any):
    send(redis_client, partitioned, *(event(f"evt-{number}") for number in range(60)))

    async def scenario() -> None:
        settings = with_settings(partitioned, drain_seconds=0.5)
        async with working(settings, SwitchableModel(latency=30)) as parts:
            await eventually(lambda: all(lane.held for lane in parts.worker.lanes))

    asyncio.run(scenario())

    for each in partitions_of(partitioned):
        pending = redis_client.xpending_range(each.events, GROUP, "-", "+", 100)
        assert {(entry["consumer"], entry["times_delivered"]) for entry in pending} <= {(b"released", 0)}


def test_the_figures_are_sums_and_those_of_each_partition_stand_beside_them(partitioned: Settings, redis_client: Any):
    model = SwitchableModel(latency=30)
    send(redis_client, partitioned, *(event(f"evt-{number}") for number in range(60)))

    async def scenario() -> None:
        settings = with_settings(partitioned, concurrency=2, drain_seconds=0.2)
        async with working(settings, model) as parts:
            await eventually(lambda: model.in_flight)
            for lane in parts.worker.lanes:
                await lane._report()
            of_each = [
                metric(parts, f'eval_partition_{what}{{partition="{number}"}}')
                for number in range(3)
                for what in ("lag", "pending")
            ]
            assert sum(of_each) == 60
            assert metric(parts, "eval_stream_lag ") + metric(parts, "eval_stream_pending ") == 60
            assert metric(parts, 'eval_partition_up{partition="2"}') == 1
            assert metric(parts, "eval_in_flight ") == sum(lane.held for lane in parts.worker.lanes) > 0

    asyncio.run(scenario())


def test_one_partition_in_trouble_leaves_it_ready_and_is_named(partitioned: Settings, redis_client: Any):
    broken, *others = partitions_of(partitioned)
    redis_client.set(broken.results, "a key of another type")
    documents = [event(f"evt-{number}") for number in range(30)]
    sent = send(redis_client, partitioned, *documents)
    elsewhere = [each for each in sent if not each.startswith("0/")]

    async def scenario() -> None:
        async with working(partitioned, SwitchableModel()) as parts:
            await eventually(parts.health.lanes_in_trouble)
            await eventually(lambda: sum(redis_client.xlen(each.results) for each in others) == len(elsewhere))
            assert parts.health.not_ready() is None
            (trouble,) = parts.health.lanes_in_trouble()
            assert trouble.startswith("partition 0: redis: ")
            assert "WRONGTYPE" in trouble
            assert metric(parts, 'eval_partition_up{partition="0"}') == 0
            redis_client.delete(broken.results)
            await eventually(lambda: len(outcomes(redis_client, partitioned)) == 30)
            await eventually(lambda: not parts.health.lanes_in_trouble())  # once the reply is here as well

    asyncio.run(scenario())

    assert outcomes(redis_client, partitioned) == Counter(sent)


def test_a_lane_that_stands_still_is_reported_although_the_others_move(partitioned: Settings):
    now = 0.0

    async def scenario() -> None:
        nonlocal now
        async with working(partitioned, SwitchableModel(), clock=lambda: now) as parts:
            await asyncio.sleep(0)
            now = 31.0
            for number in (0, 2):
                parts.health.pulses[number].beat()
            assert parts.health.stuck() == "partition 1: the run loop has not moved for 31 s"

    asyncio.run(scenario())


# How many partitions there are


def test_the_first_worker_writes_down_how_many_there_are(partitioned: Settings, redis_client: Any):
    async def scenario() -> None:
        async with working(partitioned, SwitchableModel()) as parts:
            redis_client.delete(count_key("eval-events"))
            await parts.worker.lanes[0]._report()

    asyncio.run(scenario())

    assert redis_client.get(count_key("eval-events")) == b"3"


def test_a_worker_with_fewer_does_not_start_while_events_lie_beyond_them(
    partitioned: Settings, redis_client: Any, lasting_keys: set[str]
):
    beyond = partition("eval-events", 4)
    lasting_keys.update({beyond.events, beyond.results})
    redis_client.set(count_key("eval-events"), 6)
    redis_client.xadd(beyond.events, {"payload": json.dumps(event())})

    async def start() -> None:
        async with working(partitioned, SwitchableModel()):
            pass

    with pytest.raises(SettingsError, match=r"STREAM_PARTITIONS: is 3, and 1 events still lie in \{eval-events:4\}"):
        asyncio.run(start())
    redis_client.delete(beyond.events)
    asyncio.run(start())
    assert redis_client.get(count_key("eval-events")) == b"3"


def test_a_worker_that_could_not_write_its_count_at_the_start_writes_it_later(partitioned: Settings, redis_client: Any):
    redis_client.set(count_key("eval-events"), 2)

    async def scenario() -> None:
        with socket.create_server((HOST, 0)) as closing:
            port = closing.getsockname()[1]
        async with connect(load_settings(redis_addr=f"{HOST}:{port}")) as away:
            count = PartitionCount(away, partitioned)
            await count.claim()
        async with connect(partitioned) as back:
            count._client = back  # pyright: ignore[reportPrivateUsage]
            await count.watch()
            assert redis_client.get(count_key("eval-events")) == b"3"
            redis_client.set(count_key("eval-events"), 2)  # a worker with fewer came after it
            await count.watch()
            assert redis_client.get(count_key("eval-events")) == b"2"

    asyncio.run(scenario())


def test_a_producer_with_more_than_the_workers_is_refused_and_one_before_the_first_worker_warned(partitioned: Settings):
    assert "no worker with STREAM_PARTITIONS has been here yet" in (compare(None, partitioned) or "")
    assert compare(b"3", partitioned) is None
    assert compare(b"8", partitioned) is None  # they read these three as well
    with pytest.raises(SettingsError, match=r"the workers have 2: they would not read what goes to \{eval-events:2\}"):
        compare(b"2", partitioned)


def test_events_in_the_stream_without_partitions_are_reported(
    partitioned: Settings, redis_client: Any, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
):
    redis_client.xadd("eval-events", {"payload": json.dumps(event())})

    async def scenario() -> None:
        async with working(partitioned, SwitchableModel()) as parts:
            await PartitionCount(parts.client, partitioned).watch()

    asyncio.run(scenario())

    assert "events lie in the stream without partitions" in capsys.readouterr().out
