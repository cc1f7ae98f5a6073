"""JUDGE_CALLS=combined: one call an event, and results that say so; where nothing is called nothing changes."""

import asyncio
import json
from typing import Any

import pytest
from prometheus_client import generate_latest
from tests.evaluation.judges.scripted_model import ScriptedLanguageModel, ScriptedModel, combined_reply, reply
from tests.events import conversations, event, rubbish
from tests.virtual_time import run_in_virtual_time

from eval_worker.conversation_event import ConversationEvent
from eval_worker.errors import SettingsError
from eval_worker.evaluation.judges.definition import BUILT_IN_JUDGES
from eval_worker.evaluation.judges.model import FailureKind, JudgeModel, ModelFailure
from eval_worker.evaluator import Evaluator, NoVerdict
from eval_worker.event import Event
from eval_worker.models.offline import OfflineModel
from eval_worker.result import Result
from eval_worker.settings import load_settings
from eval_worker.telemetry.metrics import JudgingMetrics
from eval_worker.wiring.judging import build_evaluator, read_judges

FIVE = combined_reply(**dict.fromkeys(BUILT_IN_JUDGES, 5))


def evaluator(model: JudgeModel, judge_calls: str = "combined", **wiring: Any) -> Evaluator:
    settings = load_settings(judge_calls=judge_calls, judge_timeout_seconds=60)
    return build_evaluator(settings, read_judges(settings), model, **wiring)


def evaluated(model: JudgeModel, document: dict[str, Any], judge_calls: str = "combined") -> Result:
    result = asyncio.run(evaluator(model, judge_calls).evaluate(Event.model_validate(document)))
    assert isinstance(result, Result)
    return result


def written(result: Result) -> dict[str, Any]:
    return json.loads(result.model_dump_json(by_alias=True))


def test_all_judges_are_asked_in_one_call_and_the_result_says_so():
    model = ScriptedLanguageModel(FIVE)

    result = evaluated(model, event())

    assert (result.verdict, len(result.stages), result.usage.llm_calls) == ("pass", 8, 1)
    assert written(result)["judge_calls"] == "combined"
    assert len(model.requests) == 1


def test_the_digest_is_that_of_the_judges_however_they_are_asked():
    together = evaluated(ScriptedLanguageModel(FIVE), event())
    alone = evaluated(ScriptedLanguageModel(reply(5)), event(), "separate")

    assert together.judges_digest == alone.judges_digest
    assert "judge_calls" not in written(alone)
    assert alone.usage.llm_calls == 5


def test_an_early_exit_asks_nobody_and_says_nothing_of_how():
    model = ScriptedLanguageModel(FIVE)

    result = evaluated(model, rubbish())

    assert (result.early_exit, model.requests) == (True, [])
    assert "judge_calls" not in written(result)


def test_a_single_judge_is_asked_its_own_question():
    model = ScriptedLanguageModel(reply(4))

    result = asyncio.run(evaluator(model).evaluate_with("coherence", Event.model_validate(event())))

    assert isinstance(result, Result)
    assert [request.asked_by for request in model.requests] == ["coherence"]
    assert "judge_calls" not in written(result)


def test_conversations_have_their_one_judge_as_before():
    model = ScriptedLanguageModel(reply(5))

    asyncio.run(evaluator(model).evaluate(ConversationEvent.model_validate(conversations())))

    assert [request.asked_by for request in model.requests] == ["correctness"]


@pytest.mark.parametrize("document", [event(), event(answer="Lyon, I think!!!"), event(context=""), rubbish()])
def test_the_offline_model_makes_no_calls_and_its_results_are_the_same(document: dict[str, Any]):
    together, alone = (_without_times(evaluated(OfflineModel(), document, how)) for how in ("combined", "separate"))

    assert together == alone


def _without_times(result: Result) -> dict[str, Any]:
    document = written(result)
    del document["evaluated_at"]
    for stage in document["stages"]:
        del stage["duration_ns"]
    return document


def test_a_model_that_only_answers_one_judge_is_asked_by_each():
    model = ScriptedModel(reply(5))

    result = evaluated(model, event())

    assert len(model.requests) == 5
    assert "judge_calls" not in written(result)


def test_a_judge_without_a_usable_judgement_makes_the_result_partial_and_no_pass():
    without = combined_reply(**dict.fromkeys(BUILT_IN_JUDGES[1:], 5))

    result = evaluated(ScriptedLanguageModel(without, combined_reply()), event())

    assert (result.partial, result.verdict, result.usage.llm_calls) == (True, "review", 2)
    assert [stage.name for stage in result.stages if stage.score is None] == ["relevance-judge"]


@pytest.mark.parametrize("kind", FailureKind)
def test_a_call_that_failed_is_no_verdict(kind: FailureKind):
    failure = ModelFailure(kind, "refused", "no")

    judging = evaluator(ScriptedLanguageModel(failure))
    outcome = run_in_virtual_time(judging.evaluate(Event.model_validate(event())))

    assert isinstance(outcome, NoVerdict)
    assert outcome.failure == failure


def test_a_call_of_all_judges_is_one_call_in_the_metrics():
    metrics = JudgingMetrics()
    judging = evaluator(ScriptedLanguageModel(FIVE), on_attempt=metrics.observe_attempt)

    asyncio.run(judging.evaluate(Event.model_validate(event())))

    calls = [
        line for line in generate_latest(metrics.registry).decode().splitlines() if "eval_judge_calls_total{" in line
    ]
    assert calls == ['eval_judge_calls_total{judge="combined",result="ok"} 1.0']


def test_another_way_of_asking_stops_the_start():
    with pytest.raises(SettingsError, match="JUDGE_CALLS: must be 'separate' or 'combined'"):
        load_settings(judge_calls="batched")
