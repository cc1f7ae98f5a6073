"""A worker that has spent what it may reads nothing new, says so, and goes on by itself."""

import asyncio
import time
from typing import Any

import pytest
from prometheus_client import generate_latest
from tests.events import EVENTS, dead_letters, deliveries, event, results, send
from tests.failures.switchable_model import SwitchableModel
from tests.stream.working import with_settings, working
from tests.waiting import eventually

from eval_worker.errors import SettingsError
from eval_worker.models.budget import BUCKET_SECONDS, HOUR_SECONDS
from eval_worker.settings import Settings
from eval_worker.wiring.judging import read_judges
from eval_worker.wiring.worker import RunningParts, build_worker

COUNT = 12


@pytest.fixture
def thrifty(settings: Settings) -> Settings:
    """A call counts 100 tokens in and 10 out, so an event costs half a dollar; two may be judged at once."""
    prices = {"input_token_price": 1_000.0, "output_token_price": 0.0}
    return with_settings(settings, max_cost_per_hour=1.0, concurrency=2, judgement_cache_seconds=0, **prices)


def shown(parts: RunningParts, metric: str) -> str:
    lines = generate_latest(parts.metrics.registry).decode().splitlines()
    return next(line.rpartition(" ")[2] for line in lines if line.startswith(metric))


def test_it_pauses_when_its_hour_is_spent_and_goes_on_when_that_is_over(thrifty: Settings, redis_client: Any):
    later = 0.0
    for number in range(COUNT):
        send(redis_client, event(f"evt-{number}"))

    async def scenario() -> None:
        nonlocal later
        async with working(thrifty, SwitchableModel(), clock=lambda: time.monotonic() + later) as parts:
            await eventually(parts.health.not_ready)
            assert "MAX_COST_PER_HOUR is 1; it goes on in 6" in (parts.health.not_ready() or "")
            assert shown(parts, "eval_paused") == "1.0"
            await eventually(lambda: shown(parts, "eval_in_flight") == "0.0")
            judged = len(results(redis_client))
            assert 2 <= judged < COUNT
            assert float(shown(parts, 'eval_cost_usd_total{agent="my-agent"')) == pytest.approx(judged * 0.5)
            assert float(shown(parts, "eval_cost_last_hour_usd")) == pytest.approx(judged * 0.5)
            while len(results(redis_client)) < COUNT:
                later += HOUR_SECONDS + BUCKET_SECONDS
                before = len(results(redis_client))
                await eventually(lambda before=before: len(results(redis_client)) > before)
                await eventually(lambda: shown(parts, "eval_in_flight") == "0.0")

    asyncio.run(scenario())

    assert sorted(result["id"] for result in results(redis_client)) == sorted(f"evt-{n}" for n in range(COUNT))
    assert {result["attempt"] for result in results(redis_client)} == {1}  # nothing was charged
    assert dead_letters(redis_client) == []


def test_nothing_is_read_while_it_is_paused(thrifty: Settings, redis_client: Any):
    for number in range(2):
        send(redis_client, event(f"evt-{number}"))

    async def scenario() -> None:
        async with working(thrifty, SwitchableModel()) as parts:
            await eventually(parts.health.not_ready)
            await eventually(lambda: redis_client.xlen(EVENTS) == 0)
            send(redis_client, event("late"))
            for _ in range(3):  # so often the loop has looked around
                beat = parts.health.pulses[0].last_beat
                await eventually(lambda beat=beat: parts.health.pulses[0].last_beat > beat)
            assert (redis_client.xlen(EVENTS), deliveries(redis_client)) == (1, {})

    asyncio.run(scenario())


def test_without_a_limit_everything_is_judged(thrifty: Settings, redis_client: Any):
    for number in range(COUNT):
        send(redis_client, event(f"evt-{number}"))

    async def scenario() -> None:
        async with working(with_settings(thrifty, max_cost_per_hour=None), SwitchableModel()) as parts:
            await eventually(lambda: len(results(redis_client)) == COUNT)
            assert parts.health.not_ready() is None
            assert shown(parts, "eval_paused") == "0.0"

    asyncio.run(scenario())


def test_a_limit_on_what_can_not_be_counted_stops_the_start(thrifty: Settings):
    unknown = with_settings(thrifty, input_token_price=None, judge_model="bedrock")
    with pytest.raises(SettingsError, match="MAX_COST_PER_HOUR: the price of 'switchable' is not known: set INPUT_TOK"):
        build_worker(unknown, read_judges(unknown), SwitchableModel())


def test_the_offline_model_needs_no_price(thrifty: Settings):
    free = with_settings(thrifty, input_token_price=None, judge_model="offline")
    build_worker(free, read_judges(free), SwitchableModel())
