"""What a plot of pass@k and pass^k against k shows."""

from eval_worker.agentic.statistics.pass_curve import pass_curve
from eval_worker.agentic.statistics.statistical_mode import BayesianMode


def test_the_curves_part_as_k_grows_and_say_from_where_they_extrapolate():
    curve = pass_curve(4, 3, [1, 2, 4, 8])

    assert [point.k for point in curve] == [1, 2, 4, 8]
    assert [point.pass_at_k for point in curve] == [0.75, 1 - 0.25**2, 1 - 0.25**4, 1 - 0.25**8]
    assert [point.pass_pow_k for point in curve] == [0.75, 0.75**2, 0.75**4, 0.75**8]
    assert [point.extrapolated for point in curve] == [False, False, False, True]
    assert all(point.pass_pow_k_ci_low is not None for point in curve)


def test_the_mode_is_the_callers():
    assert pass_curve(5, 3, range(1, 4), BayesianMode())[2] == BayesianMode().estimate(5, 3, 3)
