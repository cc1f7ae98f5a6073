"""Scores to confidence to verdict."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_worker.evaluation.aggregate import (
    ScoringPolicy,
    Verdict,
    aggregate,
    decided,
    early_exit,
    mean_score,
    skipped,
)
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


def test_what_is_left_out_has_no_confidence_and_its_prechecks():
    evaluation = skipped(scored(1, 0.5))

    assert (evaluation.verdict, evaluation.confidence) == (Verdict.SKIPPED, None)
    assert (len(evaluation.stages), evaluation.early_exit, evaluation.partial) == (2, False, False)


LEVELS = st.sampled_from([0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
SCORES = LEVELS | st.floats(0, 1)
FAILED = "failed"
JUDGED = SCORES | st.none() | st.just(FAILED)


@st.composite
def policies(draw: st.DrawFn) -> ScoringPolicy:
    weight, thresholds = draw(SCORES), sorted([draw(SCORES), draw(SCORES)])
    return ScoringPolicy(weight, 1 - weight, thresholds[1], thresholds[0])


def said(judges: list[float | str | None]) -> tuple[Stage, ...]:
    failed = Stage("failed-judge", None, "no", 1, StageStatus.ERROR, DOWN)
    return tuple(failed if isinstance(each, str) else scored(each)[0] for each in judges)


PRECHECKS = st.lists(SCORES | st.none(), min_size=1, max_size=3).map(lambda scores: scored(*scores))
POLICIES = st.just(POLICY) | policies()


@given(st.data(), PRECHECKS, st.lists(JUDGED, max_size=5).map(said), POLICIES)
def test_a_decided_verdict_is_that_of_whatever_those_left_would_score(
    data: st.DataObject, prechecks: tuple[Stage, ...], asked: tuple[Stage, ...], policy: ScoringPolicy
):
    rest = data.draw(st.lists(SCORES | st.none(), max_size=5))
    verdict = decided(prechecks, asked, len(rest), policy)

    if verdict is not None:
        for more in ((), said([*rest])):
            assert aggregate(prechecks, (*asked, *more), Usage(), policy).verdict is verdict


@given(st.data(), PRECHECKS, st.lists(JUDGED, max_size=5).map(said), POLICIES)
def test_those_left_that_fail_change_a_decided_verdict_at_most_from_pass_to_review(
    data: st.DataObject, prechecks: tuple[Stage, ...], asked: tuple[Stage, ...], policy: ScoringPolicy
):
    rest = [*data.draw(st.lists(JUDGED, max_size=4)), FAILED]
    verdict = decided(prechecks, asked, len(rest), policy)

    if verdict is not None:
        held_back = Verdict.REVIEW if verdict is Verdict.PASS else verdict
        assert aggregate(prechecks, (*asked, *said(rest)), Usage(), policy).verdict is held_back


@given(PRECHECKS, st.lists(JUDGED, max_size=5).map(said), st.integers(1, 5), POLICIES)
def test_nothing_is_decided_while_scores_could_change_it(
    prechecks: tuple[Stage, ...], asked: tuple[Stage, ...], left: int, policy: ScoringPolicy
):
    if decided(prechecks, asked, left, policy) is None and mean_score(asked) is not None:
        worst, best = (aggregate(prechecks, (*asked, *scored(*[end] * left)), Usage(), policy) for end in (0, 1))
        assert worst.verdict is not best.verdict


@given(PRECHECKS, st.lists(JUDGED, min_size=1, max_size=5).map(said), st.integers(0, 5), POLICIES)
def test_the_confidence_of_those_asked_lies_between_the_worst_and_the_best_of_those_left(
    prechecks: tuple[Stage, ...], asked: tuple[Stage, ...], left: int, policy: ScoringPolicy
):
    if mean_score(asked) is None:
        return
    worst, alone, best = (
        aggregate(prechecks, (*asked, *more), Usage(), policy).confidence or 0.0
        for more in (scored(*[0] * left), (), scored(*[1] * left))
    )

    assert worst <= alone <= best


@pytest.mark.parametrize(
    ("judges", "left", "verdict"),
    [
        ((0.0, 0.0, 0.0), 1, Verdict.FAIL),  # 0.3 + 0.7 / 4 at best
        ((0.0, 0.0, 0.2), 1, None),
        ((1.0, 1.0, 1.0, 1.0), 1, Verdict.PASS),  # 0.3 + 0.7 * 0.8 at worst
        ((1.0, 1.0, 1.0), 2, None),
        ((0.0, 1.0, 1.0, 0.0), 1, Verdict.REVIEW),
        ((), 1, None),
    ],
)
def test_a_verdict_is_decided_when_neither_nothing_nor_everything_from_the_rest_changes_it(
    judges: tuple[float, ...], left: int, verdict: Verdict | None
):
    assert decided(scored(1), scored(*judges), left, POLICY) is verdict


def test_a_judge_that_failed_settles_that_it_is_no_pass():
    assert decided(scored(1), unscored(1, 1, 1), 1, POLICY) is Verdict.REVIEW
