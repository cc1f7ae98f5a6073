"""Intervals for the chance p of a success, given c of n: n > 0, `level` (0.95) is the mass within."""

import math
from statistics import NormalDist

from eval_worker.agentic.statistics.beta_quantiles import with_mass_above, with_mass_below
from eval_worker.agentic.statistics.success_rate import CERTAIN, IMPOSSIBLE, SuccessRate

RateInterval = tuple[SuccessRate, SuccessRate]


def checked_level(level: float) -> float:
    """Return the level.

    Raises:
        ValueError: it is not between 0 and 1.
    """
    if not 0.0 < level < 1.0:
        raise ValueError(f"level is {level!r}: it must be between 0 and 1, as 0.95 is")
    return level


def wilson(n: int, c: int, level: float) -> RateInterval:
    """Return the score interval: close to its level on average, which for some p is a little less.

    Wilson, E. B. (1927), Probable inference, the law of succession, and statistical inference, Journal of the American
    Statistical Association 22, 209-212. Brown, Cai and DasGupta (2001) compare it with others.
    """
    z = -NormalDist().inv_cdf((1.0 - level) / 2)
    low, high = _wilson_low(n, c, z), _wilson_high(n, c, z)
    # What is low for successes is high for failures: each end's 1 - p is computed, not subtracted.
    return SuccessRate(low, _wilson_high(n, n - c, z)), SuccessRate(high, _wilson_low(n, n - c, z))


def _wilson_low(n: int, c: int, z: float) -> float:
    """Return the lower root. The root is in the denominator: the textbook's difference cancels where c is small."""
    return 2 * c * (c / n) / (2 * c + z * z + z * _wilson_root(n, c, z))


def _wilson_high(n: int, c: int, z: float) -> float:
    if c == n:
        return 1.0
    return (2 * c + z * z + z * _wilson_root(n, c, z)) / (2 * (n + z * z))


def _wilson_root(n: int, c: int, z: float) -> float:
    return math.sqrt(z * z + 4 * c * ((n - c) / n))


def clopper_pearson(n: int, c: int, level: float) -> RateInterval:
    """Return the exact interval: for no p does it hold p less often than its level.

    Clopper, C. and Pearson, E. S. (1934), The use of confidence or fiducial limits illustrated in the case of the
    binomial, Biometrika 26, 404-413; by quantiles of the Beta distribution.

    Raises:
        MissingExtraError: scipy is not installed.
    """
    tail = (1.0 - level) / 2
    low = with_mass_below(tail, c, n - c + 1) if c else IMPOSSIBLE
    high = with_mass_above(tail, c + 1, n - c) if c < n else CERTAIN
    return low, high


def equal_tailed(alpha: float, beta: float, level: float) -> RateInterval:
    """Return what is between the quantiles (1 - level) / 2 and (1 + level) / 2 of Beta(alpha, beta).

    Raises:
        MissingExtraError: scipy is not installed.
    """
    tail = (1.0 - level) / 2
    return with_mass_below(tail, alpha, beta), with_mass_above(tail, alpha, beta)
