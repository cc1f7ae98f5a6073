"""Percentile bootstrap: how far would a figure move if other records of the same kind had been annotated?

A resample of records, drawn with replacement, is a multinomial draw of the table's cells. So tables are drawn, never
records, and the cost does not depend on how many records there are.

Efron, B. and Tibshirani, R. J. (1993), An Introduction to the Bootstrap, chapter 13.
"""

import numpy as np

from eval_worker.validation.agreement import Counts, Figures

RESAMPLES = 10_000
FEWEST_RECORDS = 10
LEVEL = 0.95
MOST_UNDEFINED = 0.05

Interval = tuple[float, float]


def resampled_tables(table: Counts, *, seed: int) -> Counts | None:
    """Draw RESAMPLES tables of the same shape and total; None where there are too few records to draw from."""
    total = int(table.sum())
    if total < FEWEST_RECORDS:
        return None
    shares = table.ravel() / total
    drawn = np.random.default_rng(seed).multinomial(total, shares, size=RESAMPLES)
    return drawn.reshape(RESAMPLES, *table.shape)


def percentile_interval(figures: Figures) -> Interval | None:
    """Return the middle 95% of a figure's resamples; None where it was undefined in more than a few of them."""
    defined = figures[~np.isnan(figures)]
    if len(defined) < (1 - MOST_UNDEFINED) * len(figures):
        return None
    low, high = np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)
