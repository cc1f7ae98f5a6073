"""Every call has its turn, tells its end, and waits for it outside its deadline."""

import asyncio
import math
from collections.abc import Callable

from tests.evaluation.judges.scripted_model import ScriptedModel, reply
from tests.virtual_time import in_virtual_time

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.asker import LONGEST_WAIT_FOR_A_TURN_SECONDS, Patience
from eval_worker.evaluation.judges.definition import JudgeDefinition
from eval_worker.evaluation.judges.judge import Judge, JudgedStage
from eval_worker.evaluation.judges.model import FailureKind, ModelAnswer, ModelFailure, ModelReply, ModelRequest
from eval_worker.evaluation.judges.turns import Turn

THROTTLED = ModelFailure(FailureKind.TRANSIENT, "throttled", "slow down")
NO_TURN = ModelFailure(FailureKind.TRANSIENT, "throttled", "not asked: no turn within 1 s")
DEADLINE_SECONDS = 60.0
LEVELS = {level: f"level {level}" for level in range(6)}


class TurnsInATest:
    """Takes note of turns and ends; each turn comes after `wait` seconds, or not at all."""

    def __init__(self, wait: float = 0.0, *, refuse: bool = False) -> None:
        self._wait = wait
        self._refuse = refuse
        self.again: list[bool] = []
        self.within: list[float] = []
        self.ends: list[ModelAnswer | str | None] = []

    async def take(self, request: ModelRequest, *, again: bool, within: float) -> Turn | ModelFailure:
        self.again.append(again)
        self.within.append(within)
        await asyncio.sleep(self._wait)
        return NO_TURN if self._refuse else self

    def ended(self, answer: ModelAnswer | None) -> None:
        self.ends.append(answer)

    def unused(self) -> None:
        self.ends.append("unused")


def judged(model: ScriptedModel, turns: TurnsInATest, *, seconds_left: float = math.inf) -> JudgedStage:
    definition = JudgeDefinition(name="relevance", question="Is it relevant?", levels=LEVELS)

    async def scenario(now: Callable[[], float]) -> JudgedStage:
        ends_at = now() + seconds_left
        how = Patience(DEADLINE_SECONDS, 0.001, seconds_left=lambda: ends_at - now(), turns=turns)
        return await Judge(definition, model, how, lambda: round(now() * 1e9)).judge(Interaction("What?", "That."))

    return in_virtual_time(scenario)


def test_each_attempt_has_a_turn_and_those_after_the_first_ask_to_go_before_others():
    turns = TurnsInATest()
    garbage = ModelReply("no JSON", reply(1).usage)
    judged(ScriptedModel(THROTTLED, garbage, reply(4)), turns)

    assert turns.again == [False, True, True]
    assert turns.ends == [THROTTLED, garbage, reply(4)]


def test_the_first_turn_may_take_longer_than_the_deadline_and_is_no_part_of_it():
    outcome = judged(ScriptedModel(reply(4)), turns := TurnsInATest(wait=2 * DEADLINE_SECONDS))
    assert outcome.stage.score == 0.8
    assert outcome.stage.duration_ns == 0
    assert turns.within == [LONGEST_WAIT_FOR_A_TURN_SECONDS]


def test_without_a_turn_the_model_is_not_asked_and_the_failure_says_why():
    model, turns = ScriptedModel(reply(4)), TurnsInATest(refuse=True)
    outcome = judged(model, turns)

    assert outcome.stage.failure == NO_TURN
    assert (model.requests, turns.ends) == ([], [])


def test_a_call_that_is_cut_off_has_ended_too():
    model = ScriptedModel(reply(4))
    model.latency = 2 * DEADLINE_SECONDS
    judged(model, turns := TurnsInATest())
    assert turns.ends == [None]


def test_a_turn_that_comes_when_no_time_is_left_is_handed_back():
    model, turns = ScriptedModel(reply(4)), TurnsInATest(wait=15.0)
    judged(model, turns, seconds_left=10.0)

    assert (model.requests, turns.ends) == ([], ["unused"])
