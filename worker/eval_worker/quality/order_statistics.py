"""Figures of how well scores order answers, of many resamples at once.

A resample does not change the records or their order, only how often each was drawn. So every function takes `draws`, a
column of such counts for each resample, and returns a figure for each; a column of ones is the sample itself. What is
undefined is NaN. Records that were drawn twice are tied with themselves, as in any bootstrap of a rank correlation.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval_worker.validation.agreement import Figures

Scores = NDArray[np.float64]
Draws = NDArray[np.float64]
Places = NDArray[np.integer[Any]]


def taus_b(scores: Scores, human: Scores, draws: Draws) -> Figures:
    """Return Kendall's tau-b (see `eval_worker.validation.tau`) of each resample.

    Concordant pairs are counted in O(n log k), k the distinct values of the one that has fewer; discordant ones are
    what is left of all pairs.
    """
    first, second = _ranks(scores), _ranks(human)
    if first.max(initial=0) < second.max(initial=0):
        first, second = second, first
    every = _pairs(draws.sum(axis=0))
    tied_first, tied_second = _tied(first, draws), _tied(second, draws)
    tied_both = _tied(first * (len(second) + 1) + second, draws)
    concordant = _concordant(first, second, draws)
    discordant = every - tied_first - tied_second + tied_both - concordant
    untied = np.sqrt((every - tied_first) * (every - tied_second))
    return _divided(concordant - discordant, untied)


def aurocs(scores: Scores, good: NDArray[np.bool_], draws: Draws) -> Figures:
    """Return how often a good answer is scored above one that is not, ties counted half.

    Mann, H. and Whitney, D. (1947), On a test of whether one of two random variables is stochastically larger.
    """
    first, second = _ranks(scores), good.astype(np.int64)
    above = _concordant(first, second, draws)
    of_good, of_bad = (_sums(first, draws * flag[:, np.newaxis]) for flag in (good, ~good))
    tied = (of_good * of_bad).sum(axis=0)
    return _divided(above + tied / 2, of_good.sum(axis=0) * of_bad.sum(axis=0))


def taus_of_groups(scores: Scores, human: Scores, groups: Places, count: int) -> Figures:
    """Return the tau-b within each group; NaN where people found all alike.

    Where they did not and the scores are all equal it is 0: they order nothing. Left out, as some papers have it, such
    groups would reward a judge that says the same of everything.
    """
    taus = np.full(count, np.nan)
    by_group = np.split(np.argsort(groups, kind="stable"), np.cumsum(np.bincount(groups, minlength=count))[:-1])
    for group, inside in enumerate(by_group):
        if len(np.unique(human[inside])) > 1:
            taus[group] = np.nan_to_num(taus_b(scores[inside], human[inside], np.ones((len(inside), 1))))[0]
    return taus


def means(values: Figures, draws: Draws) -> Figures:
    """Return the mean of what was drawn; values that are undefined are left out."""
    defined = ~np.isnan(values)
    return _divided(values[defined] @ draws[defined], draws[defined].sum(axis=0))


def rightly_ordered(preferred: Scores, other: Scores) -> Figures:
    """Return 1 for each pair whose preferred answer is scored higher, one half for a tie, else 0."""
    return (preferred > other) + (preferred == other) / 2


def _concordant(first: Places, second: Places, draws: Draws) -> Figures:
    """Count the pairs that both order alike, by a wavelet tree over the ranks of the second.

    Two ranks differ first in one bit: that level of the tree holds them in one node, and the larger one has the bit
    set. There the pair is concordant if the larger one comes later in the order of the first.
    """
    counted = np.zeros(draws.shape[1])
    for level in range(int(second.max(initial=0)).bit_length()):
        node, is_larger = second >> (level + 1), (second >> level & 1).astype(bool)
        order = np.lexsort((~is_larger, first, node))  # of equals in `first` the larger comes first: no pair
        node, is_larger = node[order], is_larger[order]
        smaller = np.concatenate((np.zeros((1, draws.shape[1])), draws[order[~is_larger]].cumsum(axis=0)))
        smaller_before = np.concatenate(([0], (~is_larger).cumsum()))
        starts = np.searchsorted(node, node[is_larger])
        before = smaller[smaller_before[:-1][is_larger]] - smaller[smaller_before[starts]]
        counted += np.einsum("ij,ij->j", draws[order[is_larger]], before)
    return counted


def _ranks(values: Scores) -> Places:
    return np.unique(values, return_inverse=True)[1]


def _tied(ranks: Places, draws: Draws) -> Figures:
    return _pairs(_sums(ranks, draws)).sum(axis=0)


def _sums(ranks: Places, draws: Draws) -> Figures:
    """Sum the draws of equal ranks; a row for each rank that occurs."""
    if not len(ranks):
        return np.zeros((1, draws.shape[1]))
    order = np.argsort(ranks, kind="stable")
    starts = np.flatnonzero(np.diff(ranks[order], prepend=-1))
    return np.add.reduceat(draws[order], starts, axis=0)


def _pairs(count: Figures) -> Figures:
    return count * (count - 1) / 2


def _divided(figures: Figures, by: Figures) -> Figures:
    return np.divide(figures, by, out=np.full(len(figures), np.nan), where=by > 0)
