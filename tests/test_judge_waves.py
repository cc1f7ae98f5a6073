"""JUDGE_WAVES: fewer calls, and never another verdict."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.evaluation.judges.scripted_model import ScriptedLanguageModel, ScriptedModel, combined_reply, reply
from tests.events import event
from tests.virtual_time import run_in_virtual_time

from eval_worker.errors import SettingsError
from eval_worker.evaluation.judges.definition import BUILT_IN_JUDGES
from eval_worker.evaluation.judges.model import CannotJudge, FailureKind, JudgeModel, ModelAnswer, ModelFailure
from eval_worker.evaluator import Evaluator, NoVerdict
from eval_worker.event import Event
from eval_worker.judgements.memory_cache import MemoryJudgementCache
from eval_worker.result import Result
from eval_worker.settings import load_settings
from eval_worker.wiring.judging import build_evaluator, read_judges

ORDER = "relevance,completeness;coherence;faithfulness,instruction"
OFF_TOPIC = event(answer="Thanks for asking, we will call you back about this very soon.")
SKIPPED = "not asked: whatever it would say, the verdict is fail"
REFUSED = ModelFailure(FailureKind.PERMANENT, "refused", "not this text")
THROTTLED = ModelFailure(FailureKind.TRANSIENT, "throttled", "slow down")


def evaluator(model: JudgeModel, waves: str = ORDER, *, cache: Any = None, **flags: Any) -> Evaluator:
    flags = {"judge_timeout_seconds": 0.2, **flags}
    chosen = load_settings(judge_waves=waves, **flags)
    return build_evaluator(chosen, read_judges(chosen), model, cache=cache)


def evaluated(model: JudgeModel, waves: str = ORDER, document: dict[str, Any] | None = None, **flags: Any) -> Result:
    judging = evaluator(model, waves, **flags)
    result = run_in_virtual_time(judging.evaluate(Event.model_validate(document or event())))
    assert isinstance(result, Result)
    return result


def judges_of(result: Result) -> dict[str, str]:
    """Return what became of each judge, in the result's order."""
    stages = [stage for stage in result.stages if stage.name.endswith("-judge")]
    return {stage.name.removesuffix("-judge"): stage.status.value for stage in stages}


def answering(**levels: int) -> ScriptedModel:
    return ScriptedModel(reply(5), by_judge={name: [reply(level)] for name, level in levels.items()})


def asked(model: ScriptedModel) -> list[str]:
    return [request.judge.name for request in model.requests]


def test_those_that_could_not_change_the_verdict_are_not_asked_and_say_why():
    model = answering(relevance=0, completeness=0, coherence=0)

    result = evaluated(model, document=OFF_TOPIC)

    assert asked(model) == ["relevance", "completeness", "coherence"]
    assert judges_of(result) == {
        "relevance": "ok",
        "faithfulness": "skipped",
        "coherence": "ok",
        "completeness": "ok",
        "instruction": "skipped",
    }
    skipped = [stage for stage in result.stages if stage.status == "skipped"]
    assert {(stage.score, stage.reason, stage.duration_ns) for stage in skipped} == {(None, SKIPPED, 0)}
    assert (result.verdict, result.partial, result.usage.llm_calls) == ("fail", False, 3)


def test_the_confidence_is_that_of_those_asked():
    model = answering(relevance=1, faithfulness=0, coherence=0, completeness=0)

    result = evaluated(model, "relevance,faithfulness,coherence,completeness")

    assert result.confidence == pytest.approx(0.3 + 0.7 * 0.2 / 4)


def test_a_wave_is_asked_when_all_of_the_one_before_has_answered():
    model = ScriptedModel(reply(5))
    model.latency = 0.01

    evaluated(model)

    assert [sorted(wave) for wave in (asked(model)[:2], asked(model)[2:3])] == [
        ["completeness", "relevance"],
        ["coherence"],
    ]
    assert sorted(asked(model)[3:]) == ["faithfulness", "instruction"]


def test_a_pass_that_is_certain_is_not_asked_about_further():
    model = ScriptedModel(reply(5))

    result = evaluated(model, "relevance,faithfulness,completeness,instruction")

    assert (result.verdict, len(model.requests), judges_of(result)["coherence"]) == ("pass", 4, "skipped")


def test_a_judge_without_context_is_not_in_doubt_and_is_left_out_as_before():
    document = event(context="")
    model = answering(relevance=0, completeness=0, coherence=0)

    result = evaluated(model, "relevance;completeness,coherence", document)

    assert judges_of(result)["faithfulness"] == "not_applicable"
    assert judges_of(result)["instruction"] == "skipped"
    assert len(model.requests) == 3


def test_a_first_wave_that_does_not_apply_leads_to_the_next():
    model = ScriptedModel(reply(5), by_judge={"relevance": [CannotJudge("no")]})

    result = evaluated(model, "faithfulness;relevance", event(context=""))

    assert (result.verdict, len(model.requests)) == ("pass", 4)


def test_a_single_judge_is_asked_whatever_its_wave():
    model = ScriptedModel(reply(4))

    result = run_in_virtual_time(evaluator(model).evaluate_with("instruction", Event.model_validate(event())))

    assert isinstance(result, Result)
    assert asked(model) == ["instruction"]


def test_together_each_wave_is_one_call():
    model = ScriptedLanguageModel(
        combined_reply(relevance=0, completeness=0), combined_reply(faithfulness=0, coherence=0, instruction=0)
    )
    more = evaluated(model, "relevance,completeness", OFF_TOPIC, judge_calls="combined")
    decided = ScriptedLanguageModel(combined_reply(relevance=0, faithfulness=0, completeness=0))
    fewer = evaluated(decided, "relevance,completeness,faithfulness", OFF_TOPIC, judge_calls="combined")

    assert (more.usage.llm_calls, fewer.usage.llm_calls) == (2, 1)
    assert (fewer.judge_calls, list(judges_of(fewer).values()).count("skipped")) == ("combined", 2)


def test_what_is_known_from_before_is_not_asked_and_decides_as_well():
    model = answering(relevance=0, completeness=0, coherence=0)
    judging = evaluator(model, cache=MemoryJudgementCache(60, lambda: 0.0))

    async def twice() -> list[Result | NoVerdict]:
        documents = [{**OFF_TOPIC, "event_id": name} for name in ("first", "second")]
        return [await judging.evaluate(Event.model_validate(document)) for document in documents]

    first, second = run_in_virtual_time(twice())

    assert isinstance(first, Result)
    assert isinstance(second, Result)
    assert len(model.requests) == 3
    assert (second.usage.llm_calls, second.verdict, judges_of(second)) == (0, "fail", judges_of(first))


def test_a_transient_failure_in_a_wave_is_no_verdict_as_without_waves():
    model = ScriptedModel(reply(0), by_judge={"relevance": [THROTTLED]})

    outcome = run_in_virtual_time(evaluator(model).evaluate(Event.model_validate(event())))

    assert isinstance(outcome, NoVerdict)
    assert outcome.failure == THROTTLED


def test_a_failure_of_the_events_own_forbids_a_pass_and_the_others_are_asked_while_they_matter():
    model = ScriptedModel(reply(5), by_judge={"relevance": [REFUSED]})

    result = evaluated(model, "relevance,faithfulness;coherence;completeness;instruction")

    assert (result.verdict, result.partial) == ("review", True)
    assert list(judges_of(result).values()) == ["error", "ok", "ok", "skipped", "skipped"]


@pytest.mark.parametrize(
    ("waves", "problem"),
    [
        ("relevance;honesty", "JUDGE_WAVES: no judge 'honesty' is enabled; enabled are: relevance, faithfulness,"),
        ("relevance;;coherence", "JUDGE_WAVES: 'relevance;;coherence' has a wave without a judge"),
    ],
)
def test_wrong_waves_stop_the_start(waves: str, problem: str):
    with pytest.raises(SettingsError, match=problem):
        read_judges(load_settings(judge_waves=waves))


def test_a_disabled_judge_can_not_be_waited_for(tmp_path: Path):
    file = tmp_path / "judges.yaml"
    file.write_text("judges: [{name: coherence, enabled: false}]", encoding="utf-8")

    with pytest.raises(SettingsError, match="no judge 'coherence' is enabled"):
        read_judges(load_settings(judge_waves="coherence", judges_file=str(file)))


LEVELS = st.lists(st.integers(0, 5), min_size=5, max_size=5)
ANSWERS = st.integers(0, 5).map(reply) | st.just(CannotJudge("no")) | st.just(REFUSED)
WAVES = st.permutations(BUILT_IN_JUDGES).flatmap(
    lambda names: st.lists(st.sampled_from(",;"), min_size=4, max_size=4).map(
        lambda marks: "".join(name + mark for name, mark in zip(names, [*marks, ""], strict=True))
    )
)


@settings(deadline=None, max_examples=40)
@given(st.lists(ANSWERS, min_size=5, max_size=5), WAVES)
def test_no_order_of_asking_changes_the_verdict(answers: Sequence[ModelAnswer], waves: str):
    in_waves, at_once = (
        run_in_virtual_time(evaluator(_saying(answers), order).evaluate(Event.model_validate(event())))
        for order in (waves, "")
    )

    if isinstance(in_waves, NoVerdict) or isinstance(at_once, NoVerdict):
        assert in_waves == at_once
        return
    could_have_failed = at_once.partial and not in_waves.partial  # the one that fails was not asked
    assert in_waves.verdict == at_once.verdict or (could_have_failed and in_waves.verdict == "pass")
    assert in_waves.usage.llm_calls <= at_once.usage.llm_calls


def _saying(answers: Sequence[ModelAnswer]) -> ScriptedModel:
    return ScriptedModel(by_judge={name: [answer] for name, answer in zip(BUILT_IN_JUDGES, answers, strict=True)})
