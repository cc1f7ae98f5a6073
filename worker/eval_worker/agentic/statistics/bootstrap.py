"""Percentile bootstrap over tasks: how far would a mean move if other tasks of the same kind had been chosen?

Efron, B. and Tibshirani, R. J. (1993), An Introduction to the Bootstrap, chapter 13.
"""

from collections.abc import Iterator

import numpy as np

from eval_worker.agentic.statistics.count_arrays import Figures, Whole, distinct_columns

# As many numbers are drawn at once: memory stays in bounds whatever the number of tasks, and half a MiB in the cache.
_DRAWN_AT_ONCE = 2**16
# Drawing how often each distinct value occurs costs some 18 times as much a value as drawing one task does.
_COST_OF_A_VALUE = 18


def interval_of_means(values: Figures, *, level: float, resamples: int, seed: int) -> Figures:
    """Return the low and the high end of the mean of each row, over resamples of the columns: shape (rows, 2).

    Deterministic by the seed. The rows are resampled together.
    """
    means = _resampled_means(values, resamples, np.random.default_rng(seed))
    return np.quantile(means, [(1 - level) / 2, (1 + level) / 2], axis=0).T


def _resampled_means(values: Figures, resamples: int, random: np.random.Generator) -> Figures:
    """Return the mean of each row in each resample: shape (resamples, rows).

    Many tasks share few values (of 50 trials each at most 51): then a resample is a multinomial draw of the values.
    """
    tasks = values.shape[1]
    distinct, places = distinct_columns(values)
    if distinct.shape[1] * _COST_OF_A_VALUE < tasks:
        chunks = _chunks(resamples, distinct.shape[1])
        return np.concatenate([_means_of_occurrences(distinct, np.bincount(places), chunk, random) for chunk in chunks])
    return np.concatenate([_means_of_tasks(values, chunk, random) for chunk in _chunks(resamples, tasks)])


def _means_of_occurrences(distinct: Figures, times: Whole, resamples: int, random: np.random.Generator) -> Figures:
    tasks = int(times.sum())
    return random.multinomial(tasks, times / tasks, size=resamples) @ distinct.T / tasks


def _means_of_tasks(values: Figures, resamples: int, random: np.random.Generator) -> Figures:
    tasks = values.shape[1]
    drawn = random.integers(tasks, size=(resamples, tasks))
    return np.stack([figures.take(drawn).mean(axis=1) for figures in values], axis=1)


def _chunks(resamples: int, drawn_for_each: int) -> Iterator[int]:
    """Yield how many resamples to draw at once, until all are."""
    at_once = max(1, _DRAWN_AT_ONCE // drawn_for_each)
    for done in range(0, resamples, at_once):
        yield min(at_once, resamples - done)
