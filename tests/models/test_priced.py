"""Every call is priced by the model that was called."""

import asyncio
import time

import pytest
from tests.evaluation.judges.scripted_model import ScriptedModel, reply

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.asker import Patience
from eval_worker.evaluation.judges.definition import JudgeDefinition, ModelOptions
from eval_worker.evaluation.judges.judge import Judge
from eval_worker.evaluation.judges.model import FailureKind, Judgement, ModelFailure, Usage
from eval_worker.evaluation.judges.panel import Panel
from eval_worker.models.priced import priced
from eval_worker.models.prices import ModelPrice, PriceList

# A scripted reply counts 100 tokens in, 10 out.
PRICES = PriceList({"scripted": ModelPrice(input=10, output=100), "dear": ModelPrice(input=1000, output=0)})


def judge_of(model: ScriptedModel, name: str, model_id: str | None = None) -> Judge:
    definition = JudgeDefinition(
        name=name,
        question="Is it good?",
        levels={level: f"level {level}" for level in range(6)},
        model=ModelOptions(model_id=model_id),
    )
    return Judge(definition, priced(model, PRICES), Patience(), time.perf_counter_ns)


def usage_of(*judges: Judge) -> Usage:
    return asyncio.run(Panel(judges).judge(Interaction("What is AI?", "A field."))).usage


def test_a_judge_with_a_model_of_its_own_is_priced_by_that_model():
    usage = usage_of(judge_of(ScriptedModel(reply(5)), "one"), judge_of(ScriptedModel(reply(5)), "two", "dear"))
    assert usage.costs == {"scripted": pytest.approx(0.002), "dear": pytest.approx(0.1)}
    assert usage.cost_usd == pytest.approx(0.102)


def test_one_call_of_unknown_price_makes_the_whole_unknown():
    usage = usage_of(judge_of(ScriptedModel(reply(5)), "one"), judge_of(ScriptedModel(reply(5)), "two", "unheard-of"))
    assert usage.costs == {"scripted": pytest.approx(0.002), "unheard-of": None}
    assert usage.cost_usd is None


def test_all_attempts_are_paid_for():
    refused = ModelFailure(FailureKind.TRANSIENT, "server_error", "again", usage=Usage(1, 50, 0))
    assert usage_of(judge_of(ScriptedModel(refused, reply(5)), "one")).cost_usd == pytest.approx(0.0005 + 0.002)


def test_what_asked_no_model_cost_nothing():
    usage = usage_of(judge_of(ScriptedModel(Judgement(1.0, "by rules")), "one"))
    assert (usage.llm_calls, usage.cost_usd) == (0, 0.0)
