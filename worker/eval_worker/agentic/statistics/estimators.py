"""pass@k: at least one of k attempts succeeds. pass^k: all of them do. Estimated from c successes in n trials.

Each takes numbers, or arrays (sequences or numpy arrays) that broadcast. Of numbers the estimate is a float, None where
there is none; of arrays it is a float64 array with NaN there. n = 0 tells nothing and has no estimate. A count that is
not whole, negative, k < 1 or c > n is a ValueError that names it.
"""

import math

from eval_worker.agentic.statistics.elementwise import elementwise
from eval_worker.agentic.statistics.rising_factorials import log_rising_ratio
from eval_worker.agentic.statistics.success_rate import SuccessRate

# Binomial coefficients up to here are quick as whole numbers, and their quotient is rounded once.
_EXACT_UP_TO = 1_000


def success_rate(n: int, c: int) -> SuccessRate:
    """Return p = c / n for n > 0."""
    return SuccessRate(c / n, (n - c) / n)


@elementwise
def pass_at_k(n: int, c: int, k: int) -> float | None:
    """Return the plug-in estimate 1 - (1 - c/n)^k. With k > n it is an extrapolation.

    It is biased: its mean over many samples of n lies below the truth (Chen et al. 2021, section 2.1).
    """
    return success_rate(n, c).at_least_once(k) if n else None


@elementwise
def pass_pow_k(n: int, c: int, k: int) -> float | None:
    """Return the plug-in estimate (c/n)^k. With k > n it is an extrapolation. Biased: its mean lies above the truth."""
    return success_rate(n, c).every_time(k) if n else None


@elementwise
def unbiased_pass_at_k(n: int, c: int, k: int) -> float | None:
    """Return 1 - C(n-c, k) / C(n, k): the share of the sets of k of the n trials that hold a success.

    None where k > n: no unbiased estimate exists there.

    Chen, M. et al. (2021), Evaluating large language models trained on code, arXiv:2107.03374, section 2.1.
    """
    if k > n:
        return None
    if n <= _EXACT_UP_TO:
        every = math.comb(n, k)
        return (every - math.comb(n - c, k)) / every
    return -math.expm1(_log_share_without(n, c, k))


@elementwise
def unbiased_pass_pow_k(n: int, c: int, k: int) -> float | None:
    """Return C(c, k) / C(n, k): the share of the sets of k of the n trials that are all successes.

    None where k > n: no unbiased estimate exists there.

    Yao, S. et al. (2024), tau-bench: a benchmark for tool-agent-user interaction in real-world domains,
    arXiv:2406.12045, section 3.
    """
    if k > n:
        return None
    if n <= _EXACT_UP_TO:
        return math.comb(c, k) / math.comb(n, k)
    return math.exp(_log_share_without(n, n - c, k))


def _log_share_without(n: int, marked: int, k: int) -> float:
    """Return log(C(n - marked, k) / C(n, k)): of the sets of k of n, the share with none of those marked."""
    if marked + k > n:
        return -math.inf
    return log_rising_ratio(n - marked - k + 1, marked, k)
