"""Human labels against verdicts: the table of both, and how often they are the same.

Tables count records: rows are human labels, columns verdicts, both from `fail` to `pass`. What is computed of one table
is computed of a stack of them at once (the last two axes), which is what makes a bootstrap cheap.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval_worker.validation.labels import SCALE

Counts = NDArray[np.integer[Any]]
Figures = NDArray[np.float64]


def confusion_table(human: Sequence[int], verdicts: Sequence[int]) -> Counts:
    """Count each pair of places on the scale."""
    size = len(SCALE)
    cells = np.asarray(human, dtype=np.int64) * size + np.asarray(verdicts, dtype=np.int64)
    return np.bincount(cells, minlength=size * size).reshape(size, size)


def agreement_rates(tables: Counts) -> Figures:
    """Return the share on the diagonal; NaN where a table is empty."""
    agreed = np.trace(tables, axis1=-2, axis2=-1).astype(np.float64)
    total = tables.sum(axis=(-2, -1))
    return np.divide(agreed, total, out=np.full_like(agreed, np.nan), where=total > 0)


def known(figure: float) -> float | None:
    """Return the figure, None where it is undefined: NaN stays within the arrays."""
    return None if np.isnan(figure) else float(figure)
