"""Cohen's kappa with quadratic weights: agreement beyond chance, where a near miss counts less than a far one.

kappa = 1 - sum(w o) / sum(w e), with o the observed shares, e = those expected of independent raters with the same
margins, and w = ((i - j) / (k - 1))^2: a `pass` for a `fail` weighs four times a `review` for a `fail`.

Cohen, J. (1968), Weighted kappa: nominal scale agreement with provision for scaled disagreement or partial credit,
Psychological Bulletin 70 (4), 213-220.
"""

import numpy as np

from eval_worker.validation.agreement import Counts, Figures


def weighted_kappas(tables: Counts) -> Figures:
    """Return kappa of each table of a stack; NaN where it is undefined: no record, or both say one thing always."""
    size = tables.shape[-1]
    places = np.arange(size, dtype=np.float64)
    weights: Figures = (np.subtract.outer(places, places) / (size - 1)) ** 2
    total = tables.sum(axis=(-2, -1)).astype(np.float64)
    by_human, by_verdict = tables.sum(axis=-1).astype(np.float64), tables.sum(axis=-2).astype(np.float64)
    observed = np.einsum("...ij,ij->...", tables, weights) * total
    expected = np.einsum("...i,...j,ij->...", by_human, by_verdict, weights)
    return 1.0 - np.divide(observed, expected, out=np.full_like(expected, np.nan), where=expected > 0)
