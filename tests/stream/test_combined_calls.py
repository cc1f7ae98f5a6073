"""JUDGE_CALLS=combined in a worker of its own, at a Bedrock that counts: one call an event."""

from collections.abc import Callable
from typing import Any

from tests.events import CONTEXT, event, results, rubbish, send
from tests.processes import Worker, environment_for
from tests.waiting import eventually_sync

from eval_worker.settings import Settings
from eval_worker.testing import FakeBedrock, Judgements, Throttle

NAMES = [f"evt-{number}" for number in range(20)]


def test_a_worker_makes_one_call_an_event_and_writes_the_same_stages(
    settings: Settings, redis_client: Any, bedrock: FakeBedrock, spawn: Callable[..., Worker]
):
    bedrock.script(Judgements({"relevance": 4, "faithfulness": 1}))
    bedrock.script(Judgements({"coherence": None}), times=1)  # one call more, for this judge
    bedrock.script(Throttle(), times=1)  # and one more for all, which is not answered and so not counted
    for name in NAMES:
        send(redis_client, event(name, context=f"{CONTEXT} This is known since {name}."))
    send(redis_client, rubbish())

    spawn(environment_for(settings, bedrock, JUDGE_CALLS="combined"))
    eventually_sync(lambda: len(results(redis_client)) == len(NAMES) + 1)

    judged = [result for result in results(redis_client) if not result["early_exit"]]
    assert sorted(result["id"] for result in judged) == sorted(NAMES)
    assert bedrock.counters().by_judge == {"combined": len(NAMES) + 2}
    assert sorted(result["usage"]["llm_calls"] for result in judged) == [1] * (len(NAMES) - 1) + [2]
    assert {result["judge_calls"] for result in judged} == {"combined"}
    repaired = next(result for result in judged if result["usage"]["llm_calls"] == 2)
    others = [scores(result) for result in judged if result is not repaired]
    assert others == [[0.8, 0.2, 1.0, 1.0, 1.0]] * (len(NAMES) - 1)
    assert scores(repaired) == [1.0] * 5


def scores(result: dict[str, Any]) -> list[float]:
    return [stage["score"] for stage in result["stages"] if stage["name"].endswith("-judge")]
