"""Intervals for the chance of a success: how often they hold it, by enumerating every outcome."""

import math

import numpy as np
import pytest
from scipy import stats

from eval_worker.agentic.statistics.intervals import RateInterval, clopper_pearson, equal_tailed, wilson

CHANCES = [0.003, 0.05, 0.2, 0.5, 0.77, 0.98]
BINOMIAL = [wilson, clopper_pearson]


def coverage(intervals: list[RateInterval], chance: float) -> float:
    """Return how often the interval of what was seen holds the chance, over all outcomes of n trials."""
    n = len(intervals) - 1
    holds = [low.success <= chance <= high.success for low, high in intervals]
    return float(stats.binom.pmf(range(n + 1), n, chance) @ np.asarray(holds))


@pytest.mark.parametrize("n", [1, 5, 40])
def test_clopper_and_pearsons_never_holds_the_truth_less_often_than_it_says(n: int):
    intervals = [clopper_pearson(n, c, 0.9) for c in range(n + 1)]

    assert min(coverage(intervals, chance) for chance in CHANCES) >= 0.9


def test_wilsons_holds_it_about_as_often_as_it_says():
    intervals = [wilson(40, c, 0.9) for c in range(41)]

    found = [coverage(intervals, chance) for chance in np.linspace(0.01, 0.99, 99)]

    assert np.mean(found) == pytest.approx(0.9, abs=0.01)
    assert min(found) > 0.8


@pytest.mark.parametrize(("n", "c"), [(1, 1), (5, 3), (100, 1), (10**6, 999_000)])
def test_at_wilsons_ends_the_score_test_just_rejects(n: int, c: int):
    z = stats.norm.isf(0.025)

    for end in wilson(n, c, 0.95):
        if end.failure > 0:
            score = abs(c / n - end.success) / math.sqrt(end.success * end.failure / n)
            assert score == pytest.approx(z, rel=1e-6)


@pytest.mark.parametrize(("n", "c"), [(5, 3), (100, 1), (1000, 999)])
def test_at_clopper_and_pearsons_ends_what_was_seen_or_more_has_half_of_what_the_level_leaves(n: int, c: int):
    low, high = clopper_pearson(n, c, 0.95)

    assert stats.binom(n, low.success).sf(c - 1) == pytest.approx(0.025, rel=1e-9)
    assert stats.binom(n, high.success).cdf(c) == pytest.approx(0.025, rel=1e-9)


@pytest.mark.parametrize("interval", BINOMIAL)
@pytest.mark.parametrize("n", [1, 10, 10**6])
def test_none_of_n_reaches_down_to_exactly_0_and_all_of_n_up_to_exactly_1(interval: type, n: int):
    none, every = interval(n, 0, 0.95), interval(n, n, 0.95)

    assert none[0].success == every[1].failure == 0.0
    assert none[0].failure == every[1].success == 1.0
    assert 0.0 < none[1].success < 1.0
    assert none[1].success == every[0].failure


@pytest.mark.parametrize("interval", BINOMIAL)
def test_a_chance_and_its_complement_are_both_kept_to_the_last_digit(interval: type):
    low, high = interval(10**6, 999_998, 0.95)
    mirrored_low, mirrored_high = interval(10**6, 2, 0.95)

    assert (low.failure, high.failure) == pytest.approx((mirrored_high.success, mirrored_low.success), rel=1e-14, abs=0)
    assert low.success + low.failure == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize(
    ("alpha", "beta"), [(4.0, 3.0), (1.0, 11.0), (0.5, 200.5), (999_001.0, 1_001.0), (999_998.0, 3.0)]
)
def test_an_equal_tailed_interval_ends_at_the_quantiles_of_the_beta_distribution(alpha: float, beta: float):
    low, high = equal_tailed(alpha, beta, 0.9)

    expected = stats.beta(alpha, beta).ppf([0.05, 0.95])
    assert (low.success, high.success) == pytest.approx(tuple(expected), rel=1e-12, abs=0)
    assert (low.failure, high.failure) == pytest.approx(
        tuple(stats.beta(beta, alpha).ppf([0.95, 0.05])), rel=1e-12, abs=0
    )
