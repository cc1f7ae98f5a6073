"""While the model can't be used, nothing is judged, nothing is charged and nothing is lost."""

import asyncio
import time
from typing import Any

import pytest
from tests.events import EVENTS, dead_letters, deliveries, event, results, send
from tests.failures.switchable_model import DENIED, THROTTLED, SwitchableModel
from tests.stream.working import with_settings, working
from tests.waiting import eventually

from eval_worker.evaluation.judges.model import FailureKind, ModelAnswer, ModelFailure
from eval_worker.evaluation.judges.request import JudgeRequest
from eval_worker.settings import Settings

COUNT = 40


@pytest.fixture
def impatient(settings: Settings) -> Settings:
    return with_settings(settings, judge_timeout_seconds=1.5, lease_seconds=5.0, max_deliveries=2, concurrency=8)


def send_many(redis_client: Any, count: int = COUNT) -> set[str]:
    names = {f"evt-{number}" for number in range(count)}
    for name in sorted(names):
        send(redis_client, event(name))
    return names


@pytest.mark.parametrize("failure", [DENIED, THROTTLED])
def test_an_outage_leaves_no_trace_but_the_time_it_took(impatient: Settings, redis_client: Any, failure: ModelFailure):
    model = SwitchableModel(failure)
    names = send_many(redis_client)

    async def scenario() -> None:
        async with working(impatient, model) as parts:
            await eventually(parts.health.not_ready)
            assert failure.message in (parts.health.not_ready() or "")
            # Long enough for every event to have used up its deliveries, had it been charged: three probes.
            calls_when_paused = model.calls
            await eventually(lambda: model.calls >= calls_when_paused + 15)
            assert results(redis_client) == dead_letters(redis_client) == []
            assert redis_client.xlen(EVENTS) == COUNT
            model.failure = None
            await eventually(lambda: len(results(redis_client)) == COUNT)
            assert parts.health.not_ready() is None

    asyncio.run(scenario())

    judged = results(redis_client)
    assert {result["id"] for result in judged} == names
    assert {(result["verdict"], result["partial"], result["attempt"]) for result in judged} == {("pass", False, 1)}
    assert dead_letters(redis_client) == []


def test_nothing_new_is_read_while_paused(impatient: Settings, redis_client: Any):
    model = SwitchableModel(DENIED)

    async def scenario() -> None:
        async with working(impatient, model) as parts:
            send(redis_client, event("the one that found out"))
            await eventually(parts.health.not_ready)
            send_many(redis_client, 100)
            before = model.calls
            await eventually(lambda: model.calls >= before + 5)
            assert len(deliveries(redis_client)) <= 3

    asyncio.run(scenario())


def test_a_model_that_is_down_is_asked_by_one_event_at_a_time_and_after_a_wait(impatient: Settings, redis_client: Any):
    """A breaker, not a hammer: two probes of five calls each can't come sooner than 1 + 2 s, less a fifth of jitter."""

    class TimedModel(SwitchableModel):
        async def ask(self, request: JudgeRequest) -> ModelAnswer:
            asked_at.append(time.monotonic())
            return await super().ask(request)

    asked_at: list[float] = []
    model = TimedModel(DENIED)
    send_many(redis_client)

    async def scenario() -> None:
        async with working(impatient, model) as parts:
            await eventually(parts.health.not_ready)
            await eventually(lambda: model.in_flight == 0)
            before = model.calls
            await eventually(lambda: model.calls >= before + 10)
            assert asked_at[before + 9] - asked_at[before - 1] > 2.2

    asyncio.run(scenario())


def test_what_was_released_in_an_outage_carries_no_charge(impatient: Settings, redis_client: Any):
    send_many(redis_client)

    async def scenario() -> None:
        async with working(impatient, SwitchableModel(DENIED)) as parts:
            await eventually(parts.health.not_ready)
            await eventually(lambda: len(parts.worker.lanes[0]._leases) == 0)

    asyncio.run(scenario())

    assert set(deliveries(redis_client).values()) <= {0}


def test_a_failure_that_keeps_to_one_event_is_charged_to_it_and_leaves_its_stage_unscored(
    impatient: Settings, redis_client: Any
):
    model = SwitchableModel()
    model.poisoned["cursed"] = ModelFailure(FailureKind.TRANSIENT, "server_error", "internal error")
    send(redis_client, event("evt-cursed", answer="The cursed capital of France is Paris."))

    async def scenario() -> None:
        async with working(impatient, model):
            for number in range(200):
                send(redis_client, event(f"evt-{number}"))
            await eventually(lambda: dead_letters(redis_client))
            await eventually(lambda: len(results(redis_client)) == 200)

    asyncio.run(scenario())

    (letter,) = dead_letters(redis_client)
    assert letter["error"] == b"unjudged"
    assert letter["reason"] == b"every judge failed: internal error"
    assert {result["verdict"] for result in results(redis_client)} == {"pass"}


def test_a_judge_that_fails_for_one_event_only_makes_its_result_partial_in_the_end(
    impatient: Settings, redis_client: Any
):
    class OneJudgeFails(SwitchableModel):
        async def ask(self, request: JudgeRequest) -> ModelAnswer:
            if request.judge.name == "coherence" and "cursed" in request.interaction.answer:
                return THROTTLED
            return await super().ask(request)

    send(redis_client, event("evt-cursed", answer="The cursed capital of France is Paris."))

    async def scenario() -> None:
        async with working(impatient, OneJudgeFails()):
            for number in range(50):
                send(redis_client, event(f"evt-{number}"))
            await eventually(lambda: len(results(redis_client)) == 51)

    asyncio.run(scenario())

    cursed = next(result for result in results(redis_client) if result["id"] == "evt-cursed")
    assert (cursed["verdict"], cursed["partial"], cursed["attempt"]) == ("review", True, 2)
    assert [stage["score"] for stage in cursed["stages"] if stage["status"] == "error"] == [None]


def test_an_event_that_raises_in_the_judges_is_dead_lettered_with_the_error(impatient: Settings, redis_client: Any):
    model = SwitchableModel()
    model.poisoned["cursed"] = ZeroDivisionError("a bug")
    send(redis_client, event("evt-cursed", answer="The cursed capital of France is Paris."))
    send(redis_client, event("evt-good"))

    async def scenario() -> None:
        async with working(impatient, model):
            await eventually(lambda: dead_letters(redis_client))

    asyncio.run(scenario())

    (letter,) = dead_letters(redis_client)
    assert (letter["error"], letter["deliveries"]) == (b"handler_error", b"2")
    assert letter["reason"] == b"evaluating it raised ZeroDivisionError: a bug"
    assert [result["id"] for result in results(redis_client)] == ["evt-good"]
