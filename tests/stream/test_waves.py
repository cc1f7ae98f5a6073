"""JUDGE_WAVES in a worker: what is saved, and that a transient failure is no verdict, whatever the others decide."""

import asyncio
from dataclasses import replace
from typing import Any

from prometheus_client import generate_latest
from tests.evaluation.judges.scripted_model import ScriptedModel, reply
from tests.events import event, results, send
from tests.failures.switchable_model import THROTTLED
from tests.stream.working import with_settings, working
from tests.waiting import eventually

from eval_worker.settings import Settings

WAVES = "relevance,faithfulness,coherence,completeness"


def test_a_judge_that_was_not_asked_is_in_the_result_and_in_the_metrics(settings: Settings, redis_client: Any):
    model = ScriptedModel(reply(5))
    send(redis_client, event())

    async def scenario() -> str:
        async with working(with_settings(settings, judge_waves=WAVES), model) as parts:
            await eventually(lambda: results(redis_client))
        return generate_latest(parts.metrics.registry).decode()

    metrics = asyncio.run(scenario())

    (result,) = results(redis_client)
    assert (result["verdict"], result["partial"], result["usage"]["llm_calls"]) == ("pass", False, 4)
    assert result["stages"][-1] == {
        "name": "instruction-judge",
        "score": None,
        "reason": "not asked: whatever it would say, the verdict is pass",
        "duration_ns": 0,
        "status": "skipped",
    }
    assert 'eval_stage_unscored_total{stage="instruction-judge",status="skipped"} 1.0' in metrics


def test_a_transient_failure_in_a_wave_sends_the_event_back_and_the_next_delivery_is_judged(
    settings: Settings, redis_client: Any
):
    later = replace(THROTTLED, retry_after=0.3)  # too late for this delivery
    model = ScriptedModel(reply(0), by_judge={"relevance": [later, reply(0)]})
    send(redis_client, event())

    async def scenario() -> str:
        async with working(with_settings(settings, judge_waves=WAVES, judge_timeout_seconds=0.2), model) as parts:
            await eventually(lambda: results(redis_client))
        return generate_latest(parts.metrics.registry).decode()

    assert 'eval_released_total{charged="true"} 1.0' in asyncio.run(scenario())

    (result,) = results(redis_client)
    assert (result["verdict"], result["partial"], result["stages"][-1]["status"]) == ("fail", False, "skipped")
    assert [request.judge.name for request in model.requests].count("relevance") == 2
