"""Kendall's tau-b: do two orders of the same records agree? 1 is the same order, 0 no relation, -1 the reverse.

tau-b = (C - D) / sqrt((n0 - n1) (n0 - n2)), with C and D the concordant and discordant pairs, n0 = n (n - 1) / 2 all
pairs, n1 and n2 the pairs tied in the one and in the other. With three labels nearly every record is tied with many: a
tau that divides by n0 calls perfect agreement on 5 `pass` and 5 `fail` 0.56, tau-b calls it 1.

Kendall, M. G. (1945), The treatment of ties in ranking problems, Biometrika 33 (3), 239-251.
Agresti, A. (2010), Analysis of Ordinal Categorical Data, 2nd ed., chapter 7 (concordance counted in a table).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import stats

from eval_worker.validation.agreement import Counts, Figures, known


def tau_b(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return tau-b of two sequences; None where it is undefined: fewer than two records, or all tied in one."""
    if len(set(first)) < 2 or len(set(second)) < 2:  # noqa: PLR2004
        return None
    found: Any = stats.kendalltau(first, second)  # pyright: ignore[reportUnknownMemberType] (scipy has no types)
    return known(float(found.statistic))


def taus_b_of_tables(tables: Counts) -> Figures:
    """Return tau-b of each table of a stack; NaN where it is undefined."""
    rows, columns = tables.shape[-2:]
    concordant = np.zeros(tables.shape[:-2], dtype=np.int64)
    discordant = np.zeros_like(concordant)
    for row in range(rows - 1):
        for column in range(columns):
            cell, below = tables[..., row, column], tables[..., row + 1 :, :]
            concordant += cell * below[..., column + 1 :].sum(axis=(-2, -1))
            discordant += cell * below[..., :column].sum(axis=(-2, -1))
    every = _pairs(tables.sum(axis=(-2, -1)))
    untied = _untied(every, tables.sum(axis=-1)) * _untied(every, tables.sum(axis=-2))
    difference = (concordant - discordant).astype(np.float64)
    taus = np.divide(difference, np.sqrt(untied), out=np.full_like(difference, np.nan), where=untied > 0)
    return np.clip(taus, -1.0, 1.0)


def _untied(every: Counts, margins: Counts) -> Figures:
    """Count the pairs that differ. As floats, since the product of two such counts outgrows 64 bits."""
    return (every - _pairs(margins).sum(axis=-1)).astype(np.float64)


def _pairs(count: Counts) -> Counts:
    return count * (count - 1) // 2
