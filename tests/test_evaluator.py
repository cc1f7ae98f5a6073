"""One event judged for a caller who waits: a verdict, or why there is none, and never one made of an outage."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from tests.events import event, rubbish
from tests.failures.switchable_model import DENIED, THROTTLED, SwitchableModel
from tests.virtual_time import run_in_virtual_time

from eval_worker.evaluation.judges.model import FailureKind, JudgeModel, ModelAnswer, ModelFailure, Usage
from eval_worker.evaluation.judges.request import JudgeRequest
from eval_worker.evaluator import Evaluator, NotApplicable, NoVerdict
from eval_worker.event import Agent, Event
from eval_worker.result import Result, UsageResult
from eval_worker.settings import load_settings
from eval_worker.wiring.judging import build_evaluator, read_judges

SLOW = ModelFailure(FailureKind.TRANSIENT, "timeout", "no answer")
REFUSED = ModelFailure(FailureKind.PERMANENT, "refused", "not this text")


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class FailingJudge(SwitchableModel):
    """Fails for one judge, answers the others."""

    def __init__(self, judge: str, failure: ModelFailure) -> None:
        super().__init__()
        self.judge, self.with_failure = judge, failure

    async def ask(self, request: JudgeRequest) -> ModelAnswer:
        return self.with_failure if request.judge.name == self.judge else await super().ask(request)


def evaluator_with(model: JudgeModel, clock: Callable[[], float] | None = None, **flags: Any) -> Evaluator:
    settings = load_settings(judge_model="offline", judge_timeout_seconds=0.2, **flags)
    return build_evaluator(settings, read_judges(settings), model, clock=clock or Clock())


def as_event(document: dict[str, Any]) -> Event:
    return Event.model_validate(document)


def evaluate(evaluator: Evaluator, document: dict[str, Any], **how: Any) -> Result | NoVerdict:
    return run_in_virtual_time(evaluator.evaluate(as_event(document), **how))


def test_who_waits_for_a_verdict_has_one_whatever_share_of_the_stream_is_judged():
    result = evaluate(evaluator_with(SwitchableModel(), sample_rates="*=0"), event())

    assert isinstance(result, Result)
    assert result.verdict == "pass"


def test_a_good_answer_has_a_result_without_a_source():
    result = evaluate(evaluator_with(SwitchableModel()), event("e-1"))

    assert isinstance(result, Result)
    assert (result.id, result.verdict, len(result.stages)) == ("e-1", "pass", 8)
    assert not {"source_id", "attempt", "worker"} & result.model_dump(by_alias=True).keys()


@pytest.mark.parametrize("failure", [THROTTLED, DENIED])
def test_a_model_that_cannot_be_used_makes_no_verdict_and_is_left_alone_for_a_while(failure: ModelFailure):
    model = SwitchableModel(failure)
    evaluator = evaluator_with(model)

    first = evaluate(evaluator, event())
    calls = model.calls
    second = evaluate(evaluator, event())

    assert isinstance(first, NoVerdict)
    assert isinstance(second, NoVerdict)
    assert first.failure == second.failure == failure
    assert second.retry_after >= 0.8
    assert model.calls == calls
    assert evaluator.what_is_wrong()


def test_a_provider_that_says_when_to_come_back_is_believed():
    busy = ModelFailure(FailureKind.TRANSIENT, "throttled", "slow down", retry_after=7)

    outcome = evaluate(evaluator_with(SwitchableModel(busy)), event())

    assert isinstance(outcome, NoVerdict)
    assert outcome.retry_after == 7


def test_rubbish_has_its_verdict_while_the_model_is_away():
    evaluator = evaluator_with(SwitchableModel(DENIED))
    evaluate(evaluator, event())

    result = evaluate(evaluator, rubbish())

    assert isinstance(result, Result)
    assert (result.verdict, result.early_exit) == ("fail", True)


def test_the_model_is_tried_again_after_the_wait_and_all_is_well():
    model, clock = SwitchableModel(DENIED), Clock()
    evaluator = evaluator_with(model, clock)
    evaluate(evaluator, event())
    model.failure = None
    clock.now += 2

    assert isinstance(evaluate(evaluator, event()), Result)
    assert evaluator.what_is_wrong() is None


def test_a_failure_of_one_judge_alone_is_the_events_own_and_unscored_on_its_last_try():
    evaluator = evaluator_with(FailingJudge("relevance", SLOW))

    first = evaluate(evaluator, event(), key="line 1")
    last = evaluate(evaluator, event(), key="line 1", last_try=True)

    assert isinstance(first, NoVerdict)
    assert first.its_own
    assert isinstance(last, Result)
    assert last.partial
    assert last.verdict != "pass"


def test_an_event_that_every_judge_refuses_has_no_verdict_even_at_last():
    outcome = evaluate(evaluator_with(SwitchableModel(REFUSED)), event(), last_try=True)

    assert isinstance(outcome, NoVerdict)
    assert outcome.failure.kind is FailureKind.PERMANENT


def test_an_event_that_is_given_up_does_not_keep_others_from_probing():
    model, clock = SwitchableModel(DENIED), Clock()
    evaluator = evaluator_with(model, clock)
    evaluate(evaluator, event())
    clock.now += 2

    async def hang_up() -> None:
        model.failure, model.latency = None, 60
        asking = asyncio.create_task(evaluator.evaluate(as_event(event())))
        await asyncio.sleep(0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    run_in_virtual_time(hang_up())
    model.latency = 0

    assert isinstance(evaluate(evaluator, event()), Result)


def test_one_judge_alone_gives_its_score_as_confidence_and_obeys_the_threshold():
    evaluator = evaluator_with(SwitchableModel())

    async def with_threshold(threshold: float) -> Result | NoVerdict | NotApplicable:
        return await evaluator.evaluate_with("relevance", as_event(event()), threshold)

    kind, strict = run_in_virtual_time(with_threshold(0.7)), run_in_virtual_time(with_threshold(1.0))

    assert isinstance(kind, Result)
    assert isinstance(strict, Result)
    assert [stage.name for stage in kind.stages] == ["relevance-judge"]
    assert (kind.confidence, kind.verdict, strict.verdict) == (kind.stages[0].score, "pass", "fail")


def test_a_judge_that_needs_a_context_and_has_none_cannot_be_asked_for():
    evaluator = evaluator_with(SwitchableModel())

    assert run_in_virtual_time(evaluator.evaluate_with("faithfulness", as_event(event(context="")))) == NotApplicable(
        "no context given"
    )


def test_an_unknown_judge_is_a_lookup_error_that_lists_those_there_are():
    with pytest.raises(LookupError, match="relevance, faithfulness, coherence, completeness, instruction"):
        run_in_virtual_time(evaluator_with(SwitchableModel()).evaluate_with("charm", as_event(event())))


def test_a_cost_is_known_only_where_the_prices_are():
    dear = evaluate(evaluator_with(SwitchableModel(), input_token_price="1", output_token_price="5"), event())
    unknown = evaluate(evaluator_with(SwitchableModel()), event())

    assert isinstance(dear, Result)
    assert isinstance(unknown, Result)
    assert dear.usage.cost_usd == pytest.approx((500 * 1 + 50 * 5) / 1e6)
    assert unknown.usage.cost_usd is None


def test_an_early_exit_cost_nothing_where_the_price_is_known_and_is_not_said_to_where_it_is_not():
    priced = evaluate(evaluator_with(SwitchableModel(), input_token_price="1", output_token_price="5"), rubbish())
    unknown = evaluate(evaluator_with(SwitchableModel()), rubbish())

    assert isinstance(priced, Result)
    assert isinstance(unknown, Result)
    assert (priced.usage.llm_calls, priced.usage.cost_usd) == (0, 0.0)
    assert unknown.usage.cost_usd is None


def test_tokens_of_a_prompt_cache_are_shown_where_there_are_any():
    plain, cached = UsageResult(input_tokens=10), UsageResult(input_tokens=10, cache_read_input_tokens=7)
    assert "cache_read_input_tokens" not in plain.model_dump()
    assert (plain + cached).model_dump() == {
        "llm_calls": 0,
        "input_tokens": 20,
        "cache_read_input_tokens": 7,
        "output_tokens": 0,
        "cost_usd": None,
    }


def test_whoever_counts_is_told_whose_event_it_was_and_what_it_took():
    told: list[tuple[str | None, int, list[str]]] = []

    def count(agent: Agent | None, usage: Usage) -> None:
        told.append((agent and agent.name, usage.llm_calls, list(usage.costs)))

    settings = load_settings(judge_model="offline")
    evaluator = build_evaluator(settings, read_judges(settings), SwitchableModel(), on_usage=count)
    evaluate(evaluator, event())
    run_in_virtual_time(evaluator.evaluate_with("relevance", as_event(event())))

    assert told == [("my-agent", 5, ["switchable"]), ("my-agent", 1, ["switchable"])]
