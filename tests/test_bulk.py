"""Many events judged side by side: in order or as they come, each once, and no verdict while the model is away."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any

import pytest
from tests.events import event, rubbish
from tests.failures.switchable_model import DENIED, THROTTLED, SwitchableModel
from tests.virtual_time import run_in_virtual_time
from tests.waiting import eventually

from eval_worker.bulk import WINDOW, BulkEvaluator
from eval_worker.errors import ModelUnavailableError
from eval_worker.evaluation.judges.model import FailureKind, JudgeModel, ModelAnswer, ModelFailure
from eval_worker.evaluation.judges.request import JudgeRequest
from eval_worker.evaluator import NoVerdict
from eval_worker.event import Event
from eval_worker.result import Result
from eval_worker.settings import load_settings
from eval_worker.wiring.judging import build_evaluator, read_judges


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        until = self.now + seconds
        await asyncio.sleep(0)  # for those who begin to sleep at the same moment
        self.now = max(self.now, until)


class FirstIsSlow(SwitchableModel):
    """Keeps the first event's judges waiting until told otherwise."""

    def __init__(self) -> None:
        super().__init__()
        self.go_on = asyncio.Event()

    async def ask(self, request: JudgeRequest) -> ModelAnswer:
        if "slow" in request.interaction.answer:
            await self.go_on.wait()
        return await super().ask(request)


def bulk_of(model: JudgeModel, *, clock: Clock | None = None, concurrency: int = 4, **how: Any) -> BulkEvaluator[int]:
    settings = load_settings(judge_model="offline", judge_timeout_seconds=60)
    clock = clock or Clock()
    evaluator = build_evaluator(settings, read_judges(settings), model, clock=clock)
    how = {"max_tries": 3, **how}
    return BulkEvaluator(evaluator, concurrency=concurrency, clock=clock, sleep=clock.sleep, **how)


def events(count: int, **how: Any) -> Iterator[tuple[int, Event]]:
    return ((number, Event.model_validate(event(f"e-{number}", **how))) for number in range(count))


async def all_of(bulk: BulkEvaluator[int], source: Any, *, in_order: bool = True) -> list[tuple[int, Any]]:
    return [outcome async for outcome in bulk.judge(source, in_order=in_order)]


@pytest.mark.parametrize("in_order", [True, False])
def test_each_event_has_one_outcome(in_order: bool):
    outcomes = run_in_virtual_time(all_of(bulk_of(SwitchableModel()), events(200), in_order=in_order))

    assert sorted(number for number, _ in outcomes) == list(range(200))
    assert all(result.id == f"e-{number}" for number, result in outcomes)
    assert not in_order or [number for number, _ in outcomes] == list(range(200))


def test_no_more_are_judged_at_once_than_was_said():
    model = SwitchableModel(latency=0.001)

    run_in_virtual_time(all_of(bulk_of(model, concurrency=3), events(30)))

    assert model.most_in_flight == 3 * 5


def test_no_more_are_taken_in_than_a_window():
    taken = 0

    def counted() -> Iterator[tuple[int, Event]]:
        nonlocal taken
        for each in events(10_000):
            taken += 1
            yield each

    async def scenario() -> None:
        coming = bulk_of(SwitchableModel(), concurrency=2).judge(counted(), in_order=True)
        await anext(coming)
        assert taken <= 2 * WINDOW
        await coming.aclose()

    run_in_virtual_time(scenario())


def test_a_slow_event_does_not_hold_up_those_behind_it():
    async def scenario() -> None:
        model = FirstIsSlow()
        source = [*events(1, answer="Paris is slow to answer, it seems to me."), *((n + 1, e) for n, e in events(20))]
        collecting = asyncio.create_task(all_of(bulk_of(model), source))
        await eventually(lambda: model.calls == 20 * 5)
        assert not collecting.done()
        model.go_on.set()
        assert [number for number, _ in await collecting] == list(range(21))

    run_in_virtual_time(scenario())


@pytest.mark.parametrize("failure", [THROTTLED, DENIED])
def test_an_outage_is_waited_out_and_charged_to_nobody(failure: ModelFailure):
    model, clock = SwitchableModel(failure), Clock()

    class Mending(Clock):
        async def sleep(self, seconds: float) -> None:
            await clock.sleep(seconds)
            if clock.now > 3:
                model.failure = None

    bulk = bulk_of(model, clock=clock, max_tries=2)  # the mending may come in the middle of an event
    bulk._sleep = Mending().sleep

    outcomes = run_in_virtual_time(all_of(bulk, events(30)))

    assert all(isinstance(result, Result) and result.verdict == "pass" for _, result in outcomes)


@pytest.mark.parametrize(("failure", "at_most"), [(THROTTLED, 360), (DENIED, 30)])
def test_a_model_that_stays_away_ends_it_and_says_why(failure: ModelFailure, at_most: float):
    clock = Clock()

    with pytest.raises(ModelUnavailableError, match=failure.message):
        run_in_virtual_time(all_of(bulk_of(SwitchableModel(failure), clock=clock), events(3)))

    assert clock.now < at_most


def test_a_provider_that_asks_for_a_day_is_waited_for_no_longer_than_patience_allows():
    clock, away = Clock(), replace(THROTTLED, retry_after=86_400.0)

    with pytest.raises(ModelUnavailableError, match=THROTTLED.message):
        run_in_virtual_time(all_of(bulk_of(SwitchableModel(away), clock=clock), events(3)))

    assert clock.now < 700


def test_rubbish_is_judged_while_the_model_is_away():
    source = [(1, Event.model_validate(rubbish()))] * 5

    outcomes = run_in_virtual_time(all_of(bulk_of(SwitchableModel(DENIED)), source))

    assert {result.verdict for _, result in outcomes} == {"fail"}


def test_an_event_that_fails_alone_is_tried_as_often_as_was_said_and_harms_no_other():
    model = SwitchableModel()
    model.poisoned["poison"] = ModelFailure(FailureKind.TRANSIENT, "server_error", "internal error")
    source = [*events(1, answer="The capital is poison, as far as I know."), *((n + 1, e) for n, e in events(5))]
    model_calls_for_others = 5 * 5

    outcomes = dict(run_in_virtual_time(all_of(bulk_of(model, concurrency=1), source, in_order=False)))

    assert isinstance(outcomes[0], NoVerdict)
    assert all(isinstance(outcomes[number], Result) for number in range(1, 6))
    assert model.calls > model_calls_for_others


def test_a_bug_costs_the_event_that_shows_it_and_no_other():
    class Broken(SwitchableModel):
        async def ask(self, request: JudgeRequest) -> ModelAnswer:
            if "third" in request.interaction.answer:
                raise ZeroDivisionError("by nothing")
            return await super().ask(request)

    shows_it = Event.model_validate(event("e-3", answer="It is the third harbour."))
    outcomes = dict(run_in_virtual_time(all_of(bulk_of(Broken()), [*events(3), (3, shows_it), (4, shows_it)])))

    bad = outcomes.pop(3)
    assert isinstance(bad, NoVerdict)
    assert outcomes.pop(4) == bad
    assert bad.failure.message == "evaluating it raised ZeroDivisionError: by nothing"
    assert all(isinstance(outcome, Result) for outcome in outcomes.values())


def test_leaving_early_cancels_what_is_under_way():
    async def scenario() -> None:
        model = SwitchableModel(latency=60)
        coming = bulk_of(model).judge(events(10), in_order=True)
        waiting = asyncio.ensure_future(anext(coming))
        await eventually(lambda: model.in_flight > 0)
        waiting.cancel()
        await asyncio.wait([waiting])
        await coming.aclose()
        assert model.in_flight == 0

    run_in_virtual_time(scenario())


def test_events_may_trickle_in():
    async def scenario() -> None:
        more: asyncio.Queue[int] = asyncio.Queue()

        async def trickling() -> AsyncIterator[tuple[int, Event]]:
            while (number := await more.get()) >= 0:
                yield number, Event.model_validate(event(f"e-{number}"))

        coming = bulk_of(SwitchableModel()).judge(trickling(), in_order=True)
        for number in (1, 2):
            more.put_nowait(number)
            assert (await anext(coming))[0] == number
        more.put_nowait(-1)
        assert [each async for each in coming] == []

    run_in_virtual_time(scenario())


@pytest.mark.parametrize("in_order", [True, False])
def test_what_breaks_the_reading_is_raised_when_all_that_was_read_is_judged(in_order: bool):
    def breaking() -> Iterator[tuple[int, Event]]:
        yield from events(5)
        raise OSError("no more")

    async def scenario() -> None:
        seen: list[int] = []
        bulk = bulk_of(SwitchableModel(), on_outcome=lambda number, _: seen.append(number))
        with pytest.raises(OSError, match="no more"):
            await all_of(bulk, breaking(), in_order=in_order)
        assert sorted(seen) == list(range(5))

    run_in_virtual_time(scenario())


def test_an_outcome_is_told_when_it_is_known_and_not_when_its_turn_has_come():
    async def scenario() -> None:
        model, told = FirstIsSlow(), list[int]()
        bulk = bulk_of(model, on_outcome=lambda number, _: told.append(number))
        source = [*events(1, answer="Paris is slow to answer, it seems to me."), *((n + 1, e) for n, e in events(9))]
        collecting = asyncio.create_task(all_of(bulk, source))
        await eventually(lambda: len(told) == 9)
        assert 0 not in told
        model.go_on.set()
        await collecting
        assert told[-1] == 0

    run_in_virtual_time(scenario())


@pytest.mark.parametrize("in_order", [True, False])
def test_when_told_to_stop_what_is_being_judged_is_finished_and_no_more_begun(in_order: bool):
    async def scenario() -> None:
        model, told = SwitchableModel(latency=0.05), set[int]()
        bulk = bulk_of(model, on_outcome=lambda number, _: told.add(number))
        collecting = asyncio.create_task(all_of(bulk, events(1000), in_order=in_order))
        await eventually(lambda: len(told) >= 8)
        bulk.stop()
        numbers = [number for number, _ in await collecting]
        assert model.in_flight == 0
        assert len(told) <= 8 + 4 + 4
        assert model.calls == len(told) * 5
        assert sorted(numbers) == sorted(told)
        assert not in_order or numbers == sorted(numbers)

    run_in_virtual_time(scenario())


def test_when_stopped_in_order_nothing_is_yielded_beyond_a_gap():
    async def scenario() -> None:
        told: set[int] = set()
        model = SwitchableModel()
        model.poisoned["shaky"] = ModelFailure(FailureKind.TRANSIENT, "server_error", "internal error")
        bulk = bulk_of(model, concurrency=2, max_tries=100, on_outcome=lambda number, _: told.add(number))
        bulk._sleep = lambda _: asyncio.sleep(60)
        source = [*events(1, answer="Paris is shaky, it seems to me."), *((n + 1, e) for n, e in events(9))]
        collecting = asyncio.create_task(all_of(bulk, source))
        await eventually(lambda: len(told) == 9)
        bulk.stop()
        assert await collecting == []

    run_in_virtual_time(scenario())
