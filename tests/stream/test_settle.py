"""Settling: the first finisher wins, an outcome is written with its acknowledgement or not at all."""

import asyncio
from datetime import UTC, datetime
from typing import Any

from redis.asyncio import Redis
from tests.events import dead_letters, deliveries, event, send
from tests.waiting import eventually

from eval_worker.redis_connection import connect
from eval_worker.settings import Settings
from eval_worker.stream.entry import Entry
from eval_worker.stream.fetch import Fetcher
from eval_worker.stream.group import ConsumerGroup
from eval_worker.stream.names import StreamNames
from eval_worker.stream.outcome import OutcomeWriter
from eval_worker.stream.redis_patience import RedisPatience
from eval_worker.stream.settle import Settlement, Settler
from eval_worker.telemetry.metrics import Metrics

NAMES = StreamNames("eval-events", "eval-results", "eval-dead-letters", "eval-group", "a")
WRITER = OutcomeWriter("model", "sha256:0", "a", lambda: datetime(2026, 1, 1, tzinfo=UTC))


class Bench:
    """A settler and what it reported."""

    def __init__(self, client: Redis) -> None:
        self.client = client
        self.group = ConsumerGroup(client, NAMES, Metrics())
        self.seen: list[tuple[str, bool]] = []
        patience = RedisPatience(self.group, lambda: None)
        self.settler = Settler(client, NAMES, patience, self._note, keep_events=False, results_maxlen=0)

    def _note(self, settlement: Settlement, first: bool) -> None:
        self.seen.append((settlement.entry.id, first))

    async def settle(self, *entries: Entry) -> None:
        for entry in entries:
            self.settler.submit(WRITER.dead_letter(entry, "test", "because"))
        running = asyncio.create_task(self.settler.run())
        await self.settler.flushed()
        running.cancel()


def run(settings: Settings, count: int, redis_client: Any, scenario: Any) -> Bench:
    for number in range(count):
        send(redis_client, event(str(number)))

    async def go() -> Bench:
        async with connect(settings, block_seconds=1) as client:
            bench = Bench(client)
            await bench.group.ensure()
            await scenario(bench, await Fetcher(client, NAMES).fetch(count))
            return bench

    return asyncio.run(go())


def test_a_batch_is_settled_in_order_each_entry_once(settings: Settings, redis_client: Any):
    async def scenario(bench: Bench, entries: list[Entry]) -> None:
        await bench.settle(*entries)

    bench = run(settings, 300, redis_client, scenario)

    assert [first for _, first in bench.seen] == [True] * 300
    assert [letter["source_id"].decode() for letter in dead_letters(redis_client)] == [name for name, _ in bench.seen]
    assert (deliveries(redis_client), redis_client.xlen("eval-events")) == ({}, 0)


def test_a_second_finisher_writes_nothing(settings: Settings, redis_client: Any):
    async def scenario(bench: Bench, entries: list[Entry]) -> None:
        await bench.settle(*entries)
        await bench.settle(*entries)

    bench = run(settings, 1, redis_client, scenario)

    assert [first for _, first in bench.seen] == [True, False]
    assert len(dead_letters(redis_client)) == 1


def test_one_that_took_over_may_be_settled_by_the_first_holder_who_finished_first(
    settings: Settings, redis_client: Any
):
    async def scenario(bench: Bench, entries: list[Entry]) -> None:
        redis_client.xclaim("eval-events", "eval-group", "another", 0, [entries[0].id])
        await bench.settle(*entries)

    bench = run(settings, 1, redis_client, scenario)

    assert [first for _, first in bench.seen] == [True]
    assert deliveries(redis_client) == {}


def test_an_entry_of_a_group_that_was_lost_is_left_to_its_next_delivery(settings: Settings, redis_client: Any):
    async def scenario(bench: Bench, entries: list[Entry]) -> None:
        redis_client.xgroup_destroy("eval-events", "eval-group")
        await bench.settle(*entries)

    bench = run(settings, 1, redis_client, scenario)

    assert [first for _, first in bench.seen] == [False]
    assert (redis_client.xlen("eval-events"), dead_letters(redis_client)) == (1, [])


def test_nothing_is_acknowledged_while_there_is_no_memory_for_the_outcome(settings: Settings, redis_client: Any):
    async def scenario(bench: Bench, entries: list[Entry]) -> None:
        redis_client.config_set("maxmemory", "1")
        try:
            settling = asyncio.create_task(bench.settle(*entries))
            await eventually(lambda: bench.settler.refusals)
            assert (redis_client.xlen("eval-events"), len(deliveries(redis_client))) == (1, 1)
        finally:
            redis_client.config_set("maxmemory", "0")
        await settling

    bench = run(settings, 1, redis_client, scenario)

    assert [first for _, first in bench.seen] == [True]
    assert len(dead_letters(redis_client)) == 1
