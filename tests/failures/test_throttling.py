"""Workers at a provider that throttles: every event has its verdict, and hardly a call is in vain."""

from collections.abc import Callable
from typing import Any

from tests.events import CONTEXT, dead_letters, event, results, send
from tests.processes import Worker, environment_for
from tests.waiting import eventually_sync

from eval_worker.settings import Settings
from eval_worker.testing import FakeBedrock

Spawn = Callable[..., Worker]
EVENTS, JUDGES = 50, 5


def test_two_workers_keep_to_one_limit_that_nobody_told_them(
    settings: Settings, redis_client: Any, bedrock: FakeBedrock, spawn: Spawn
):
    for number in range(EVENTS):
        send(redis_client, event(f"evt-{number:03}", context=f"{CONTEXT} This is said in book {number}."))
    bedrock.limit(calls_per_second=40)

    workers = [spawn(environment_for(settings, bedrock)) for _ in range(2)]
    eventually_sync(lambda: len(results(redis_client)) == EVENTS)

    seen = bedrock.counters().by_outcome
    assert seen["Reply"] == EVENTS * JUDGES
    assert 0 < seen["Throttle"] < 0.25 * EVENTS * JUDGES  # the beginning, when nothing is known, is most of it
    assert not any(result["partial"] for result in results(redis_client))
    assert not dead_letters(redis_client)
    assert redis_client.keys("eval-pace:*")
    assert any(worker.logged("the provider throttles; calls take turns from now on") for worker in workers)


def test_a_quota_that_was_set_is_not_even_touched(
    settings: Settings, redis_client: Any, bedrock: FakeBedrock, spawn: Spawn
):
    for number in range(10):
        send(redis_client, event(f"evt-{number:03}", context=f"{CONTEXT} This is said in book {number}."))

    # 95 in 100 of it are spread: 9.5 calls a second after the first thirty, which may go at once.
    spawn(environment_for(settings, bedrock, CALLS_PER_MINUTE="600"))
    eventually_sync(lambda: len(results(redis_client)) >= 6)
    asked_early = bedrock.counters().calls
    eventually_sync(lambda: len(results(redis_client)) == 10)

    assert asked_early < 10 * JUDGES
    assert bedrock.counters().by_outcome == {"Reply": 10 * JUDGES}
