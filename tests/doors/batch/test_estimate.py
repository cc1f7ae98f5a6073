"""An estimate is of the very prompts that would be sent, and near what a tokenizer would count."""

import pytest
from tests.events import CONTEXT, GOOD_ANSWER, QUERY

from eval_worker.doors.batch.estimate import OUTPUT_TOKENS, Estimate, estimate_tokens
from eval_worker.evaluation.interaction import Interaction
from eval_worker.settings import load_settings
from eval_worker.wiring.judging import read_judges


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("four char" * 4, 9), ("北京是首都", 5), ("Ёжик", 8 / 3)])
def test_tokens_follow_the_script(text: str, tokens: float):
    assert estimate_tokens(text) == pytest.approx(tokens)


def test_a_judge_that_needs_context_is_not_asked_without_one():
    estimate = Estimate(read_judges(load_settings()), "tool")

    estimate.add(Interaction(QUERY, GOOD_ANSWER, CONTEXT))
    assert estimate.usage.llm_calls == 5
    estimate.add(Interaction(QUERY, GOOD_ANSWER))
    assert estimate.usage.llm_calls == 9
    assert estimate.usage.output_tokens == 9 * OUTPUT_TOKENS


def test_a_longer_answer_costs_more_in_each_judge():
    judges = read_judges(load_settings())
    short, long = Estimate(judges, "tool"), Estimate(judges, "tool")

    short.add(Interaction(QUERY, "x", CONTEXT))
    long.add(Interaction(QUERY, "x" * 4001, CONTEXT))

    assert long.usage.input_tokens - short.usage.input_tokens == 5 * 1000


def test_judges_that_are_asked_together_take_one_call_and_write_as_much():
    judges = read_judges(load_settings())
    alone, together = Estimate(judges, "tool"), Estimate(judges, "tool", combined=True)

    for estimate in (alone, together):
        estimate.add(Interaction(QUERY, GOOD_ANSWER, CONTEXT))
        estimate.add(Interaction(QUERY, GOOD_ANSWER))

    assert (alone.usage.llm_calls, together.usage.llm_calls) == (9, 2)
    assert alone.usage.output_tokens == together.usage.output_tokens == 9 * OUTPUT_TOKENS
    assert together.usage.input_tokens < 0.7 * alone.usage.input_tokens


def test_waves_of_judges_that_are_asked_together_take_a_call_each():
    judges, waves = read_judges(load_settings()), (("relevance", "coherence"), ("faithfulness",))
    estimate = Estimate(judges, "tool", combined=True, waves=waves)

    estimate.add(Interaction(QUERY, GOOD_ANSWER, CONTEXT))
    assert estimate.usage.llm_calls == 3
    estimate.add(Interaction(QUERY, GOOD_ANSWER))
    assert estimate.usage.llm_calls == 5
