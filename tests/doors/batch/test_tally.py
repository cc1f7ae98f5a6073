"""Means and percentiles are exact, and what is kept for them does not grow with the events."""

import statistics
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_worker.doors.batch.tally import MOST_AGENTS, Scores, Tally
from eval_worker.evaluation.stage import StageStatus
from eval_worker.event import Agent
from eval_worker.result import Result, StageResult, UsageResult


def result(
    agent: str | None = None, *, score: float = 1.0, tokens: int = 0, calls: int = 1, cost: float | None = None
) -> Result:
    return Result(
        id="e",
        stages=(StageResult(name="relevance-judge", score=score, reason="", duration_ns=1),),
        confidence=score,
        verdict="pass",
        early_exit=False,
        partial=False,
        agent=Agent(name=agent) if agent else None,
        event_type="agent_response",
        model="m",
        judges_digest="d",
        usage=UsageResult(llm_calls=calls, input_tokens=tokens, output_tokens=tokens, cost_usd=cost),
        evaluated_at=datetime.now(UTC),
    )


@given(st.lists(st.integers(0, 10_000).map(lambda tenth: tenth / 10_000), min_size=1, max_size=200))
def test_figures_are_those_of_the_sorted_scores(values: list[float]):
    scores = Scores()
    for value in values:
        scores.add(value)

    document = scores.as_document()

    ordered = sorted(values)
    assert document["mean"] == pytest.approx(statistics.fmean(values), abs=1e-4)
    for percent in (50, 90, 99):
        assert document[f"p{percent}"] == ordered[-(-percent * len(values) // 100) - 1]


def test_without_scores_there_are_no_figures():
    assert Scores().as_document() == {"mean": None, "p50": None, "p90": None, "p99": None}


def test_scores_of_any_fineness_take_bounded_room():
    scores = Scores()
    for number in range(50_000):
        scores.add(number / 49_999)
    assert len(scores._counts) <= 10_001


def test_a_name_for_each_event_does_not_fill_the_memory():
    tally = Tally()
    for number in range(MOST_AGENTS + 5):
        tally.add(result(f"agent-{number}"))

    document = tally.as_document()
    assert len(document["agents"]) == MOST_AGENTS
    assert document["judged_of_other_agents"] == 5
    assert document["judged"] == MOST_AGENTS + 5


@pytest.mark.parametrize(
    ("costs", "together"), [((0.25, 0.5), 0.75), ((0.25, None), None), ((None, None), None), ((), None)]
)
def test_the_cost_is_known_where_that_of_every_result_is(costs: Sequence[float | None], together: float | None):
    tally = Tally()
    for cost in costs:
        tally.add(result(tokens=100_000, cost=cost))
    assert tally.as_document()["usage"]["cost_usd"] == together


def test_a_result_without_a_call_leaves_the_cost_known():
    tally = Tally()
    for one in (result(cost=0.25), result(calls=0)):
        tally.add(one)
    assert tally.cost_usd == 0.25


def test_a_judge_that_was_not_asked_is_counted_as_such_and_not_as_unscored():
    skipped = StageResult(name="relevance-judge", score=None, reason="", duration_ns=0, status=StageStatus.SKIPPED)
    tally = Tally()
    tally.add(result())
    tally.add(result().model_copy(update={"stages": (skipped,)}))

    (stage,) = tally.as_document()["stages"]
    assert (stage["scored"], stage["skipped"], stage["unscored"], stage["not_applicable"]) == (1, 1, 0, 0)
