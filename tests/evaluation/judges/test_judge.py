"""One judge: its deadline, its retries, its one repair."""

import asyncio
import time
from collections.abc import Callable

import pytest
from tests.evaluation.judges.scripted_model import ONE_CALL, ScriptedModel, reply
from tests.virtual_time import in_virtual_time

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.asker import Patience
from eval_worker.evaluation.judges.definition import JudgeDefinition
from eval_worker.evaluation.judges.judge import Judge, JudgedStage
from eval_worker.evaluation.judges.model import (
    BadReply,
    CannotJudge,
    FailureKind,
    Judgement,
    ModelAnswer,
    ModelFailure,
    ModelReply,
    Usage,
)
from eval_worker.evaluation.stage import StageStatus

QUICK = Patience(deadline_seconds=60, first_wait_seconds=0.001, longest_wait_seconds=0.002)
FRANCE = Interaction("What is the capital of France?", "Paris.", "Paris is the capital of France.")
THROTTLED = ModelFailure(FailureKind.TRANSIENT, "throttled", "slow down")
GARBAGE = ModelReply("I'd rather not say.", ONE_CALL)


def definition(*, requires_context: bool = False) -> JudgeDefinition:
    levels = {level: f"level {level}" for level in range(6)}
    return JudgeDefinition(
        name="relevance", question="Is it relevant?", levels=levels, requires_context=requires_context
    )


def judged(
    model: ScriptedModel, interaction: Interaction = FRANCE, patience: Patience = QUICK, **judge: bool
) -> JudgedStage:
    return asyncio.run(Judge(definition(**judge), model, patience, time.perf_counter_ns).judge(interaction))


def seconds_to_judge(model: ScriptedModel, patience: Patience) -> float:
    async def scenario(now: Callable[[], float]) -> float:
        started = now()
        await Judge(definition(), model, patience, time.perf_counter_ns).judge(FRANCE)
        return now() - started

    return in_virtual_time(scenario)


def test_a_level_becomes_a_score_of_level_over_five():
    outcome = judged(ScriptedModel(reply(4, "nearly perfect")))

    assert (outcome.stage.name, outcome.stage.score, outcome.stage.reason) == ("relevance-judge", 0.8, "nearly perfect")
    assert outcome.stage.status is StageStatus.OK
    assert outcome.usage == ONE_CALL


def test_a_judgement_without_an_llm_is_taken_as_it_is():
    outcome = judged(ScriptedModel(Judgement(0.37, "measured")))

    assert (outcome.stage.score, outcome.stage.reason, outcome.usage) == (0.37, "measured", Usage())


def test_a_judge_that_needs_context_is_not_asked_without_one():
    model = ScriptedModel(reply(5))

    outcome = judged(model, Interaction("Who?", "Me.", "  \n"), requires_context=True)

    assert outcome.stage.status is StageStatus.NOT_APPLICABLE
    assert (outcome.stage.score, outcome.stage.reason, outcome.stage.duration_ns) == (None, "no context given", 0)
    assert model.requests == []


def test_what_the_model_cannot_judge_is_left_out_and_not_an_error():
    outcome = judged(ScriptedModel(CannotJudge("needs an LLM")))

    assert (outcome.stage.status, outcome.stage.reason) == (StageStatus.NOT_APPLICABLE, "needs an LLM")


def test_a_transient_failure_is_tried_again_until_it_works():
    model = ScriptedModel(THROTTLED, THROTTLED, reply(5))

    assert judged(model).stage.score == 1.0
    assert len(model.requests) == 3


def test_a_provider_that_says_when_to_come_back_is_not_asked_before():
    model = ScriptedModel(ModelFailure(FailureKind.TRANSIENT, "throttled", "slow down", retry_after=0.2), reply(5))

    assert seconds_to_judge(model, QUICK) == pytest.approx(0.2)


def test_the_deadline_covers_all_attempts_and_leaves_the_last_failure_as_the_reason():
    patience = Patience(deadline_seconds=0.1, first_wait_seconds=0.01, longest_wait_seconds=0.02)

    outcome = judged(ScriptedModel(THROTTLED), patience=patience)

    assert 0 < seconds_to_judge(ScriptedModel(THROTTLED), patience) < 0.11
    assert outcome.stage.status is StageStatus.ERROR
    assert outcome.stage.score is None
    assert outcome.stage.failure == THROTTLED


def test_a_call_that_never_returns_is_a_transient_timeout():
    model = ScriptedModel(reply(5))
    model.latency = 60

    outcome = judged(model, patience=Patience(deadline_seconds=0.05))

    assert outcome.stage.failure is not None
    assert (outcome.stage.failure.kind, outcome.stage.failure.code) == (FailureKind.TRANSIENT, "timeout")


def test_the_end_that_all_questions_share_comes_before_a_judges_own_deadline():
    model = ScriptedModel(reply(5))
    model.latency = 60

    outcome = judged(model, patience=Patience(deadline_seconds=60, seconds_left=lambda: 0.05))

    assert outcome.stage.failure == ModelFailure(FailureKind.TRANSIENT, "timeout", "no answer within 0.05 s")


def test_nothing_is_asked_once_no_time_is_left():
    model = ScriptedModel(reply(5))

    outcome = judged(model, patience=Patience(seconds_left=lambda: -1.0))

    assert (outcome.stage.score, outcome.stage.reason) == (None, "not asked: no time was left")
    assert model.requests == []


def test_nobody_tries_again_while_the_provider_is_known_to_be_down():
    model = ScriptedModel(THROTTLED)

    judged(model, patience=Patience(deadline_seconds=60, keep_trying=lambda: False))

    assert len(model.requests) == 1


@pytest.mark.parametrize("kind", [FailureKind.PERMANENT, FailureKind.OUTAGE])
def test_a_failure_that_would_come_again_is_not_tried_again(kind: FailureKind):
    failure = ModelFailure(kind, "refused", "no")
    model = ScriptedModel(failure)

    outcome = judged(model)

    assert (outcome.stage.failure, outcome.stage.reason, len(model.requests)) == (failure, "no", 1)


def test_an_unusable_reply_is_repaired_once_and_both_calls_are_counted():
    model = ScriptedModel(GARBAGE, reply(3))

    outcome = judged(model)

    assert outcome.stage.score == 0.6
    assert outcome.usage == ONE_CALL + ONE_CALL
    assert [request.repair and request.repair.text for request in model.requests] == [None, "I'd rather not say."]


def test_a_reply_that_was_cut_off_is_repaired_with_what_the_provider_said_of_it():
    model = ScriptedModel(ModelReply('{"rationale": "it', ONE_CALL, problem="it was cut off"), reply(3))

    assert judged(model).stage.score == 0.6
    assert model.requests[1].repair == BadReply('{"rationale": "it', "it was cut off")


def test_garbage_twice_leaves_the_stage_unscored_and_is_the_events_own_failure():
    model = ScriptedModel(GARBAGE)

    outcome = judged(model)

    assert outcome.stage.failure is not None
    assert (outcome.stage.score, outcome.stage.failure.kind) == (None, FailureKind.PERMANENT)
    assert len(model.requests) == 2


def test_half_a_character_in_a_providers_message_is_spelled_out():
    outcome = judged(ScriptedModel(ModelFailure(FailureKind.PERMANENT, "refused", "no: \ud83d")))

    assert outcome.stage.reason == "no: \\ud83d"


def test_every_attempt_is_observed_with_its_number():
    seen: list[tuple[str, bool, int]] = []

    def observe(name: str, answer: ModelAnswer, attempt: int) -> None:
        seen.append((name, isinstance(answer, ModelFailure), attempt))

    judge = Judge(definition(), ScriptedModel(THROTTLED, reply(5)), QUICK, time.perf_counter_ns, observe)
    asyncio.run(judge.judge(FRANCE))

    assert seen == [("relevance", True, 1), ("relevance", False, 2)]


def test_an_exception_in_a_model_is_a_bug_and_is_not_swallowed():
    with pytest.raises(ZeroDivisionError):
        judged(ScriptedModel(ZeroDivisionError("bug")))


def test_a_judge_that_needs_a_reference_is_not_asked_without_one():
    model = ScriptedModel(reply(5))
    judge = Judge(definition().model_copy(update={"requires_reference": True}), model, QUICK, time.perf_counter_ns)

    without, with_one = (
        asyncio.run(judge.judge(Interaction("Who?", "Me.", reference=reference))).stage for reference in (" \n", "Me.")
    )

    assert (without.status, without.reason) == (StageStatus.NOT_APPLICABLE, "no reference answer given")
    assert (with_one.score, len(model.requests)) == (1.0, 1)
