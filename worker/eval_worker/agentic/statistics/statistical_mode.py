"""The two ways to go from c of n to pass@k and pass^k: p as one unknown number, or as a distribution."""

import math
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from eval_worker.agentic.statistics.beta_quantiles import require_scipy
from eval_worker.agentic.statistics.counts import checked
from eval_worker.agentic.statistics.estimators import success_rate
from eval_worker.agentic.statistics.intervals import (
    RateInterval,
    checked_level,
    clopper_pearson,
    equal_tailed,
    wilson,
)
from eval_worker.agentic.statistics.pass_estimate import PassEstimate
from eval_worker.agentic.statistics.rising_factorials import log_rising_ratio

# Outside these the closed forms underflow; a prior that counts for next to nothing, or for everything, is within.
_LEAST_PRIOR, _MOST_PRIOR = 1e-9, 1e9
_INTERVALS = {"wilson": wilson, "clopper-pearson": clopper_pearson}


class StatisticalMode(Protocol):
    """Whatever estimates pass@k and pass^k from n trials, c of them successes, for k attempts."""

    def estimate(self, n: int, c: int, k: int) -> PassEstimate:
        """Return both figures.

        Raises:
            ValueError: a count is not whole or negative, k < 1, or c > n.
        """
        ...


@dataclass(frozen=True, slots=True)
class FrequentistMode:
    """p = c / n, put into the formulas. An interval for p is mapped through them where one is asked for.

    Raises:
        ValueError: the interval or the level is none.
        MissingExtraError: "clopper-pearson" without scipy.
    """

    interval: Literal["wilson", "clopper-pearson"] | None = None
    level: float = 0.95

    def __post_init__(self) -> None:
        checked_level(self.level)
        if self.interval is not None and self.interval not in _INTERVALS:
            raise ValueError(f"interval is {self.interval!r}: it must be None or one of {', '.join(_INTERVALS)}")
        if self.interval == "clopper-pearson":
            require_scipy()

    def estimate(self, n: int, c: int, k: int) -> PassEstimate:
        """Return the plug-in estimates."""
        n, c, k = checked(n, c, k)
        if n == 0:
            return PassEstimate(n, c, k)
        rate = success_rate(n, c)
        interval = _INTERVALS[self.interval](n, c, self.level) if self.interval else None
        point = PassEstimate(n, c, k, pass_at_k=rate.at_least_once(k), pass_pow_k=rate.every_time(k))
        return _with_interval(point, interval)


@dataclass(frozen=True, slots=True)
class BayesianMode:
    """p has the Beta(prior_alpha + c, prior_beta + n - c) distribution. Exact, with no random numbers.

    The default prior is uniform. An interval holds p with probability `level`, as much outside on either side.

    Raises:
        ValueError: the prior or the level is none.
        MissingExtraError: scipy is not installed.
    """

    prior_alpha: float = 1.0
    prior_beta: float = 1.0
    level: float = 0.95

    def __post_init__(self) -> None:
        checked_level(self.level)
        for name, value in (("prior_alpha", self.prior_alpha), ("prior_beta", self.prior_beta)):
            if not _LEAST_PRIOR <= value <= _MOST_PRIOR:
                raise ValueError(f"{name} is {value!r}: it must be at least {_LEAST_PRIOR} and at most {_MOST_PRIOR}")
        require_scipy()

    def estimate(self, n: int, c: int, k: int) -> PassEstimate:
        """Return the posterior means 1 - E[(1-p)^k] and E[p^k], and equal-tailed intervals.

        The mean of p^k is (alpha)_k / (alpha + beta)_k, in rising factorials (Gelman et al. 2013, appendix A).
        """
        n, c, k = checked(n, c, k)
        if n == 0:
            return PassEstimate(n, c, k)
        alpha, beta = self.prior_alpha + c, self.prior_beta + (n - c)
        point = PassEstimate(
            *(n, c, k),
            pass_at_k=-math.expm1(log_rising_ratio(beta, alpha, k)),
            pass_pow_k=math.exp(log_rising_ratio(alpha, beta, k)),
        )
        return _with_interval(point, equal_tailed(alpha, beta, self.level))


def _with_interval(point: PassEstimate, interval: RateInterval | None) -> PassEstimate:
    """Map the ends for p to those of both figures, which grow with p."""
    if interval is None:
        return point
    low, high = interval
    return replace(
        point,
        pass_at_k_ci_low=low.at_least_once(point.k),
        pass_at_k_ci_high=high.at_least_once(point.k),
        pass_pow_k_ci_low=low.every_time(point.k),
        pass_pow_k_ci_high=high.every_time(point.k),
    )
