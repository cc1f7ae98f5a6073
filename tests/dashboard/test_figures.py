"""Figures of many results are counted as a person would."""

import time
from typing import Any

import pytest
from tests.stored_results import left_out, make_result

from eval_worker.dashboard.facts import LONGEST_TEXT, facts_of
from eval_worker.dashboard.figures import MOST_AGENTS, figures_of
from eval_worker.dashboard.selection import Selection
from eval_worker.dashboard.timeline import MOST_STEPS, Steps
from eval_worker.evaluation.stage import StageStatus
from eval_worker.event import Agent
from eval_worker.result import StageResult, UsageResult

NOW = 1_700_000_000_000


def facts(*changes: dict[str, Any], every_ms: int = 1_000) -> list[Any]:
    """One result each, every so often, the last one now."""
    start = NOW - every_ms * (len(changes) - 1)
    return [facts_of(f"{start + every_ms * number}-0", make_result(**change)) for number, change in enumerate(changes)]


def stage(name: str, score: float | None, status: StageStatus = StageStatus.OK) -> StageResult:
    return StageResult(name=name, score=score, reason="because", duration_ns=1, status=status)


def test_verdicts_exits_and_partial_results_are_counted_and_confidence_is_their_mean():
    figures = figures_of(
        facts(
            {"verdict": "pass", "confidence": 0.9},
            {"verdict": "fail", "confidence": 0.1, "early_exit": True},
            {"verdict": "review", "confidence": 0.5, "partial": True},
        ),
        NOW,
    )

    assert figures.results == 3
    assert figures.verdicts == {"pass": 1, "review": 1, "fail": 1, "skipped": 0}
    assert figures.mean_confidence == pytest.approx(0.5)
    assert (figures.early_exits, figures.partial) == (1, 1)


def test_a_result_without_a_confidence_has_no_part_in_the_mean():
    skipped = facts_of(f"{NOW}-1", left_out())

    assert figures_of([*facts({"confidence": 0.8}), skipped], NOW).mean_confidence == pytest.approx(0.8)
    assert figures_of([skipped], NOW).mean_confidence is None


def test_a_cost_that_is_not_known_is_counted_as_such_and_never_as_0():
    calls = {"llm_calls": 5, "input_tokens": 100, "output_tokens": 10}
    known, unknown = UsageResult(**calls, cost_usd=0.25), UsageResult(**calls)

    none = figures_of(facts({}), NOW).cost
    some = figures_of(facts({"usage": known}, {"usage": unknown}, {}), NOW).cost
    lost = figures_of(facts({"usage": unknown}), NOW).cost

    assert (none.known_usd, none.unknown, none.llm_calls) == (None, 0, 0)
    assert (some.known_usd, some.unknown, some.llm_calls, some.input_tokens) == (0.25, 1, 10, 200)
    assert (lost.known_usd, lost.unknown) == (None, 1)


def test_what_came_in_the_last_minute_is_the_rate():
    figures = figures_of(facts(*({} for _ in range(10)), every_ms=10_000), NOW)

    assert figures.last_minute == 7  # from 60 s ago, and that one included
    assert figures_of(facts({}), NOW + 3_600_000).last_minute == 0


def test_each_score_falls_into_its_tenth_and_a_failed_judge_into_none():
    stages = [
        (stage("a-judge", 0.0), stage("b-judge", None, StageStatus.ERROR)),
        (stage("a-judge", 0.19), stage("b-judge", 1.0)),
        (stage("a-judge", 1.0), stage("b-judge", None, StageStatus.NOT_APPLICABLE)),
    ]

    a, b = figures_of(facts(*({"stages": each} for each in stages)), NOW).stages

    assert (a.name, a.bins) == ("a-judge", [1, 1, 0, 0, 0, 0, 0, 0, 0, 1])
    assert a.mean == pytest.approx(1.19 / 3)
    assert (b.scored, b.unscored, b.mean) == (1, 1, 1.0)


def test_agents_are_listed_by_version_the_busiest_first_and_the_others_are_counted():
    agents = [Agent(name="a", version="1"), Agent(name="a", version="2"), Agent(name="a", version="2"), None]
    figures = figures_of(facts(*({"agent": agent} for agent in agents)), NOW)
    crowd = figures_of(facts(*({"agent": Agent(name=f"a{number}")} for number in range(MOST_AGENTS + 3))), NOW)

    assert [(each.agent, each.version, each.results) for each in figures.agents] == [
        ("a", "2", 2),
        ("a", "1", 1),
        (None, None, 1),
    ]
    assert (len(crowd.agents), crowd.more_agents) == (MOST_AGENTS, 3)


def test_an_agents_timeline_has_the_steps_of_the_whole():
    figures = figures_of(facts({"agent": Agent(name="a")}, *({} for _ in range(9)), {"agent": Agent(name="a")}), NOW)
    one = next(each for each in figures.agents if each.agent == "a")

    assert one.timeline.verdicts["pass"] == [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    assert one.timeline.mean_confidence[1:-1] == [None] * 9
    assert sum(figures.timeline.verdicts["pass"]) == 11


def test_nothing_makes_figures_that_claim_nothing():
    figures = figures_of([], NOW)

    assert (figures.results, figures.mean_confidence, figures.agents, figures.stages) == (0, None, [], [])


@pytest.mark.parametrize("seconds", [0, 1, 47, 48, 3_600, 86_400, 400 * 86_400, 100 * 365 * 86_400])
def test_steps_cover_both_ends_in_a_bounded_number(seconds: int):
    steps = Steps.covering(NOW - seconds * 1_000, NOW)

    assert 1 <= steps.count <= MOST_STEPS
    assert steps.index(NOW - seconds * 1_000) == 0
    assert steps.index(NOW) == steps.count - 1
    assert steps.start_ms + steps.count * steps.width_ms > NOW


def test_a_selection_is_by_all_that_it_names():
    agent = {"agent": Agent(name="a", version="1")}
    known = facts(
        {"event_id": "one", **agent},
        {"event_id": "two", "verdict": "fail", **agent},
        {"event_id": "three", "verdict": "fail", "partial": True},
    )

    def chosen(**wanted: Any) -> list[str]:
        return [each.event_id for each in Selection(**wanted).of(known)]

    assert chosen() == ["one", "two", "three"]
    assert chosen(agent="a") == ["one", "two"]
    assert chosen(agent="a", version="1", verdict="fail") == ["two"]
    assert chosen(version="2") == []
    assert chosen(partial_only=True) == ["three"]
    assert chosen(since_ms=NOW - 1_000) == ["two", "three"]
    assert chosen(text="TWO") == ["two"]
    assert chosen(text="CLAIMS WHAT") == ["one", "two", "three"]


def test_query_and_answer_are_searched_where_they_are_kept():
    (kept,) = facts({"interaction": {"user_query": "Wie heißt die Straße?", "answer": "Lindenstraße", "context": ""}})

    assert Selection(text="HEISST").of([kept]) == [kept]
    assert Selection(text="lindenSTRASSE").of([kept]) == [kept]


def test_ten_thousand_results_are_chosen_and_counted_within_a_tenth_of_a_second():
    agents = [Agent(name=f"agent-{number}", version="1") for number in range(20)]
    many = facts(*({"agent": agent} for agent in agents), every_ms=500) * 500

    def seconds_of_work() -> float:
        started = time.thread_time()  # others on this machine don't count
        assert figures_of(Selection(text="claims").of(many), NOW).results == 10_000
        return time.thread_time() - started

    assert min(seconds_of_work() for _ in range(5)) < 0.1


def test_what_is_kept_of_a_result_is_small_whatever_the_result_holds():
    long = "x" * 1_000_000
    many = tuple(stage(long, 0.5) for _ in range(100))
    (kept,) = facts(
        {"event_id": long, "stages": many, "agent": Agent(name=long, version=long), "interaction": {"answer": long}}
    )

    assert len(kept.text) <= LONGEST_TEXT
    assert max(map(len, (kept.event_id, kept.agent, kept.version, kept.weakest.name))) <= 200
    assert {name for name, _ in kept.scores} == {f"{'x' * 99}…"}
