"""pass@k and pass^k of a whole benchmark: the mean over its tasks of each task's own estimate.

Trials are never pooled over tasks. (c/n)^k of the pooled counts is the chance of k successes at tasks drawn anew each
time; what is asked is whether an agent gets k successes at one task, and hard tasks stay hard.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from eval_worker.agentic.statistics.agentic_extra import require
from eval_worker.agentic.statistics.counts import ATTEMPTS, CountArray, Counts, whole
from eval_worker.agentic.statistics.estimators import pass_at_k, pass_pow_k, unbiased_pass_at_k, unbiased_pass_pow_k
from eval_worker.agentic.statistics.intervals import checked_level

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Estimator = Literal["unbiased", "plug-in"]
Figures: TypeAlias = "NDArray[np.float64]"

# Enough for both ends of a 95% interval (Efron and Tibshirani 1993, chapters 13 and 14).
RESAMPLES = 2_000

_ESTIMATORS = {"unbiased": (unbiased_pass_at_k, unbiased_pass_pow_k), "plug-in": (pass_at_k, pass_pow_k)}


@dataclass(frozen=True, slots=True)
class AcrossTasks:
    """The means of `tasks` tasks. `left_out` more have no estimate: no trials, or for the unbiased one fewer than k.

    The means are None of no task, and the intervals of fewer than two. The arrays hold every task's own estimate in
    the order given, NaN where it was left out.
    """

    k: int
    estimator: Estimator
    level: float
    tasks: int
    left_out: int
    pass_at_k: float | None
    pass_at_k_ci_low: float | None
    pass_at_k_ci_high: float | None
    pass_pow_k: float | None
    pass_pow_k_ci_low: float | None
    pass_pow_k_ci_high: float | None
    pass_at_k_per_task: Figures = field(compare=False, repr=False)
    pass_pow_k_per_task: Figures = field(compare=False, repr=False)


def across_tasks(
    n: Counts,
    c: CountArray,
    k: int,
    *,
    estimator: Estimator = "unbiased",
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> AcrossTasks:
    """Return the mean over tasks of both figures, with a percentile bootstrap interval over tasks.

    n and c are the tasks' trials and successes, one-dimensional; tasks may differ in n. The interval says how far the
    mean would move with other tasks of the same kind. Where all tasks have one value it has no width, however few they
    are: the bootstrap knows no other tasks than those it saw.

    Raises:
        ValueError: a count is not whole or negative, k < 1, c > n, or an option has no such value.
        MissingExtraError: numpy is not installed.
    """
    require("numpy", "a mean across tasks")
    import numpy as np  # noqa: PLC0415 (the base install has none)

    _check_options(estimator, level, resamples, seed)
    k = whole(ATTEMPTS, k, least=1)
    estimates = np.stack([estimate(n, c, k) for estimate in _ESTIMATORS[estimator]])
    if estimates.ndim != 2:  # noqa: PLR2004 (figures and tasks)
        raise ValueError(f"c (successes) has {np.ndim(c)} dimensions: it must have one, of a number for each task")
    known = estimates[:, ~np.isnan(estimates[0])]
    at_k, pow_k = _means_with_intervals(known, level, resamples, seed)
    tasks = known.shape[1]
    return AcrossTasks(k, estimator, level, tasks, estimates.shape[1] - tasks, *at_k, *pow_k, *estimates)


def _means_with_intervals(
    values: Figures, level: float, resamples: int, seed: int
) -> list[tuple[float | None, float | None, float | None]]:
    """Return the mean, the low and the high end of each row."""
    from eval_worker.agentic.statistics.bootstrap import interval_of_means  # noqa: PLC0415 (it loads numpy)

    if values.shape[1] == 0:
        return [(None, None, None)] * len(values)
    means: list[float] = values.mean(axis=1).tolist()
    if values.shape[1] == 1:
        return [(mean, None, None) for mean in means]
    ends: list[tuple[float, float]] = interval_of_means(values, level=level, resamples=resamples, seed=seed).tolist()
    return [(mean, low, high) for mean, (low, high) in zip(means, ends, strict=True)]


def _check_options(estimator: str, level: float, resamples: int, seed: int) -> None:
    if estimator not in _ESTIMATORS:
        raise ValueError(f"estimator is {estimator!r}: it must be one of {', '.join(_ESTIMATORS)}")
    checked_level(level)
    whole("resamples", resamples, least=1)
    whole("seed", seed)
