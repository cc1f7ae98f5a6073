"""The producer and the readers, who see one stream whose entries are named by partition and id."""

import asyncio
import json
import re
from typing import Any
from unittest.mock import create_autospec

import pytest
from tests.command_line import Finished, run, run_on_terminal
from tests.events import event
from tests.failures.switchable_model import SwitchableModel
from tests.stream.working import working
from tests.waiting import eventually

from eval_producer.delivery import open_delivery
from eval_producer.report import Report
from eval_worker.errors import SettingsError
from eval_worker.partitions import partitions_of
from eval_worker.redis_connection import connect
from eval_worker.settings import Settings
from eval_worker.stream.partition_count import count_key
from eval_worker.stream.partitioned_results import results_of

ID = re.compile(r"[0-2]/\d+-\d+")
THREE = {"STREAM_PARTITIONS": "3"}


@pytest.fixture(autouse=True)
def three(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAM_PARTITIONS", "3")


def produce(settings: Settings, *documents: dict[str, Any], arguments: tuple[str, ...] = ()) -> Finished:
    lines = "\n".join(json.dumps(document) for document in documents).encode()
    return run("eval_producer", "-f", "-", *arguments, settings=settings, stdin=lines)


def judge(settings: Settings, redis_client: Any) -> None:
    """Have a worker judge all that is there."""
    partitions = partitions_of(settings)

    async def scenario() -> None:
        async with working(settings, SwitchableModel()):
            await eventually(lambda: not any(redis_client.xlen(each.events) for each in partitions))

    asyncio.run(scenario())


def with_outcomes(settings: Settings, redis_client: Any, count: int = 12) -> list[str]:
    """Results of so many events, and four dead letters; returns the ids in the order of sending."""
    sent = produce(settings, *(event(f"evt-{number:02}") for number in range(count))).lines
    sent += produce(
        settings, *({"event_id": f"bad-{number}"} for number in range(4)), arguments=("--no-validate",)
    ).lines
    judge(settings, redis_client)
    return sent


def test_the_producer_prints_partitions_and_ids_and_says_that_no_worker_was_here(partitioned: Settings):
    done = produce(partitioned, *(event(f"evt-{number}") for number in range(12)))

    assert done.code == 0
    assert all(map(ID.fullmatch, done.lines))
    assert {line[0] for line in done.lines} == {"0", "1", "2"}
    assert "no worker with STREAM_PARTITIONS has been here yet" in done.err


def test_a_producer_with_more_partitions_than_the_workers_sends_nothing(partitioned: Settings, redis_client: Any):
    redis_client.set(count_key("eval-events"), 2)

    done = produce(partitioned, event())

    assert (done.code, done.out) == (2, "")
    assert "the workers have 2" in done.err
    assert not any(redis_client.exists(each.events) for each in partitions_of(partitioned))


def test_a_producer_notices_while_it_sends_that_the_workers_have_fewer_partitions_now(
    partitioned: Settings, redis_client: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("eval_worker.stream.partition_count.CHECKED_SECONDS", 0.0)
    payload = json.dumps(event()).encode()
    report = create_autospec(Report, instance=True)

    with open_delivery(partitioned, report, wait=False) as delivery:
        delivery.send([payload])
        redis_client.set(count_key("eval-events"), 2)
        with pytest.raises(SettingsError, match="the workers have 2"):
            delivery.send([payload])

    assert report.sent.call_count == 1


def test_wait_prints_the_verdicts_of_all_partitions(partitioned: Settings, redis_client: Any):
    documents = [event(f"evt-{number}") for number in range(9)]

    async def scenario() -> Finished:
        async with working(partitioned, SwitchableModel()):
            return await asyncio.to_thread(produce, partitioned, *documents, arguments=("--wait", "--timeout", "20"))

    done = asyncio.run(scenario())

    assert done.code == 0
    verdicts = [line for line in done.lines if line.startswith("{")]  # the worker beside it logs to the same stdout
    assert {json.loads(line)["id"] for line in verdicts} == {document["event_id"] for document in documents}


def test_results_are_those_of_all_partitions_in_the_order_of_time(partitioned: Settings, redis_client: Any):
    sent = with_outcomes(partitioned, redis_client)

    every = [json.loads(line) for line in run("eval_worker", "results", settings=partitioned).lines]
    newest = run("eval_worker", "results", "--limit", "5", settings=partitioned).lines

    assert {result["source_id"] for result in every} == set(sent[:12])
    written = {
        json.loads(fields[b"payload"])["source_id"]: int(entry_id.partition(b"-")[0])
        for each in partitions_of(partitioned)
        for entry_id, fields in redis_client.xrange(each.results)
    }
    times = [written[result["source_id"]] for result in every]
    assert times == sorted(times)
    assert [json.loads(line) for line in newest] == every[-5:]


def test_following_goes_on_from_where_each_partition_was(partitioned: Settings, redis_client: Any):
    with_outcomes(partitioned, redis_client)
    coming = [event(f"new-{number}") for number in range(9)]

    async def scenario() -> list[str]:
        client, seen = connect(partitioned), list[str]()
        stream = results_of(client, partitioned)
        place = await stream.last_id()
        await asyncio.to_thread(produce, partitioned, *coming)
        async with working(partitioned, SwitchableModel()):
            async for stored in stream.after(place, block_ms=100):
                assert ID.fullmatch(stored.id)
                seen.append(stored.event_id)
                if len(seen) == len(coming):
                    break
        await client.aclose()
        return seen

    assert set(asyncio.run(scenario())) == {document["event_id"] for document in coming}


def test_dead_letters_are_listed_shown_replayed_and_purged_by_partition_and_id(
    partitioned: Settings, redis_client: Any
):
    sent = with_outcomes(partitioned, redis_client)

    letters = [json.loads(line) for line in run("eval_worker", "dead-letters", "list", settings=partitioned).lines]
    ids = [letter["id"] for letter in letters]
    assert all(map(ID.fullmatch, ids))
    assert {letter["source_id"] for letter in letters} == set(sent[12:])

    shown = run("eval_worker", "dead-letters", "show", ids[0], settings=partitioned)
    assert json.loads(shown.out)["id"] == ids[0]
    replayed = run("eval_worker", "dead-letters", "replay", ids[0], settings=partitioned)
    assert replayed.out[:2] == ids[0][:2]
    assert redis_client.xlen(partitions_of(partitioned)[int(ids[0][0])].events) == 1
    assert run("eval_worker", "dead-letters", "purge", "--yes", *ids[1:], settings=partitioned).code == 0
    assert run("eval_worker", "dead-letters", "list", settings=partitioned).out == ""


@pytest.mark.parametrize("wrong", ["7/1700000000000-0", "1700000000000-0"])
def test_an_id_that_names_no_partition_is_refused_in_a_line(partitioned: Settings, wrong: str):
    done = run("eval_worker", "dead-letters", "show", wrong, settings=partitioned)

    assert done.code == 1
    assert "names no entry such as 2/1700000000000-0: there are 3 (STREAM_PARTITIONS)" in done.err


def test_status_adds_up_and_tells_the_partitions_apart(partitioned: Settings, redis_client: Any):
    with_outcomes(partitioned, redis_client)
    produce(partitioned, *(event(f"more-{number}") for number in range(20)))

    document = json.loads(run("eval_worker", "status", settings=partitioned).out)
    seen = run_on_terminal("eval_worker", "status", settings=partitioned).out

    assert (document["lag"], document["results"], document["dead_letters"], document["entries"]) == (20, 12, 4, 20)
    assert [sum(each[name] for each in document["partitions"]) for name in ("lag", "results")] == [20, 12]
    assert "partition" in seen
