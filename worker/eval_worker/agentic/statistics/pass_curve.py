"""pass@k and pass^k as k grows: what a plot of them shows."""

from collections.abc import Iterable

from eval_worker.agentic.statistics.pass_estimate import PassEstimate
from eval_worker.agentic.statistics.statistical_mode import FrequentistMode, StatisticalMode

_WILSON = FrequentistMode(interval="wilson")


def pass_curve(n: int, c: int, ks: Iterable[int], mode: StatisticalMode = _WILSON) -> list[PassEstimate]:
    """Return the estimate for each k, in the order given. Points with k > n say that they are `extrapolated`.

    Raises:
        ValueError: a count is not whole or negative, k < 1, or c > n.
    """
    return [mode.estimate(n, c, k) for k in ks]
