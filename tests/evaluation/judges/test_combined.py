"""Judges that are asked together: one call, an opinion and a stage of its own for each."""

import asyncio
import time
from collections.abc import Sequence

import pytest
from tests.evaluation.judges.scripted_model import ONE_CALL, ScriptedLanguageModel, combined_reply, reply

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.asker import Patience
from eval_worker.evaluation.judges.combined import CombinedJudges
from eval_worker.evaluation.judges.definition import JudgeDefinition, ModelOptions
from eval_worker.evaluation.judges.judge import JudgedStage
from eval_worker.evaluation.judges.model import (
    FailureKind,
    ModelAnswer,
    ModelFailure,
    ModelReply,
    Usage,
)
from eval_worker.evaluation.judges.request import CombinedRequest, JudgeRequest
from eval_worker.evaluation.stage import StageStatus

QUICK = Patience(deadline_seconds=60, first_wait_seconds=0.001, longest_wait_seconds=0.002)
FRANCE = Interaction("What is the capital of France?", "Paris.", "Paris is the capital of France.")
NAMES = ("relevance", "faithfulness", "coherence")
THROTTLED = ModelFailure(FailureKind.TRANSIENT, "throttled", "slow down")
ALL_FIVES = combined_reply(relevance=5, faithfulness=5, coherence=5)


def definition(name: str, *, requires_context: bool = False, **options: object) -> JudgeDefinition:
    return JudgeDefinition(
        name=name,
        question=f"How is its {name}?",
        levels={level: f"level {level}" for level in range(6)},
        requires_context=requires_context,
        model=ModelOptions.model_validate(options),
    )


THREE = tuple(definition(name) for name in NAMES)


def judged(
    model: ScriptedLanguageModel,
    judges: Sequence[JudgeDefinition] = THREE,
    interaction: Interaction = FRANCE,
    patience: Patience = QUICK,
) -> Sequence[JudgedStage]:
    asked = CombinedJudges(model, patience, time.perf_counter_ns)
    return asyncio.run(asked.judge(interaction, judges))


def combined(model: ScriptedLanguageModel, number: int = 0) -> CombinedRequest:
    request = model.requests[number]
    assert isinstance(request, CombinedRequest)
    return request


def scores(stages: Sequence[JudgedStage]) -> list[float | None]:
    return [each.stage.score for each in stages]


def calls(stages: Sequence[JudgedStage]) -> Usage:
    return sum((each.usage for each in stages), start=Usage())


def test_one_call_gives_each_judge_its_own_score_and_reason():
    model = ScriptedLanguageModel(combined_reply(relevance=5, faithfulness=0, coherence=3))

    stages = judged(model)

    assert [each.stage.name for each in stages] == ["relevance-judge", "faithfulness-judge", "coherence-judge"]
    assert scores(stages) == [1.0, 0.0, 0.6]
    assert [each.stage.reason for each in stages] == [f"{name} says why" for name in NAMES]
    assert (len(model.requests), calls(stages)) == (1, ONE_CALL)


def test_the_stages_come_in_the_order_that_was_asked_for_whatever_the_reply_has():
    model = ScriptedLanguageModel(combined_reply(coherence=1, faithfulness=2, relevance=3))

    stages = judged(model, [THREE[1], THREE[0], THREE[2]])

    assert scores(stages) == [0.4, 0.6, 0.2]
    assert combined(model).judge_names == ("faithfulness", "relevance", "coherence")


def test_no_judge_is_asked_but_those_that_were_named():
    model = ScriptedLanguageModel(ALL_FIVES)

    stages = judged(model, THREE[1:])

    assert len(stages) == 2
    assert combined(model).judge_names == ("faithfulness", "coherence")
    assert "relevance" not in combined(model).form.schema["properties"]


def test_nobody_to_ask_is_no_call():
    model = ScriptedLanguageModel(ALL_FIVES)

    assert (list(judged(model, [])), model.requests) == ([], [])


def test_a_judge_that_cannot_apply_is_left_out_of_the_call():
    needy = definition("faithfulness", requires_context=True)
    model = ScriptedLanguageModel(ALL_FIVES)

    stages = judged(model, [THREE[0], needy, THREE[2]], Interaction("Who?", "Me."))

    left_out = stages[1].stage
    assert (left_out.status, left_out.reason, left_out.duration_ns) == (
        StageStatus.NOT_APPLICABLE,
        "no context given",
        0,
    )
    assert scores(stages) == [1.0, None, 1.0]
    assert combined(model).judge_names == ("relevance", "coherence")


def test_every_stage_took_as_long_as_the_call():
    stages = judged(ScriptedLanguageModel(ALL_FIVES, latency=[0.02]))

    (duration,) = {each.stage.duration_ns for each in stages}
    assert duration >= 20_000_000


def test_what_was_used_is_counted_once():
    assert [each.usage for each in judged(ScriptedLanguageModel(ALL_FIVES))] == [ONE_CALL, Usage(), Usage()]


@pytest.mark.parametrize("bad", [{"level": 3}, {"rationale": "", "level": 3}, "fine", 4, None, ["rationale", 3]])
def test_one_unusable_judgement_is_asked_for_again_alone_and_the_others_are_kept(bad: object):
    first = ModelReply({**dict(ALL_FIVES.content), "faithfulness": bad}, ONE_CALL)  # type: ignore[arg-type]
    model = ScriptedLanguageModel(first, combined_reply(relevance=0, faithfulness=2, coherence=0))

    stages = judged(model)

    assert scores(stages) == [1.0, 0.4, 1.0]
    assert combined(model, 1).judge_names == ("faithfulness",)
    assert list(combined(model, 1).form.schema["properties"]) == ["faithfulness"]
    assert calls(stages) == ONE_CALL + ONE_CALL


def test_the_repair_shows_what_was_wrong_and_nothing_of_the_judgements_that_are_kept():
    model = ScriptedLanguageModel(combined_reply(relevance=5, faithfulness="great"), ALL_FIVES)

    judged(model)

    repair = combined(model, 1).repair
    assert combined(model, 1).judge_names == ("faithfulness", "coherence")
    assert repair is not None
    assert repair.text == '{"faithfulness": {"rationale": "faithfulness says why", "level": "great"}}'
    assert repair.problem == "faithfulness: level: must be 0, 1, 2, 3, 4 or 5; coherence: is missing"


def test_what_stays_unusable_is_unscored_for_that_judge_alone_and_asked_no_third_time():
    model = ScriptedLanguageModel(combined_reply(relevance=5, coherence=4), combined_reply(relevance=1))

    stages = judged(model)

    failure = stages[1].stage.failure
    assert scores(stages) == [1.0, None, 0.8]
    assert failure is not None
    assert (failure.kind, failure.code) == (FailureKind.PERMANENT, "unusable_reply")
    assert failure.message == "two replies in a row could not be used: faithfulness: is missing"
    assert len(model.requests) == 2


@pytest.mark.parametrize("useless", ["I'd rather not say.", "", '{"level": 5, "rationale": "all is well"}'])
def test_a_reply_without_any_judgement_is_repaired_for_all(useless: str):
    model = ScriptedLanguageModel(ModelReply(useless, ONE_CALL), ALL_FIVES)

    assert scores(judged(model)) == [1.0, 1.0, 1.0]
    assert combined(model, 1).judge_names == NAMES
    assert combined(model, 1).repair is not None


def test_a_reply_that_was_cut_off_is_repaired_for_all_with_what_the_provider_said_of_it():
    model = ScriptedLanguageModel(ModelReply('{"relevance": {', ONE_CALL, problem="it was cut off"), ALL_FIVES)

    assert scores(judged(model)) == [1.0, 1.0, 1.0]
    repair = combined(model, 1).repair
    assert repair is not None
    assert (repair.text, repair.problem) == ('{"relevance": {', "it was cut off")


def test_a_throttle_is_tried_again_once_for_all():
    model = ScriptedLanguageModel(THROTTLED, ALL_FIVES)

    assert scores(judged(model)) == [1.0, 1.0, 1.0]
    assert [each.asked_by for each in model.requests] == ["combined", "combined"]


@pytest.mark.parametrize("kind", [FailureKind.PERMANENT, FailureKind.OUTAGE])
def test_a_call_that_failed_is_the_failure_of_every_judge_in_it(kind: FailureKind):
    failure = ModelFailure(kind, "refused", "no", usage=ONE_CALL)

    stages = judged(ScriptedLanguageModel(failure))

    assert [each.stage.failure for each in stages] == [failure] * 3
    assert [each.stage.status for each in stages] == [StageStatus.ERROR] * 3
    assert calls(stages) == ONE_CALL


def test_a_call_that_never_returns_is_a_timeout_of_every_judge():
    stages = judged(ScriptedLanguageModel(ALL_FIVES, latency=[60]), patience=Patience(deadline_seconds=0.05))

    failures = [each.stage.failure for each in stages]
    assert [(failure and failure.kind, failure and failure.code) for failure in failures] == [
        (FailureKind.TRANSIENT, "timeout")
    ] * 3


def test_a_repair_that_comes_too_late_costs_no_judgement_that_is_there():
    model = ScriptedLanguageModel(combined_reply(relevance=5, coherence=4), latency=[0, 60])

    stages = judged(model, patience=Patience(deadline_seconds=0.1))

    assert scores(stages) == [1.0, None, 0.8]
    assert stages[1].stage.failure is not None
    assert stages[1].stage.failure.code == "timeout"


def test_a_repair_that_fails_is_the_failure_of_those_who_asked_for_it():
    refused = ModelFailure(FailureKind.PERMANENT, "refused", "no")

    stages = judged(ScriptedLanguageModel(combined_reply(relevance=5, coherence=4), refused))

    assert scores(stages) == [1.0, None, 0.8]
    assert stages[1].stage.failure == refused


def test_judges_of_another_model_or_temperature_share_a_call_of_their_own():
    judges = [
        definition("a", model_id="small"),
        definition("b"),
        definition("c", model_id="small"),
        definition("d", max_tokens=99),
        definition("e", temperature=0.5),
    ]
    model = ScriptedLanguageModel(combined_reply(a=1, c=3), combined_reply(b=2, d=4), reply(5))

    stages = judged(model, judges)

    assert scores(stages) == [0.2, 0.4, 0.6, 0.8, 1.0]
    assert [each.stage.name for each in stages] == ["a-judge", "b-judge", "c-judge", "d-judge", "e-judge"]
    assert [each.options.model_id for each in model.requests] == ["small", None, None]
    assert calls(stages).llm_calls == 3


def test_a_judge_that_shares_with_nobody_is_asked_its_own_question():
    model = ScriptedLanguageModel(reply(4))

    stages = judged(model, THREE[:1])

    assert model.requests == [JudgeRequest(THREE[0], FRANCE)]
    assert scores(stages) == [0.8]


def test_there_is_room_for_the_replies_of_all():
    judges = [definition("a", max_tokens=100), definition("b"), definition("c", max_tokens=200)]
    model = ScriptedLanguageModel(combined_reply(a=1, b=1, c=1))

    judged(model, judges)

    assert model.requests[0].options.max_tokens == 100 + 1024 + 200


def test_the_room_is_no_more_than_what_one_judge_may_ask_for():
    judges = [definition("a", max_tokens=64_000), definition("b", max_tokens=64_000)]
    model = ScriptedLanguageModel(combined_reply(a=1, b=1))

    judged(model, judges)

    assert model.requests[0].options.max_tokens == 64_000


def test_options_that_no_judge_sets_are_left_to_the_model():
    model = ScriptedLanguageModel(ALL_FIVES)

    judged(model)

    assert model.requests[0].options.model_fields_set == set()
    assert model.requests[0].options.max_tokens == 3 * 1024


def test_every_attempt_is_observed_once_under_the_name_of_all():
    seen: list[tuple[str, int]] = []

    def observe(asked_by: str, _answer: ModelAnswer, attempt: int) -> None:
        seen.append((asked_by, attempt))

    model = ScriptedLanguageModel(THROTTLED, combined_reply(relevance=5, coherence=5), ALL_FIVES)
    asked = CombinedJudges(model, QUICK, time.perf_counter_ns, observe)
    asyncio.run(asked.judge(FRANCE, THREE))

    assert seen == [("combined", 1), ("combined", 2), ("combined", 3)]


def test_a_bug_in_the_model_is_raised_and_no_other_call_is_left_running():
    judges = [definition("a"), definition("b"), definition("c", temperature=0.5)]

    async def scenario() -> list[str]:
        model = ScriptedLanguageModel(ZeroDivisionError("bug"), reply(5), latency=[0, 60])
        with pytest.raises(ZeroDivisionError):
            await CombinedJudges(model, QUICK, time.perf_counter_ns).judge(FRANCE, judges)
        await asyncio.sleep(0)
        return [task.get_name() for task in asyncio.all_tasks() if task is not asyncio.current_task()]

    assert asyncio.run(scenario()) == []
