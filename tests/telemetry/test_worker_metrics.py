"""What the worker's metrics say of results, of its loop, and of what is in its way."""

import asyncio
import time
from math import isnan
from typing import Any

import pytest
from prometheus_client import CollectorRegistry
from redis.exceptions import ConnectionError as RedisConnectionError
from tests.evaluation.judges.scripted_model import ScriptedModel, reply
from tests.events import dead_letters, event, results, rubbish, send
from tests.failures.switchable_model import DENIED, SwitchableModel
from tests.stream.working import with_settings, working
from tests.waiting import eventually

from eval_worker.evaluation.judges.model import FailureKind, ModelFailure
from eval_worker.settings import Settings
from eval_worker.telemetry.metrics import VERDICTS, Metrics
from eval_worker.wiring.judging import read_judges
from eval_worker.wiring.worker import RunningParts, build_worker

REFUSED = ModelFailure(FailureKind.PERMANENT, "refused", "the provider refuses this content")
CAUSES = ("model", "budget", "redis")


def value(registry: CollectorRegistry, name: str, **labels: str) -> float:
    found = registry.get_sample_value(name, labels)
    assert found is not None, f"there is no {name} {labels}"
    return found


def judged(settings: Settings, redis_client: Any, model: ScriptedModel | SwitchableModel, *events: Any) -> Any:
    """The registry of a worker that has judged these."""

    async def scenario() -> CollectorRegistry:
        async with working(with_settings(settings, judgement_cache_seconds=0), model) as parts:
            for each in events:
                send(redis_client, each)
            await eventually(lambda: len(results(redis_client)) == len(events))
        return parts.metrics.registry

    return asyncio.run(scenario())


def test_results_are_counted_by_agent_and_verdict(settings: Settings, redis_client: Any):
    unnamed = {name: part for name, part in event("unnamed").items() if name != "agent"}

    registry = judged(settings, redis_client, SwitchableModel(), event("good"), rubbish("bad"), unnamed)

    by_verdict = [value(registry, "eval_verdicts_total", agent="my-agent", verdict=verdict) for verdict in VERDICTS]
    assert dict(zip(VERDICTS, by_verdict, strict=True)) == {"pass": 1, "review": 0, "fail": 1}
    assert value(registry, "eval_verdicts_total", agent="", verdict="pass") == 1
    assert value(registry, "eval_confidence_count", agent="my-agent") == 2
    confidences = [result["confidence"] for result in results(redis_client) if result["agent"]]
    assert value(registry, "eval_confidence_sum", agent="my-agent") == pytest.approx(sum(confidences))
    assert value(registry, "eval_partial_results_total") == 0


def test_a_result_that_lacks_a_score_is_counted_as_partial(settings: Settings, redis_client: Any):
    model = ScriptedModel(reply(5), by_judge={"coherence": [REFUSED]})

    registry = judged(settings, redis_client, model, event())

    assert results(redis_client)[0]["partial"] is True
    assert value(registry, "eval_partial_results_total") == 1


def test_what_has_not_happened_yet_is_counted_as_zero_so_that_the_first_time_is_seen():
    registry = Metrics().registry

    assert value(registry, "eval_events_total", outcome="dead_letter") == 0
    assert value(registry, "eval_dead_letters_total", reason="unjudged") == 0
    assert value(registry, "eval_released_total", charged="true") == 0


def test_what_judges_may_come_to_is_counted_as_zero_before_they_are_asked(settings: Settings):
    combined = with_settings(settings, judge_calls="combined")
    parts = build_worker(combined, read_judges(combined), SwitchableModel())
    registry = parts.metrics.registry
    asyncio.run(parts.close())

    for judge in ("relevance", "correctness", "combined"):
        assert value(registry, "eval_judge_calls_total", judge=judge, result="ok") == 0
        assert value(registry, "eval_judge_calls_total", judge=judge, result="throttled") == 0
        assert value(registry, "eval_judge_retries_total", judge=judge) == 0
    for stage in ("instruction-judge", "correctness-judge"):
        assert value(registry, "eval_stage_unscored_total", stage=stage, status="error") == 0
        assert value(registry, "eval_stage_score_count", stage=stage) == 0
    assert value(registry, "eval_judge_tokens_total", direction="input") == 0


def test_dead_letters_on_their_stream_are_counted_and_unknown_until_somebody_looked(
    settings: Settings, redis_client: Any
):
    async def scenario() -> None:
        async with working(settings, SwitchableModel()) as parts:
            registry = parts.metrics.registry
            send(redis_client, {"event_id": "no interaction"})
            await eventually(lambda: dead_letters(redis_client))
            await parts.worker.lanes[0]._report()
            assert value(registry, "eval_stream_dead_letters") == 1
            parts.metrics.backlog_unknown()
            assert isnan(value(registry, "eval_stream_dead_letters"))

    asyncio.run(scenario())


def test_the_loops_progress_has_an_age_by_no_clock_but_the_workers_own_and_is_unknown_while_draining(
    settings: Settings, redis_client: Any
):
    late = 0.0

    async def scenario() -> None:
        nonlocal late
        async with working(settings, SwitchableModel(), clock=lambda: time.monotonic() + late) as parts:
            registry = parts.metrics.registry
            assert value(registry, "eval_loop_progress_age_seconds") == pytest.approx(0, abs=5)
            late = 100.0  # and this coroutine keeps the loop from moving
            assert value(registry, "eval_loop_progress_age_seconds") == pytest.approx(100, abs=5)
            await asyncio.sleep(0)
        assert isnan(value(registry, "eval_loop_progress_age_seconds"))

    asyncio.run(scenario())


def blocked(parts: RunningParts) -> list[str]:
    return [cause for cause in CAUSES if value(parts.metrics.registry, "eval_blocked", cause=cause)]


def test_what_keeps_a_worker_from_reading_is_told_by_its_cause(settings: Settings):
    async def scenario() -> None:
        limited = with_settings(settings, max_cost_per_hour=1.0, input_token_price=1.0, output_token_price=1.0)
        parts = build_worker(limited, read_judges(limited), SwitchableModel())
        lane = parts.worker.lanes[0]
        assert blocked(parts) == []
        lane._circuit.tripped("evt-1", DENIED)
        assert blocked(parts) == ["model"]
        lane._budget.spend(1.0)
        assert blocked(parts) == ["model", "budget"]
        await lane._redis.failed("read", RedisConnectionError("cut"))
        assert blocked(parts) == ["model", "budget", "redis"]
        lane._redis.succeeded("read")
        assert blocked(parts) == ["model", "budget"]
        await parts.close()

    asyncio.run(scenario())
