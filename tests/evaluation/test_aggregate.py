"""Scores to confidence to verdict."""

import pytest

from eval_worker.evaluation.aggregate import ScoringPolicy, Verdict, aggregate, early_exit, mean_score
from eval_worker.evaluation.judges.model import FailureKind, ModelFailure, Usage
from eval_worker.evaluation.stage import Stage, StageStatus

POLICY = ScoringPolicy()
DOWN = ModelFailure(FailureKind.PERMANENT, "refused", "no")


def scored(*scores: float | None) -> tuple[Stage, ...]:
    return tuple(
        Stage.not_applicable(f"stage-{n}", "n/a") if score is None else Stage(f"stage-{n}", score, "", 1)
        for n, score in enumerate(scores)
    )


def unscored(*scores: float) -> tuple[Stage, ...]:
    return (*scored(*scores), Stage("failed-judge", None, "no", 1, StageStatus.ERROR, DOWN))


def test_the_confidence_is_the_documented_formula():
    evaluation = aggregate(scored(1, 0.8, 1), scored(0.95, 1, 0.95), Usage(), POLICY)

    assert evaluation.confidence == pytest.approx((2.8 / 3) * 0.3 + (2.9 / 3) * 0.7, abs=1e-9)
    assert evaluation.verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("judges", "verdict"),
    [
        ((1.0,), Verdict.PASS),
        ((0.8,), Verdict.REVIEW),
        ((0.5,), Verdict.FAIL),
        ((0.6,), Verdict.REVIEW),
        ((0.0,), Verdict.FAIL),
    ],
)
def test_a_verdict_needs_more_than_its_threshold(judges: tuple[float, ...], verdict: Verdict):
    """With prechecks equal to the judges the confidence is exactly the score, rounding noise or not."""
    assert aggregate(scored(*judges), scored(*judges), Usage(), POLICY).verdict is verdict


def test_what_is_not_applicable_is_left_out_of_both_means():
    assert mean_score(scored(1, None, 0)) == 0.5
    assert mean_score(scored(None, None)) is None
    assert aggregate(scored(None, 1), scored(1, None), Usage(), POLICY).confidence == 1.0


def test_an_unscored_judge_is_no_zero_and_forbids_a_pass():
    evaluation = aggregate(scored(1), unscored(1, 1, 1, 1), Usage(), POLICY)

    assert (evaluation.confidence, evaluation.verdict, evaluation.partial) == (1.0, Verdict.REVIEW, True)
    assert not evaluation.unjudged


def test_an_unscored_judge_does_not_lift_a_fail():
    assert aggregate(scored(0.5), unscored(0.1), Usage(), POLICY).verdict is Verdict.FAIL


def test_judges_that_all_failed_leave_the_event_unjudged():
    assert aggregate(scored(1), unscored(), Usage(), POLICY).unjudged


def test_prechecks_alone_never_make_a_pass():
    evaluation = aggregate(scored(1), scored(None), Usage(), POLICY)

    assert (evaluation.verdict, evaluation.partial, evaluation.unjudged) == (Verdict.REVIEW, False, False)


def test_an_early_exit_is_a_fail_whose_confidence_is_the_weighted_mean():
    evaluation = early_exit(scored(0, 0.5, 0), POLICY)

    assert evaluation is not None
    assert evaluation.confidence == pytest.approx(0.5 / 3 * 0.3)
    assert (evaluation.verdict, evaluation.early_exit, len(evaluation.stages)) == (Verdict.FAIL, True, 3)


def test_a_mean_at_the_threshold_is_judged():
    assert early_exit(scored(0.2), POLICY) is None
