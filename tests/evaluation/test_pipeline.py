"""The pipeline: what is asked, what is saved."""

import asyncio

import pytest
from tests.evaluation.judges.scripted_model import ScriptedModel, reply

from eval_worker.evaluation.aggregate import Evaluation, Verdict
from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.model import FailureKind, ModelFailure
from eval_worker.evaluation.pipeline import Pipeline
from eval_worker.evaluation.stage import Stage, StageStatus
from eval_worker.settings import load_settings
from eval_worker.wiring.judging import build_pipeline, read_judges

STAGES = [
    "length-checker",
    "overlap-checker",
    "format-checker",
    "relevance-judge",
    "faithfulness-judge",
    "coherence-judge",
    "completeness-judge",
    "instruction-judge",
]
GOOD = Interaction("What is the capital of France?", "The capital of France is Paris.", "Its capital city is Paris.")
RUBBISH = Interaction(
    "Explain the theory of relativity in detail", "ok", "Einstein developed the theory of relativity."
)


def pipeline(model: ScriptedModel) -> Pipeline:
    settings = load_settings()
    return build_pipeline(settings, read_judges(settings), model)


def test_a_good_answer_goes_through_eight_stages_in_order():
    evaluation = asyncio.run(pipeline(ScriptedModel(reply(5))).evaluate(GOOD))

    assert [stage.name for stage in evaluation.stages] == STAGES
    assert (evaluation.verdict, evaluation.confidence, evaluation.usage.llm_calls) == (Verdict.PASS, 1.0, 5)
    assert all(stage.duration_ns > 0 for stage in evaluation.stages)


def test_rubbish_is_failed_after_three_stages_and_no_model_is_asked():
    model = ScriptedModel(reply(5))

    evaluation = asyncio.run(pipeline(model).evaluate(RUBBISH))

    assert [stage.name for stage in evaluation.stages] == STAGES[:3]
    assert (evaluation.verdict, evaluation.early_exit, model.requests) == (Verdict.FAIL, True, [])


def test_without_context_faithfulness_is_listed_and_not_asked():
    model = ScriptedModel(reply(5))

    evaluation = asyncio.run(pipeline(model).evaluate(Interaction(GOOD.user_query, GOOD.answer)))

    assert [stage.name for stage in evaluation.stages] == STAGES
    assert evaluation.stages[4].status is StageStatus.NOT_APPLICABLE
    assert len(model.requests) == 4
    assert not evaluation.partial


@pytest.mark.parametrize(("threshold", "verdict"), [(0.7, Verdict.PASS), (0.8, Verdict.FAIL)])
def test_a_single_judge_passes_above_its_threshold(threshold: float, verdict: Verdict):
    evaluation = asyncio.run(pipeline(ScriptedModel(reply(4))).evaluate_with("relevance", GOOD, threshold))

    assert isinstance(evaluation, Evaluation)
    assert (evaluation.confidence, evaluation.verdict, len(evaluation.stages)) == (0.8, verdict, 1)


def test_a_single_judge_that_failed_gives_no_verdict():
    failure = ModelFailure(FailureKind.PERMANENT, "refused", "no")

    stage = asyncio.run(pipeline(ScriptedModel(failure)).evaluate_with("relevance", GOOD))

    assert isinstance(stage, Stage)
    assert (stage.score, stage.failure) == (None, failure)


def test_an_unknown_judge_is_named_with_those_there_are():
    with pytest.raises(LookupError, match=r"'honesty'.*relevance, faithfulness, coherence, completeness, instruction"):
        asyncio.run(pipeline(ScriptedModel(reply(5))).evaluate_with("honesty", GOOD))
