"""A late answer is not waited for alone; what the second call took is told as well."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from tests.evaluation.judges.scripted_model import ScriptedLanguageModel, reply
from tests.virtual_time import in_virtual_time

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.definition import JudgeDefinition
from eval_worker.evaluation.judges.model import FailureKind, ModelAnswer, ModelFailure, ModelRequest
from eval_worker.evaluation.judges.request import JudgeRequest
from eval_worker.evaluation.judges.turns import Turn, Turns
from eval_worker.models.hedged import HedgedModel

LATE_SECONDS = 2.0
FIRST, SECOND = reply(1), reply(5)
BROKEN = ModelFailure(FailureKind.TRANSIENT, "server_error", "try again")
LEVELS = {level: f"level {level}" for level in range(6)}
REQUEST = JudgeRequest(
    JudgeDefinition(name="relevance", question="Is it relevant?", levels=LEVELS), Interaction("What?", "That.")
)


class NoTurns:
    async def take(self, request: ModelRequest, *, again: bool, within: float) -> Turn | ModelFailure:
        assert (again, within) == (False, LATE_SECONDS)
        return BROKEN


class Bill:
    """What was told of calls besides the answer."""

    def __init__(self) -> None:
        self.hedged: list[str] = []
        self.late: list[ModelAnswer] = []

    def model(self, scripted: ScriptedLanguageModel, turns: Turns | None = None) -> HedgedModel:
        return HedgedModel(
            scripted,
            LATE_SECONDS,
            turns,
            on_hedge=self.hedged.append,
            on_late=lambda _judge, answer: self.late.append(answer),
        )


def asked(scripted: ScriptedLanguageModel, bill: Bill, turns: Turns | None = None) -> tuple[ModelAnswer, float, Bill]:
    """Return the answer, the seconds until it was there, and the bill of all that followed."""

    async def scenario(clock: Callable[[], float]) -> tuple[ModelAnswer, float, Bill]:
        began = clock()
        answer = await bill.model(scripted, turns).ask(REQUEST)
        seconds = clock() - began
        await asyncio.sleep(100)
        return answer, seconds, bill

    return in_virtual_time(scenario)


def test_an_answer_in_time_costs_one_call():
    scripted = ScriptedLanguageModel(FIRST, latency=[1.0])
    answer, _, bill = asked(scripted, Bill())
    assert (answer, len(scripted.requests), bill.hedged, bill.late) == (FIRST, 1, [], [])


def test_where_the_first_answer_is_late_the_second_is_taken_and_the_first_still_billed():
    scripted = ScriptedLanguageModel(SECOND, FIRST, latency=[10.0, 1.0])  # in the order in which they answer
    answer, seconds, bill = asked(scripted, Bill())
    assert (answer, seconds) == (SECOND, pytest.approx(3.0))
    assert bill.hedged == ["relevance"]
    assert bill.late == [FIRST]


def test_the_first_answer_is_taken_where_it_comes_first_after_all():
    answer, seconds, bill = asked(ScriptedLanguageModel(FIRST, SECOND, latency=[3.0, 5.0]), Bill())
    assert (answer, seconds) == (FIRST, pytest.approx(3.0))
    assert bill.late == [SECOND]


def test_a_failure_does_not_win_over_an_answer_that_is_still_to_come():
    answer, seconds, _ = asked(ScriptedLanguageModel(BROKEN, FIRST, latency=[8.0, 1.0]), Bill())
    assert (answer, seconds) == (FIRST, pytest.approx(8.0))


def test_where_both_fail_it_is_the_first_ones_failure():
    assert asked(ScriptedLanguageModel(BROKEN, latency=[3.0]), Bill())[0] == BROKEN


def test_a_first_call_that_failed_is_billed_where_the_second_is_taken():
    billed = ModelFailure(FailureKind.PERMANENT, "refused", "no", usage=reply(1).usage)
    answer, _, bill = asked(ScriptedLanguageModel(billed, SECOND, latency=[2.5, 1.0]), Bill())
    assert (answer, bill.late) == (SECOND, [billed])


def test_without_a_turn_no_second_call_is_made():
    scripted = ScriptedLanguageModel(FIRST, latency=[10.0])
    answer, seconds, bill = asked(scripted, Bill(), NoTurns())
    assert (answer, seconds, len(scripted.requests)) == (FIRST, pytest.approx(10.0), 1)
    assert (bill.hedged, bill.late) == ([], [])


def test_a_call_that_is_given_up_leaves_nothing_running():
    async def scenario(_clock: Callable[[], float]) -> set[asyncio.Task[object]]:
        model = Bill().model(ScriptedLanguageModel(FIRST, latency=[60.0]))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(model.ask(REQUEST), 5)
        await asyncio.sleep(0)
        return asyncio.all_tasks() - {asyncio.current_task()}

    run: Callable[[Callable[[], float]], Awaitable[set[asyncio.Task[object]]]] = scenario
    assert in_virtual_time(run) == set()
