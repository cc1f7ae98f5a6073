"""Which keys there are, and which partition an event goes to: alike in every process and in every version."""

import json
from collections import Counter

import pytest
from redis.crc import key_slot

from eval_worker.errors import EvalWorkerError, SettingsError
from eval_worker.partitions import Partitioner, partitions_of, place, split_id
from eval_worker.settings import Settings, load_settings


def settings(count: int, **more: object) -> Settings:
    return load_settings(stream_partitions=count, judge_model="offline", **more)


def payload(event_id: str, agent: str | None = None) -> bytes:
    return json.dumps({"event_id": event_id, "agent": agent and {"name": agent}}).encode()


def test_without_partitions_the_names_are_those_of_the_settings():
    (only,) = partitions_of(settings(1, redis_result_stream="verdicts"))

    assert (only.events, only.results, only.dead_letters, only.prefix) == (
        "eval-events",
        "verdicts",
        "eval-dead-letters",
        "",
    )


def test_each_partition_has_its_keys_in_one_slot_and_partitions_differ():
    partitions = partitions_of(settings(16))

    slots = [{key_slot(key.encode()) for key in (each.events, each.results, each.dead_letters)} for each in partitions]
    assert partitions[3].events == "{eval-events:3}"
    assert partitions[3].dead_letters == "{eval-events:3}:dead-letters"
    assert all(len(each) == 1 for each in slots)
    assert len(set.union(*slots)) == 16


@pytest.mark.parametrize(
    ("key", "of_four", "of_seven"),
    [("evt-001", 1, 5), ("evt-002", 3, 4), ("my-agent", 3, 5), ("événement", 2, 2), ("", 0, 0)],
)
def test_the_hash_is_the_same_for_ever(key: str, of_four: int, of_seven: int):
    assert (place(key.encode(), 4), place(key.encode(), 7)) == (of_four, of_seven)


@pytest.mark.parametrize("count", [2, 3, 4, 5, 8, 16])
def test_events_that_are_numbered_spread_evenly(count: int):
    partitioner = Partitioner(settings(count))

    spread = Counter(partitioner.partition_of(payload(f"evt-{number:05}")).number for number in range(2_000))

    assert len(spread) == count
    assert max(spread.values()) < 1.15 * 2_000 / count


def test_by_agent_all_events_of_an_agent_go_to_one_partition_and_those_without_by_their_id():
    partitioner = Partitioner(settings(8, partition_by="agent"))

    def places(agent: str | None) -> set[int | None]:
        return {partitioner.partition_of(payload(f"evt-{number}", agent)).number for number in range(100)}

    assert len(places("my-agent")) == 1
    assert len(places(None)) == 8


@pytest.mark.parametrize("broken", [b"", b"\xff", b"[]", b'{"event_id": 7}', b"null", b"[" * 100_000])
def test_what_is_no_event_has_its_partition_too(broken: bytes):
    partitioner = Partitioner(settings(4, partition_by="agent"))

    assert partitioner.partition_of(broken) == partitioner.partition_of(broken)


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"redis_result_stream": "verdicts"}, "REDIS_RESULT_STREAM can't be chosen"),
        ({"redis_dead_letter_stream": "dead"}, "REDIS_DEAD_LETTER_STREAM can't be chosen"),
        ({"redis_stream_name": "{app}:events"}, "must hold no braces"),
        ({"read_ahead": 6}, r"READ_AHEAD \(6\) must be at least two for each of STREAM_PARTITIONS \(4\)"),
    ],
)
def test_settings_that_do_not_go_together_are_refused_in_a_line(wrong: dict[str, object], problem: str):
    with pytest.raises(SettingsError, match=problem) as refusal:
        settings(4, **wrong)

    assert "\n" not in str(refusal.value)


def test_an_id_names_its_partition_where_there_are_some_and_only_there():
    divided, whole = partitions_of(settings(4)), partitions_of(settings(1))

    assert split_id(divided, "3/1700000000000-0") == (divided[3], "1700000000000-0")
    assert split_id(whole, "1700000000000-0") == (whole[0], "1700000000000-0")
    for partitions, wrong in ((divided, "4/1-0"), (divided, "1-0"), (whole, "0/1-0")):
        with pytest.raises(EvalWorkerError, match="names no entry"):
            split_id(partitions, wrong)
