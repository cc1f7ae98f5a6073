"""Figures of how well scores order answers, of many resamples at once.

A resample does not change the records or their order, only how often each was drawn. So a figure is made of the records
once, then called with `draws`: a column of such counts for each resample, a row for each record. A column of ones is
the sample itself. What is undefined is NaN. Records that were drawn twice are tied with themselves, as in any bootstrap
of a rank correlation.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval_worker.validation.agreement import Figures

Scores = NDArray[np.float64]
Flags = NDArray[np.bool_]
Draws = NDArray[np.float64]
Places = NDArray[np.integer[Any]]


class TauB:
    """Kendall's tau-b (see `eval_worker.validation.tau`) of scores and people's.

    Concordant pairs are counted in O(n log k), k the distinct values of the one that has fewer; discordant ones are
    what is left of all pairs.
    """

    def __init__(self, scores: Scores, human: Scores) -> None:
        first, second = _ranks(scores), _ranks(human)
        if first.max(initial=0) < second.max(initial=0):
            first, second = second, first
        self._concordant = _ConcordantPairs(first, second)
        self._first, self._second = _EqualRanks(first), _EqualRanks(second)
        self._both = _EqualRanks(first * (len(second) + 1) + second)

    def __call__(self, draws: Draws) -> Figures:
        every = _pairs(draws.sum(axis=0))
        tied_first, tied_second = self._first.tied(draws), self._second.tied(draws)
        concordant = self._concordant.count(draws)
        discordant = every - tied_first - tied_second + self._both.tied(draws) - concordant
        return _divided(concordant - discordant, np.sqrt((every - tied_first) * (every - tied_second)))


class Auroc:
    """How often a good answer is scored above one that is not, ties counted half.

    Mann, H. and Whitney, D. (1947), On a test of whether one of two random variables is stochastically larger.
    """

    def __init__(self, scores: Scores, good: Flags) -> None:
        ranks = _ranks(scores)
        self._concordant = _ConcordantPairs(ranks, good.astype(np.int64))
        self._equal = _EqualRanks(ranks)
        self._good = good[:, np.newaxis]

    def __call__(self, draws: Draws) -> Figures:
        good, bad = self._equal.sums(draws * self._good), self._equal.sums(draws * ~self._good)
        above = self._concordant.count(draws) + (good * bad).sum(axis=0) / 2
        return _divided(above, good.sum(axis=0) * bad.sum(axis=0))


def taus_of_groups(scores: Scores, human: Scores, groups: Places, count: int) -> Figures:
    """Return the tau-b within each group; NaN where people found all alike.

    Where they did not and the scores are all equal it is 0: they order nothing. Left out, as some papers have it, such
    groups would reward a judge that says the same of everything.
    """
    taus = np.full(count, np.nan)
    by_group = np.split(np.argsort(groups, kind="stable"), np.cumsum(np.bincount(groups, minlength=count))[:-1])
    for group, inside in enumerate(by_group):
        if len(np.unique(human[inside])) > 1:
            tau = TauB(scores[inside], human[inside])(np.ones((len(inside), 1)))
            taus[group] = np.nan_to_num(tau)[0]
    return taus


def rightly_ordered(preferred: Scores, other: Scores) -> Figures:
    """Return 1 for each pair whose preferred answer is scored higher, one half for a tie, else 0."""
    return (preferred > other) + (preferred == other) / 2


def means(values: Figures, draws: Draws) -> Figures:
    """Return the mean of what was drawn; values that are undefined are left out."""
    defined = ~np.isnan(values)
    return _divided(values[defined] @ draws[defined], draws[defined].sum(axis=0))


class _ConcordantPairs:
    """The pairs that two rankings order alike, found by a wavelet tree over the second.

    Two ranks differ first in one bit: on that level of the tree they share a node, and the larger one has the bit set.
    There the pair is concordant if the larger one is also above in the first ranking.
    """

    def __init__(self, first: Places, second: Places) -> None:
        levels = int(second.max(initial=0)).bit_length()
        self._levels = [_Level.of(first, second, bit) for bit in range(levels)]

    def count(self, draws: Draws) -> Figures:
        return sum((level.count(draws) for level in self._levels), start=np.zeros(draws.shape[1]))


@dataclass(frozen=True, slots=True)
class _Level:
    """Records with and without the bit, in order of node and first rank.

    For each larger one: how many smaller ones come before its node, and before itself.
    """

    smaller: Places
    larger: Places
    before_node: Places
    before: Places

    @classmethod
    def of(cls, first: Places, second: Places, bit: int) -> "_Level":
        node, is_larger = second >> (bit + 1), (second >> bit & 1).astype(bool)
        order = np.lexsort((~is_larger, first, node))  # of equals in `first` the larger comes first: no pair
        node, is_larger = node[order], is_larger[order]
        before = np.concatenate(([0], np.cumsum(~is_larger)))
        starts = np.searchsorted(node, node[is_larger])
        return cls(order[~is_larger], order[is_larger], before[starts], before[:-1][is_larger])

    def count(self, draws: Draws) -> Figures:
        smaller = np.concatenate((np.zeros((1, draws.shape[1])), draws[self.smaller].cumsum(axis=0)))
        inside = smaller[self.before] - smaller[self.before_node]
        return np.einsum("ij,ij->j", draws[self.larger], inside)


class _EqualRanks:
    """Records of equal rank, side by side."""

    def __init__(self, ranks: Places) -> None:
        self._order = np.argsort(ranks, kind="stable")
        self._starts = np.flatnonzero(np.diff(ranks[self._order], prepend=-1))

    def sums(self, draws: Draws) -> Figures:
        """Sum the draws of equal ranks; a row for each rank that occurs."""
        return np.add.reduceat(draws[self._order], self._starts, axis=0)

    def tied(self, draws: Draws) -> Figures:
        return _pairs(self.sums(draws)).sum(axis=0)


def _ranks(values: Scores) -> Places:
    return np.unique(values, return_inverse=True)[1]


def _pairs(count: Figures) -> Figures:
    return count * (count - 1) / 2


def _divided(figures: Figures, by: Figures) -> Figures:
    return np.divide(figures, by, out=np.full(len(figures), np.nan), where=by > 0)
