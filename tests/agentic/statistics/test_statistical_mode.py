"""From c of n to pass@k and pass^k with their intervals."""

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from eval_worker.agentic.statistics.pass_estimate import PassEstimate
from eval_worker.agentic.statistics.statistical_mode import BayesianMode, FrequentistMode, StatisticalMode

Ends = tuple[float, float]

MODES: list[StatisticalMode] = [FrequentistMode("wilson"), FrequentistMode("clopper-pearson"), BayesianMode()]
counts = st.integers(1, 60).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n)))


def ends_of(found: PassEstimate) -> tuple[Ends, Ends]:
    """Return the intervals of pass@k and of pass^k."""
    at_low, at_high, pow_low, pow_high = (
        found.pass_at_k_ci_low,
        found.pass_at_k_ci_high,
        found.pass_pow_k_ci_low,
        found.pass_pow_k_ci_high,
    )
    assert at_low is not None
    assert at_high is not None
    assert pow_low is not None
    assert pow_high is not None
    return (at_low, at_high), (pow_low, pow_high)


def test_a_uniform_prior_and_three_of_five():
    found = BayesianMode().estimate(5, 3, 3)

    assert (found.pass_pow_k, found.pass_at_k) == pytest.approx((0.238, 0.881), abs=0.0005)
    assert ends_of(found)[0] == pytest.approx((0.531, 0.998), abs=0.0005)
    assert ends_of(found)[1] == pytest.approx((0.011, 0.686), abs=0.0005)


@pytest.mark.parametrize(("n", "c", "k"), [(5, 3, 3), (5, 3, 40), (12, 0, 2), (30, 29, 10)])
@pytest.mark.parametrize("prior", [(1.0, 1.0), (0.5, 0.5), (8.0, 2.0)])
def test_bayes_figures_are_the_means_over_the_posterior(prior: tuple[float, float], n: int, c: int, k: int):
    posterior: Any = stats.beta(prior[0] + c, prior[1] + n - c)

    def mean(figure: Any) -> float:
        return float(integrate.quad(lambda p: figure(p) * posterior.pdf(p), 0, 1, epsabs=1e-12)[0])

    found = BayesianMode(*prior).estimate(n, c, k)

    assert found.pass_at_k == pytest.approx(mean(lambda p: 1 - (1 - p) ** k), rel=1e-8)
    assert found.pass_pow_k == pytest.approx(mean(lambda p: p**k), rel=1e-8)


def test_bayes_intervals_are_the_quantiles_of_both_figures():
    found = BayesianMode(2.0, 3.0, level=0.8).estimate(20, 13, 4)

    low, high = stats.beta(15, 10).ppf([0.1, 0.9])
    assert ends_of(found)[0] == pytest.approx((1 - (1 - low) ** 4, 1 - (1 - high) ** 4))
    assert ends_of(found)[1] == pytest.approx((low**4, high**4))


def test_a_frequentist_has_no_interval_unless_asked_for_one():
    found = FrequentistMode().estimate(10, 7, 3)

    assert (found.pass_at_k, found.pass_pow_k) == pytest.approx((0.973, 0.343))
    ends = (found.pass_at_k_ci_low, found.pass_at_k_ci_high, found.pass_pow_k_ci_low, found.pass_pow_k_ci_high)
    assert ends == (None, None, None, None)


def test_wilsons_interval_is_mapped_through_the_formulas():
    found = FrequentistMode("wilson").estimate(10, 7, 3)

    low, high = stats.binomtest(7, 10).proportion_ci(method="wilson")
    assert ends_of(found)[1] == pytest.approx((low**3, high**3))
    assert ends_of(found)[0] == pytest.approx((1 - (1 - low) ** 3, 1 - (1 - high) ** 3))


def test_clopper_and_pearsons_interval_is_mapped_through_the_formulas():
    found = FrequentistMode("clopper-pearson").estimate(10, 7, 3)

    low, high = stats.binomtest(7, 10).proportion_ci(method="exact")
    assert ends_of(found)[1] == pytest.approx((low**3, high**3))
    assert ends_of(found)[0] == pytest.approx((1 - (1 - low) ** 3, 1 - (1 - high) ** 3))


@pytest.mark.parametrize("mode", MODES)
@settings(max_examples=40, deadline=None)
@given(counts=counts, k=st.integers(1, 200))
def test_an_interval_holds_its_figure_and_lies_within_0_and_1(mode: StatisticalMode, counts: tuple[int, int], k: int):
    found = mode.estimate(*counts, k)

    for figure, (low, high) in zip((found.pass_at_k, found.pass_pow_k), ends_of(found), strict=True):
        assert figure is not None
        assert 0.0 <= low <= high <= 1.0
        if isinstance(mode, FrequentistMode):  # a mean over a long tail may lie outside the middle of it
            assert low <= figure <= high


@pytest.mark.parametrize("mode", [*MODES, FrequentistMode()])
def test_nothing_is_known_of_no_trials_not_even_the_prior(mode: StatisticalMode):
    found = mode.estimate(0, 0, 3)

    assert (found.pass_at_k, found.pass_pow_k, found.pass_at_k_ci_low, found.pass_pow_k_ci_high) == (None,) * 4
    assert found.unbiased_pass_at_k is None


@pytest.mark.parametrize("mode", [*MODES, FrequentistMode()])
def test_more_attempts_than_trials_are_called_an_extrapolation_and_have_no_unbiased_figures(mode: StatisticalMode):
    within, beyond = mode.estimate(5, 3, 5), mode.estimate(5, 3, 6)

    assert (within.extrapolated, beyond.extrapolated) == (False, True)
    assert (within.unbiased_pass_at_k, within.unbiased_pass_pow_k) == (1.0, 0.0)
    assert (beyond.unbiased_pass_at_k, beyond.unbiased_pass_pow_k) == (None, None)


def test_more_trials_at_the_same_rate_make_the_interval_narrower():
    few, many = (ends_of(BayesianMode().estimate(5 * times, 3 * times, 3)) for times in (1, 100))

    for (few_low, few_high), (many_low, many_high) in zip(few, many, strict=True):
        assert few_low < many_low < many_high < few_high


@pytest.mark.parametrize(("n", "c"), [(1, 1), (10**6, 1), (10**6, 10**6), (2**53, 2**53)])
@pytest.mark.parametrize("prior", [(1e-9, 1e-9), (1e-9, 1e9), (1.0, 1.0)])
def test_the_smallest_and_largest_counts_and_priors_still_give_figures(prior: tuple[float, float], n: int, c: int):
    found = BayesianMode(*prior).estimate(n, c, 10**6)

    assert found.pass_at_k is not None
    assert found.pass_pow_k is not None
    assert 0.0 <= found.pass_pow_k <= found.pass_at_k <= 1.0
    assert all(0.0 <= low <= high <= 1.0 for low, high in ends_of(found))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: BayesianMode(level=1.0), r"level is 1\.0: it must be between 0 and 1"),
        (lambda: FrequentistMode(level=0.0), r"level is 0\.0: it must be between 0 and 1"),
        (lambda: BayesianMode(prior_alpha=0.0), r"prior_alpha is 0\.0: it must be at least 1e-09"),
        (lambda: BayesianMode(prior_beta=float("nan")), "prior_beta is nan"),
        (lambda: FrequentistMode("wald"), "interval is 'wald': it must be None or one of wilson, clopper-pearson"),  # pyright: ignore[reportArgumentType]
    ],
)
def test_a_mode_that_makes_no_sense_is_refused_by_name(make: Any, message: str):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize("mode", [*MODES, FrequentistMode()])
def test_more_successes_than_trials_are_refused(mode: StatisticalMode):
    with pytest.raises(ValueError, match=r"c \(successes\) is 4: it must be at most n \(trials\), which is 3"):
        mode.estimate(3, 4, 1)


def test_without_scipy_the_modes_that_need_it_say_what_to_install_before_anything_is_judged():
    program = """
import sys
sys.modules["scipy"] = sys.modules["numpy"] = None
from eval_worker.agentic.statistics.across_tasks import across_tasks
from eval_worker.agentic.statistics.estimators import pass_at_k
from eval_worker.agentic.statistics.pass_estimate import PassEstimate
from eval_worker.agentic.statistics.statistical_mode import BayesianMode, FrequentistMode
from eval_worker.agentic.statistics.trials import count_trials
from eval_worker.errors import MissingExtraError
FrequentistMode("wilson").estimate(3, 2, 3)
for use in (
    BayesianMode,
    lambda: FrequentistMode("clopper-pearson"),
    lambda: pass_at_k([3], [2], 3),
    lambda: across_tasks([3], [2], 3),
    lambda: count_trials([[1]]),
):
    try:
        use()
    except MissingExtraError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert len(done.stdout.splitlines()) == 5
    assert all("pip install 'eval-worker[agentic]'" in line for line in done.stdout.splitlines())
