"""pass@k and pass^k of counts: the worked examples, the edges, and exact arithmetic at a million trials."""

import subprocess
import sys
from fractions import Fraction
from math import comb, exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agentic.statistics.fractions_of_counts import off_by, share_without

from eval_worker.agentic.statistics.elementwise import Estimator
from eval_worker.agentic.statistics.estimators import pass_at_k, pass_pow_k, unbiased_pass_at_k, unbiased_pass_pow_k

PLUG_IN = (pass_at_k, pass_pow_k)
UNBIASED = (unbiased_pass_at_k, unbiased_pass_pow_k)
ALL = PLUG_IN + UNBIASED

counts = st.integers(1, 40).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n)))
attempts = st.integers(1, 60)


def known(estimate: float | None) -> float:
    assert estimate is not None
    return estimate


def test_two_of_three_correct_and_three_attempts():
    assert round(known(pass_at_k(3, 2, 3)), 4) == 0.9630
    assert round(known(pass_pow_k(3, 2, 3)), 4) == 0.2963


def test_seven_of_ten_correct_and_three_attempts():
    assert round(known(pass_at_k(10, 7, 3)), 3) == 0.973
    assert round(known(pass_pow_k(10, 7, 3)), 3) == 0.343


def test_unbiased_any_three_of_five_with_three_correct_hold_one_and_one_in_ten_sets_holds_all():
    assert unbiased_pass_at_k(5, 3, 3) == 1.0
    assert unbiased_pass_pow_k(5, 3, 3) == 0.1


@pytest.mark.parametrize("estimator", ALL)
def test_nothing_is_known_of_no_trials(estimator: Estimator):
    assert estimator(0, 0, 3) is None


def test_with_more_attempts_than_trials_the_plug_in_goes_on_and_the_unbiased_has_none():
    assert [estimator(2, 1, 3) for estimator in ALL] == [0.875, 0.125, None, None]


@pytest.mark.parametrize("n", [7, 2000])
@pytest.mark.parametrize("estimator", ALL)
def test_none_correct_is_0_all_correct_is_1_and_one_attempt_is_the_rate_itself(estimator: Estimator, n: int):
    assert estimator(n, 0, 5) == 0.0
    assert estimator(n, n, 5) == 1.0
    assert estimator(n, 3, 1) == pytest.approx(3 / n, rel=1e-15)


@pytest.mark.parametrize(
    ("n", "c", "k", "message"),
    [
        (3, 2, 0, r"k \(attempts\) is 0: it must be at least 1"),
        (3, 4, 1, r"c \(successes\) is 4: it must be at most n \(trials\), which is 3"),
        (-1, 0, 1, r"n \(trials\) is -1: it must be at least 0"),
        (3, -2, 1, r"c \(successes\) is -2: it must be at least 0"),
        (3, 2, 1.5, r"k \(attempts\) is 1\.5: it must be a whole number"),
        (3, float("nan"), 1, r"c \(successes\) is nan: it must be a whole number"),
        (float("inf"), 2, 1, r"n \(trials\) is inf: it must be a whole number"),
        (3, True, 1, r"c \(successes\) is True: it must be a whole number"),
        (3, "2", 1, r"c \(successes\) is '2': it must be a whole number"),
        (3, None, 1, r"c \(successes\) is None: it must be a whole number"),
        (10**400, 2, 1, r"at most 9007199254740992"),
        ([3, 3], [2, 4], 1, r"c \(successes\) has 4: it must be at most n \(trials\), which is 3"),
        ([3, -3], 2, 1, r"n \(trials\) has -3: it must be at least 0"),
        ([3.0, 3.5], 2, 1, r"n \(trials\) has 3\.5: it must be a whole number"),
        ([3, 3], [True, False], 1, r"c \(successes\) has values of type bool: they must be whole numbers"),
        (3, 2, [1, 0], r"k \(attempts\) has 0: it must be at least 1"),
        ([3, np.nan], 2, 1, r"n \(trials\) has nan: it must be a whole number"),
        ([3, 4, 5], [1, 2], 1, "shape"),
    ],
)
@pytest.mark.parametrize("estimator", ALL)
def test_what_is_no_count_is_refused_by_name(estimator: Estimator, n: object, c: object, k: object, message: str):
    with pytest.raises(ValueError, match=message):
        estimator(n, c, k)  # pyright: ignore[reportCallIssue, reportArgumentType] (that is the test)


def test_numbers_of_numpy_and_whole_floats_are_numbers():
    found = pass_at_k(np.int64(3), 2.0, np.float64(3))  # pyright: ignore[reportCallIssue, reportArgumentType]

    assert isinstance(found, float)
    assert found == pass_at_k(3, 2, 3)


@pytest.mark.parametrize("estimator", ALL)
@settings(max_examples=40, deadline=None)
@given(counts=counts, k=attempts)
def test_all_succeed_less_often_than_one_attempt_does_and_any_more_often(
    estimator: Estimator, counts: tuple[int, int], k: int
):
    n, c = counts
    k = k if estimator in PLUG_IN else min(k, n)

    if estimator in (pass_at_k, unbiased_pass_at_k):
        assert known(estimator(n, c, k)) >= c / n - 1e-15
    else:
        assert known(estimator(n, c, k)) <= c / n + 1e-15


@pytest.mark.parametrize("size", [1, 100])
@pytest.mark.parametrize("estimator", ALL)
@settings(max_examples=40, deadline=None)
@given(counts=counts, k=attempts)
def test_one_more_success_never_lowers_it_and_one_more_attempt_moves_it_one_way(
    estimator: Estimator, size: int, counts: tuple[int, int], k: int
):
    n, c = size * (counts[0] + 1), size * counts[1]
    k = k if estimator in PLUG_IN else min(k, n - 1)
    rounding = 1 + 1e-13

    here = known(estimator(n, c, k))

    assert here <= known(estimator(n, c + 1, k)) * rounding
    if estimator in (pass_at_k, unbiased_pass_at_k):
        assert here <= known(estimator(n, c, k + 1)) * rounding
    else:
        assert here * rounding >= known(estimator(n, c, k + 1))


@settings(max_examples=60, deadline=None)
@given(n=st.integers(1, 12), attempts=st.integers(1, 12), chance=st.fractions(0, 1, max_denominator=20))
def test_over_all_outcomes_of_n_trials_the_unbiased_average_to_the_truth_and_the_plug_in_do_not(
    n: int, attempts: int, chance: Fraction
):
    k = min(n, attempts)
    weights = [comb(n, c) * chance**c * (1 - chance) ** (n - c) for c in range(n + 1)]

    def mean(estimator: Estimator) -> float:
        return float(sum(weight * Fraction(known(estimator(n, c, k))) for c, weight in enumerate(weights)))

    truth_at, truth_pow = float(1 - (1 - chance) ** k), float(chance**k)
    assert mean(unbiased_pass_at_k) == pytest.approx(truth_at, abs=1e-14)
    assert mean(unbiased_pass_pow_k) == pytest.approx(truth_pow, abs=1e-14)
    if 0 < chance < 1 < k:
        assert mean(pass_at_k) < truth_at
        assert mean(pass_pow_k) > truth_pow


@pytest.mark.parametrize("k", [1, 2, 17, 100, 1500])
@pytest.mark.parametrize("c", [1, 2, 999, 400_000, 999_000, 999_999])
def test_of_a_million_trials_they_are_what_exact_arithmetic_says(c: int, k: int):
    n = 10**6
    any_succeeds, all_succeed = 1 - share_without(n, c, k), share_without(n, n - c, k)

    assert off_by(unbiased_pass_at_k(n, c, k), any_succeeds) < 1e-14
    assert off_by(pass_at_k(n, c, k), 1 - Fraction(n - c, n) ** k) < 1e-14
    if all_succeed > Fraction(1, 10**300):
        assert off_by(unbiased_pass_pow_k(n, c, k), all_succeed) < 1e-12
        assert off_by(pass_pow_k(n, c, k), Fraction(c, n) ** k) < 1e-12


def test_a_million_attempts_at_nearly_certain_success_do_not_add_up_their_rounding():
    n = 10**6

    # (1 - 1/n)^n = exp(-1 - 1/2n - 1/3n^2 - ...)
    assert pass_pow_k(n, n - 1, n) == pytest.approx(exp(-1 - 1 / (2 * n) - 1 / (3 * n * n)), rel=1e-14)


def test_one_attempt_is_the_very_rate():
    assert all(pass_at_k(n, c, 1) == pass_pow_k(n, c, 1) == c / n for n in range(1, 60) for c in range(n + 1))


@pytest.mark.parametrize("estimator", ALL)
def test_arrays_broadcast_and_hold_what_the_numbers_give_with_nan_for_none(estimator: Estimator):
    n, c, k = np.asarray([[0, 3, 10], [5, 2000, 40]]), np.asarray([[0, 2, 7], [5, 1999, 0]]), np.asarray([[[1]], [[4]]])

    found = estimator(n, c, k)

    every_n, every_c, every_k = np.broadcast_arrays(n, c, k)
    triples = zip(every_n.ravel().tolist(), every_c.ravel().tolist(), every_k.ravel().tolist(), strict=True)
    expected = np.asarray([estimator(*triple) for triple in triples], dtype=np.float64)
    assert (found.shape, found.dtype) == ((2, 2, 3), np.float64)
    np.testing.assert_array_equal(found.ravel(), expected)
    assert np.isnan(found[:, 0, 0]).all()


def test_of_no_tasks_there_are_no_estimates():
    assert pass_at_k([], [], 3).shape == (0,)


def test_numbers_and_wilsons_interval_load_neither_numpy_nor_scipy():
    program = """
import sys
from eval_worker.agentic.statistics.estimators import pass_at_k, pass_pow_k, unbiased_pass_at_k, unbiased_pass_pow_k
from eval_worker.agentic.statistics import across_tasks, trials
from eval_worker.agentic.statistics.pass_curve import pass_curve
pass_at_k(3, 2, 3), pass_pow_k(3, 2, 3), unbiased_pass_at_k(2000, 2, 3), unbiased_pass_pow_k(2000, 2, 3)
pass_curve(3, 2, [1, 3])
print(sorted({"numpy", "scipy", "redis", "boto3"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
