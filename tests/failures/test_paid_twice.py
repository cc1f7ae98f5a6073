"""What a model was paid for is not paid for again: not for a text that comes twice, nor after a worker has died."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.events import CONTEXT, event, results, send
from tests.processes import Worker, environment_for
from tests.waiting import eventually_sync

from eval_worker.settings import Settings
from eval_worker.testing import FakeBedrock, Throttle, judge

Spawn = Callable[..., Worker]
JUDGES = 5


def send_texts(redis_client: Any, texts: list[int]) -> None:
    for number, text in enumerate(texts):
        send(redis_client, event(f"evt-{number:04}", context=f"{CONTEXT} This is said in book {text}."))


def settled(redis_client: Any, count: int) -> None:
    eventually_sync(lambda: len(results(redis_client)) == count)


def stored(redis_client: Any) -> int:
    """How many judgements are in Redis; claims are none."""
    values = map(redis_client.get, redis_client.scan_iter("eval-judgements:*", count=10_000))
    return sum(value is not None and not value.startswith(b"?") for value in values)


def test_of_events_that_come_again_none_is_paid_for_twice(
    settings: Settings, redis_client: Any, bedrock: FakeBedrock, spawn: Spawn
):
    texts = [*range(70), *random.Random(1).choices(range(70), k=30)]
    random.Random(2).shuffle(texts)
    send_texts(redis_client, texts)

    for _ in range(2):  # two workers, which find each other's judgements
        spawn(environment_for(settings, bedrock))
    settled(redis_client, len(texts))

    assert bedrock.counters().calls == 70 * JUDGES
    stages = [stage for result in results(redis_client) for stage in result["stages"]]
    cached = Counter(stage.get("cached", False) for stage in stages if stage["name"].endswith("-judge"))
    assert cached == {False: 70 * JUDGES, True: 30 * JUDGES}
    assert sum(result["usage"]["llm_calls"] for result in results(redis_client)) == 70 * JUDGES


def test_after_kill_9_no_stored_judgement_is_paid_for_again(
    settings: Settings, redis_client: Any, bedrock: FakeBedrock, spawn: Spawn
):
    bedrock.latency(0.1)
    environment = environment_for(settings, bedrock, CONCURRENCY="32", LEASE_SECONDS="2", JUDGE_TIMEOUT_SECONDS="5")
    first = spawn(environment)
    send_texts(redis_client, list(range(200)))
    eventually_sync(lambda: len(results(redis_client)) >= 60)
    first.end()
    eventually_sync(lambda: bedrock.counters().in_flight == 0)
    paid, kept = bedrock.counters().calls, stored(redis_client)

    spawn(environment)
    settled(redis_client, 200)

    assert kept >= 60 * JUDGES
    # What the dead one had sent may have been stored after we looked.
    assert bedrock.counters().calls - paid <= 200 * JUDGES - kept


def test_a_judge_that_answered_is_not_asked_again_because_another_one_did_not(
    settings: Settings, redis_client: Any, bedrock: FakeBedrock, spawn: Spawn
):
    bedrock.script(Throttle(retry_after=6), when=judge("coherence"), times=1)  # longer than a judge may take
    spawn(environment_for(settings, bedrock, JUDGE_TIMEOUT_SECONDS="5"))
    send_texts(redis_client, [1])
    settled(redis_client, 1)

    by_judge = dict(bedrock.counters().by_judge)
    assert by_judge.pop("coherence") == 2
    assert set(by_judge.values()) == {1}
    assert results(redis_client)[0]["attempt"] == 2


def test_with_the_cache_switched_off_every_event_is_judged_anew(
    settings: Settings, redis_client: Any, bedrock: FakeBedrock, spawn: Spawn
):
    spawn(environment_for(settings, bedrock, JUDGEMENT_CACHE_SECONDS="0"))
    send_texts(redis_client, [1, 1])
    settled(redis_client, 2)

    assert bedrock.counters().calls == 2 * JUDGES
    assert stored(redis_client) == 0
