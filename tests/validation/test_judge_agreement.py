"""Each judge on its own: against people's scores of it where there are any, else against their labels."""

import pytest
from tests.stored_results import make_result
from tests.validation.pairs_made import pair

from eval_worker.evaluation.stage import StageStatus
from eval_worker.result import StageResult
from eval_worker.validation.judge_agreement import inter_judge_correlation, judge_agreement, judges_of
from eval_worker.validation.pairs import judge_scores


def test_people_who_scored_the_judge_are_what_it_is_held_against():
    pairs = [
        pair("pass", 0.9, scores={"relevance": 0.8}, human_scores={"relevance": 1.0}),
        pair("fail", 0.2, scores={"relevance": 0.4}, human_scores={"relevance": 0.1}),
        pair("fail", 0.2, scores={"relevance": 0.6}, human_scores={"relevance": 0.5}),
        pair("pass", 0.9, scores={"relevance": 0.1}),
    ]

    found = judge_agreement(pairs, "relevance")

    assert (found.against, found.n, found.scored) == ("human_scores", 3, 4)
    assert found.kendall_tau == 1.0
    assert found.mean_absolute_error == pytest.approx((0.2 + 0.3 + 0.1) / 3)
    assert found.bias == pytest.approx((-0.2 + 0.3 + 0.1) / 3)
    assert found.label_kendall_tau == pytest.approx(0.0)


def test_without_scores_it_is_held_against_the_labels():
    pairs = [pair("pass", 0.9), pair("review", 0.6), pair("fail", 0.1)]

    found = judge_agreement(pairs, "relevance")

    assert (found.against, found.n, found.kendall_tau) == ("human_annotation", 3, 1.0)
    assert found.mean_absolute_error is None


def test_an_unscored_stage_is_counted_and_never_taken_for_a_0():
    pairs = [pair("pass", 0.9), pair("fail", 0.1), pair("pass", 0.7, scores={"relevance": None}, partial=True)]

    found = judge_agreement(pairs, "relevance")

    assert (found.scored, found.unscored, found.kendall_tau) == (2, 1, 1.0)
    assert found.mean_score == 0.5


def test_a_judge_that_did_not_apply_or_was_not_asked_is_not_unscored():
    stages = {status: StageResult(name=f"{status.value}-judge", score=None, reason="", duration_ns=0, status=status)
              for status in StageStatus if status is not StageStatus.OK}  # fmt: skip

    assert judge_scores(make_result(stages=tuple(stages.values()))) == {"error": None}


def test_two_judges_are_compared_on_the_records_that_both_scored():
    pairs = [
        pair("pass", 0.9, scores={"relevance": 0.9, "tone": 0.1}),
        pair("pass", 0.9, scores={"relevance": 0.5, "tone": 0.5}),
        pair("pass", 0.9, scores={"relevance": 0.1}),
        pair("pass", 0.9, scores={"relevance": 0.0, "tone": None, "charm": 1.0}),
    ]
    judges = judges_of(pairs)

    found = inter_judge_correlation(pairs, judges)

    assert judges == ("relevance", "tone", "charm")
    assert found["relevance"] == {"relevance": 1.0, "tone": -1.0, "charm": None}
    assert found["tone"]["relevance"] == -1.0
