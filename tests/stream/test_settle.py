"""Settling: the first finisher wins, an outcome is written with its acknowledgement or not at all."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest
from redis.asyncio import Redis
from tests.events import DEAD_LETTERS, EVENTS, GROUP, RESULTS, dead_letters, deliveries, event, send
from tests.servers.binaries import server_binary
from tests.servers.kinds import STREAMS
from tests.waiting import eventually

from eval_worker.embedded import EmbeddedServer
from eval_worker.redis_connection import connect, connect_sync
from eval_worker.result_writer import JudgesDigests, ResultWriter
from eval_worker.settings import Settings, load_settings
from eval_worker.stream.entry import Entry
from eval_worker.stream.fetch import Fetcher
from eval_worker.stream.group import ConsumerGroup
from eval_worker.stream.names import StreamNames
from eval_worker.stream.outcome import OutcomeWriter
from eval_worker.stream.redis_patience import RedisPatience
from eval_worker.stream.settle import Settlement, Settler, Target
from eval_worker.telemetry.metrics import Metrics

NAMES = StreamNames(EVENTS, RESULTS, DEAD_LETTERS, GROUP, "a")
DIGESTS = JudgesDigests("sha256:0", "sha256:1")
WRITER = OutcomeWriter(ResultWriter("model", DIGESTS, lambda: datetime(2026, 1, 1, tzinfo=UTC)), "a")


class Bench:
    """A settler and what it reported."""

    def __init__(self, client: Redis) -> None:
        self.client = client
        self.group = ConsumerGroup(client, NAMES, Metrics())
        self.seen: list[tuple[str, bool]] = []
        self.patience = RedisPatience(self.group)
        self.settler = Settler(client, NAMES, self.patience, self._note, keep_events=False, results_maxlen=0)

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
            await scenario(bench, await Fetcher(client, NAMES, read_ahead=1_000).fetch(count))
            return bench

    return asyncio.run(go())


def test_a_batch_is_settled_in_order_each_entry_once(settings: Settings, redis_client: Any):
    async def scenario(bench: Bench, entries: list[Entry]) -> None:
        await bench.settle(*entries)

    bench = run(settings, 300, redis_client, scenario)

    assert [first for _, first in bench.seen] == [True] * 300
    assert [letter["source_id"].decode() for letter in dead_letters(redis_client)] == [name for name, _ in bench.seen]
    assert (deliveries(redis_client), redis_client.xlen(EVENTS)) == ({}, 0)


def test_an_entry_that_a_batch_names_twice_has_one_outcome(settings: Settings, redis_client: Any):
    """Given up, delivered again and judged both times, before the first outcome was written."""

    async def scenario(bench: Bench, entries: list[Entry]) -> None:
        await bench.settle(entries[0], entries[1], entries[0])

    bench = run(settings, 2, redis_client, scenario)

    assert [first for _, first in bench.seen] == [True, True, False]
    assert len(dead_letters(redis_client)) == 2


@pytest.mark.parametrize("named_twice", [False, True])
def test_a_batch_whose_entries_lie_far_apart_is_settled_too(settings: Settings, redis_client: Any, named_twice: bool):
    """There are more pending entries of others between them than one look finds."""

    async def scenario(bench: Bench, entries: list[Entry]) -> None:
        last = entries[-1:] * (2 if named_twice else 1)
        await bench.settle(entries[0], *last)
        await bench.settle(entries[0], entries[1])

    bench = run(settings, 600, redis_client, scenario)

    assert [first for _, first in bench.seen] == [True, True, *[False] * named_twice, False, True]
    assert len(dead_letters(redis_client)) == 3
    assert len(deliveries(redis_client)) == 597


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
        redis_client.xclaim(EVENTS, GROUP, "another", 0, [entries[0].id])
        await bench.settle(*entries)

    bench = run(settings, 1, redis_client, scenario)

    assert [first for _, first in bench.seen] == [True]
    assert deliveries(redis_client) == {}


def test_an_entry_of_a_group_that_was_lost_is_left_to_its_next_delivery(settings: Settings, redis_client: Any):
    async def scenario(bench: Bench, entries: list[Entry]) -> None:
        redis_client.xgroup_destroy(EVENTS, GROUP)
        await bench.settle(*entries)

    bench = run(settings, 1, redis_client, scenario)

    assert [first for _, first in bench.seen] == [False]
    assert (redis_client.xlen(EVENTS), dead_letters(redis_client)) == (1, [])


def test_nothing_is_acknowledged_while_there_is_no_memory_for_the_outcome(settings: Settings, redis_client: Any):
    async def scenario(bench: Bench, entries: list[Entry]) -> None:
        redis_client.config_set("maxmemory", "1")
        try:
            settling = asyncio.create_task(bench.settle(*entries))
            await eventually(bench.patience.what_is_wrong)
            assert (redis_client.xlen(EVENTS), len(deliveries(redis_client))) == (1, 1)
        finally:
            redis_client.config_set("maxmemory", "0")
        await settling

    bench = run(settings, 1, redis_client, scenario)

    assert [first for _, first in bench.seen] == [True]
    assert len(dead_letters(redis_client)) == 1


def test_outcomes_that_are_refused_do_not_hold_up_the_others(settings: Settings, redis_client: Any):
    redis_client.set(DEAD_LETTERS, "not a stream")

    async def scenario(bench: Bench, entries: list[Entry]) -> None:
        for entry in entries[:200]:
            bench.settler.submit(WRITER.dead_letter(entry, "test", "because"))
        for entry in entries[200:]:
            bench.settler.submit(Settlement(entry, Target.RESULTS, [("event_id", b"x")], "pass"))
        settling = asyncio.create_task(bench.settler.run())
        await eventually(lambda: redis_client.xlen(RESULTS) == 50)
        assert "WRONGTYPE" in (bench.patience.what_is_wrong() or "")
        redis_client.delete(DEAD_LETTERS)
        await bench.settler.flushed()
        assert bench.patience.what_is_wrong() is None
        settling.cancel()

    run(settings, 250, redis_client, scenario)

    assert len(dead_letters(redis_client)) == 200


def test_an_outcome_that_redis_cannot_take_at_all_lets_the_others_pass(settings: Settings, redis_client: Any):
    async def scenario(bench: Bench, entries: list[Entry]) -> None:
        for size, entry in zip((2_000_000, 1, 1), entries, strict=True):
            bench.settler.submit(Settlement(entry, Target.RESULTS, [("event_id", b"x" * size)], "pass"))
        settling = asyncio.create_task(bench.settler.run())
        await eventually(lambda: redis_client.xlen(RESULTS) == 2)
        redis_client.config_set("proto-max-bulk-len", "512mb")
        await bench.settler.flushed()
        settling.cancel()

    redis_client.config_set("proto-max-bulk-len", "1mb")
    try:
        run(settings, 3, redis_client, scenario)
    finally:
        redis_client.config_set("proto-max-bulk-len", "512mb")

    assert redis_client.xlen(RESULTS) == 3


def test_a_primary_that_was_demoted_is_left_for_whoever_answers_under_its_name():
    """Read-only refusals reach the patience, which closes the connections."""
    with EmbeddedServer.on_socket(binary=server_binary()) as server:
        settings = load_settings(redis_url=server.url, **STREAMS)
        with connect_sync(settings) as own_client:
            demote_while_settling(settings, own_client)


def demote_while_settling(settings: Settings, own_client: Any) -> None:
    async def scenario(bench: Bench, entries: list[Entry]) -> None:
        own_client.replicaof("127.0.0.1", "1")
        try:
            settling = asyncio.create_task(bench.settle(*entries))
            await eventually(bench.patience.what_is_wrong)
            assert "ReadOnlyError" in (bench.patience.what_is_wrong() or "")
        finally:
            own_client.replicaof("no", "one")
        await settling

    run(settings, 2, own_client, scenario)

    assert len(dead_letters(own_client)) == 2


def test_outcomes_that_come_one_after_the_other_are_settled_in_one_call(settings: Settings, redis_client: Any):
    calls: list[Any] = []

    def counted(reply: Any, **_options: Any) -> Any:
        calls.append(reply)
        return reply

    async def scenario(bench: Bench, entries: list[Entry]) -> None:
        await bench.settle(entries[0])  # from now on the server has the script
        client: Any = bench.client
        client.set_response_callback("EVALSHA", counted)
        running = asyncio.create_task(bench.settler.run())
        for entry in entries[1:]:  # as judges whose model answers at once are done with them, in turns of the loop
            bench.settler.submit(WRITER.dead_letter(entry, "test", "because"))
            await asyncio.sleep(0)
        await bench.settler.flushed()
        running.cancel()

    bench = run(settings, 20, redis_client, scenario)

    assert [first for _, first in bench.seen] == [True] * 20
    assert len(calls) == 1
