"""Workers that are stopped, killed and poisoned: nothing is lost, nothing is judged into two results."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.events import CONTEXT, EVENTS, dead_letters, deliveries, event, results, send
from tests.failures import deadly_worker
from tests.processes import Worker, environment_for, seconds_to_leave
from tests.waiting import eventually_sync, once_in_a_few_tries

from eval_worker.embedded import EmbeddedServer
from eval_worker.redis_connection import connect_sync
from eval_worker.settings import Settings, load_settings
from eval_worker.testing import FakeBedrock

LEASE_SECONDS = 2
Spawn = Callable[..., Worker]


def send_many(redis_client: Any, count: int, *, first: int = 0) -> list[str]:
    """Each about a text of its own, since one that was judged is not judged again."""
    names = [f"evt-{number:04}" for number in range(first, first + count)]
    for name in names:
        send(redis_client, event(name, context=f"{CONTEXT} This is known since {name}."))
    return names


def test_sigterm_with_fifty_events_in_flight_finishes_or_gives_back_every_one(
    settings: Settings, redis_client: Any, bedrock: FakeBedrock, spawn: Spawn
):
    bedrock.latency(0.5)
    environment = environment_for(settings, bedrock, CONCURRENCY="50", DRAIN_SECONDS="60")
    first = spawn(environment)
    names = send_many(redis_client, 120)
    eventually_sync(lambda: bedrock.counters().in_flight >= 50)

    first.signal(signal.SIGTERM)
    assert first.wait(60) == 0

    done = [result["id"] for result in results(redis_client)]
    assert len(done) >= 10  # fifty calls in flight are ten events
    assert len(done) == len(set(done))
    left = deliveries(redis_client)
    assert set(left.values()) <= {0}  # given back, uncharged

    spawn(environment)
    eventually_sync(lambda: len(results(redis_client)) == len(names))
    assert sorted(result["id"] for result in results(redis_client)) == names


def test_after_kill_9_a_second_worker_finishes_all_after_the_lease(
    settings: Settings, redis_client: Any, bedrock: FakeBedrock, spawn: Spawn
):
    bedrock.latency(0.5)
    environment = environment_for(settings, bedrock, CONCURRENCY="50", LEASE_SECONDS=str(LEASE_SECONDS))
    first = spawn(environment)
    names = send_many(redis_client, 60)
    eventually_sync(lambda: bedrock.counters().in_flight >= 50)

    first.end()
    spawn(environment)

    eventually_sync(lambda: len(results(redis_client)) == len(names))
    assert sorted(result["id"] for result in results(redis_client)) == names
    assert dead_letters(redis_client) == []


def test_a_second_signal_ends_the_process_at_once_and_not_with_zero(
    settings: Settings, redis_client: Any, bedrock: FakeBedrock, spawn: Spawn
):
    bedrock.latency(600)
    worker = spawn(environment_for(settings, bedrock, DRAIN_SECONDS="600", JUDGE_TIMEOUT_SECONDS="600"))
    send_many(redis_client, 5)
    eventually_sync(lambda: bedrock.counters().in_flight >= 5)

    worker.signal(signal.SIGTERM)
    eventually_sync(lambda: worker.logged("draining"))
    worker.signal(signal.SIGTERM)

    assert worker.wait(60) == 128 + signal.SIGTERM


def test_a_worker_under_a_slow_model_leaves_within_drain_seconds(
    settings: Settings, redis_client: Any, bedrock: FakeBedrock, spawn: Spawn
):
    bedrock.latency(600)
    send_many(redis_client, 20)

    def leaves_in_time() -> bool:
        worker = spawn(environment_for(settings, bedrock, DRAIN_SECONDS="2", JUDGE_TIMEOUT_SECONDS="600"))
        eventually_sync(lambda: bedrock.counters().in_flight >= 50)
        seconds = seconds_to_leave(worker)
        eventually_sync(lambda: bedrock.counters().in_flight == 0)
        return seconds < 3

    assert once_in_a_few_tries(leaves_in_time)
    assert deliveries(redis_client) == dict.fromkeys(deliveries(redis_client), 0)
    assert redis_client.xlen(EVENTS) == 20


def test_a_poison_event_ends_as_a_dead_letter_and_takes_none_of_its_neighbours_along(
    settings: Settings, redis_client: Any, spawn: Spawn
):
    environment = environment_for(settings, LEASE_SECONDS="1", MAX_DELIVERIES="5", CONCURRENCY="17")
    names = send_many(redis_client, 8)
    send(redis_client, event("evt-poison", answer="The deadly capital of France is Paris."))
    names += send_many(redis_client, 8, first=8)

    deaths = 0
    while not dead_letters(redis_client) or len(results(redis_client)) < 16:
        worker = spawn(environment, deadly_worker.__file__)
        eventually_sync(
            lambda worker=worker: (
                worker.process.poll() is not None or (dead_letters(redis_client) and len(results(redis_client)) == 16)
            ),
        )
        deaths += worker.process.poll() == 42
        assert deaths <= 5

    (letter,) = dead_letters(redis_client)
    assert (letter["error"], letter["deliveries"]) == (b"max_deliveries", b"5")
    assert deaths == 5
    assert sorted(result["id"] for result in results(redis_client)) == names


def test_a_worker_whose_redis_hangs_still_leaves_within_drain_seconds(
    tmp_path: Path, free_port: int, bedrock: FakeBedrock, spawn: Spawn
):
    with EmbeddedServer.on_port(free_port, tmp_path / "data") as server:
        settings, pid = load_settings(redis_addr=server.addr), server.pid
        assert pid is not None

        def leaves_in_time() -> bool:
            worker = spawn(environment_for(None, bedrock, REDIS_ADDR=server.addr, DRAIN_SECONDS="3"))
            with connect_sync(settings) as client:
                judged = len(results(client))
                send_many(client, 5)
                eventually_sync(lambda: len(results(client)) == judged + 5)
            os.kill(pid, signal.SIGSTOP)
            try:
                return seconds_to_leave(worker) < 3
            finally:
                os.kill(pid, signal.SIGCONT)

        assert once_in_a_few_tries(leaves_in_time)
