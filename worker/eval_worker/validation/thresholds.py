"""Which thresholds would have made verdicts of these confidences that agree best with people?

Every two cuts between observed confidences are tried (at quantiles where there are many), and the pair with the highest
weighted kappa is taken; then the higher agreement, then what is nearest to the present thresholds.

What is chosen and measured on the same records looks better than it is. So it is also chosen on four fifths of them and
measured on the last, over and over (repeated 5-fold cross-validation): only what is better there as well is advised.
Kohavi, R. (1995), A study of cross-validation and bootstrap for accuracy estimation and model selection, IJCAI.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval_worker.validation.agreement import Counts, Figures, agreement_rates, known
from eval_worker.validation.kappa import weighted_kappas
from eval_worker.validation.labels import FAIL, PASS, REVIEW, SCALE

MOST_CUTS = 120
FOLDS = 5
REPEATS = 20
FEWEST_RECORDS = 10
_DIGITS = 12
_NEAR = 1e-9

Thresholds = tuple[float, float]
"""Of `pass` and of `review`."""


@dataclass(frozen=True, slots=True)
class Confidences:
    """What a threshold acts on. A record that may not pass is at best a `review`; an early exit is a `fail` always."""

    human: Sequence[int]
    confidences: Sequence[float]
    may_pass: Sequence[bool]
    early_exit: Sequence[bool]
    present_table: Counts
    present: Thresholds


@dataclass(frozen=True, slots=True)
class Fit:
    agreement_rate: float | None
    weighted_kappa: float | None


@dataclass(frozen=True, slots=True)
class ThresholdSuggestion:
    """`before` is with the verdicts as they are, `after` on the same records, `cross_validated` on records left out."""

    pass_threshold: float
    review_threshold: float
    before: Fit
    after: Fit
    cross_validated: Fit
    advised: bool


def suggest_thresholds(observed: Confidences, *, seed: int) -> ThresholdSuggestion | None:
    """Return the thresholds that fit best; None where nothing can be told: few records, or nothing to tell apart."""
    cuts = candidate_cuts(observed.confidences)
    if len(observed.human) < FEWEST_RECORDS or len(set(observed.human)) < 2 or not len(cuts):  # noqa: PLR2004
        return None
    cells = _cells(observed, cuts)
    shape = (3, len(SCALE), len(cuts) + 1)
    counts = np.bincount(cells, minlength=int(np.prod(shape))).reshape(shape)
    review, highest = _best(counts, cuts, observed.present)
    before = _fit(observed.present_table)
    cross_validated = _fit(_cross_validated(cells, shape, cuts, observed.present, seed))
    return ThresholdSuggestion(
        pass_threshold=float(cuts[highest]),
        review_threshold=float(cuts[review]),
        before=before,
        after=_fit(table_at(counts, review, highest)),
        cross_validated=cross_validated,
        advised=(cross_validated.weighted_kappa or 0.0) > (before.weighted_kappa or 0.0) + _NEAR,
    )


def candidate_cuts(confidences: Sequence[float]) -> Figures:
    """Return cuts between neighbouring confidences, the roundest number of each gap: 0.73 rather than 0.7314285."""
    distinct = np.unique(np.asarray(confidences, dtype=np.float64))
    gaps = np.arange(len(distinct) - 1)
    if len(gaps) > MOST_CUTS:
        gaps = np.unique(np.linspace(0, len(gaps) - 1, MOST_CUTS).astype(np.int64))
    return np.asarray([_roundest(float(distinct[gap]), float(distinct[gap + 1])) for gap in gaps], dtype=np.float64)


def table_at(counts: Counts, review: int, highest: int) -> Counts:
    """Return the table of human label x verdict that the cuts numbered so would have made."""
    return _tables(counts, np.asarray([review]), np.asarray([highest]))[0]


def _roundest(low: float, high: float) -> float:
    """Return the number with fewest digits that `low` is not above and `high` is."""
    middle = (low + high) / 2
    rounded = (round(middle, digits) for digits in range(1, _DIGITS))
    return next((number for number in rounded if low <= number < high), low)


def _cells(observed: Confidences, cuts: Figures) -> NDArray[np.int64]:
    """Number each record's cell: how it is bound (free, at best a review, a fail), its label, the cuts beneath it."""
    bound = np.where(np.asarray(observed.early_exit), 2, np.where(np.asarray(observed.may_pass), 0, 1))
    beneath = np.searchsorted(cuts, np.asarray(observed.confidences, dtype=np.float64), side="left")
    return (bound * len(SCALE) + np.asarray(observed.human, dtype=np.int64)) * (len(cuts) + 1) + beneath


def _tables(counts: Counts, review: NDArray[np.int64], highest: NDArray[np.int64]) -> Counts:
    """Return the table of each pair of cuts: fail up to the one, pass above the other."""
    up_to = counts.cumsum(axis=-1)
    total = up_to[..., -1]
    free, capped, exited = range(3)
    tables = np.empty((len(review), len(SCALE), len(SCALE)), dtype=np.int64)
    tables[..., FAIL] = (up_to[free][:, review] + up_to[capped][:, review]).T + total[exited]
    tables[..., PASS] = total[free] - up_to[free][:, highest].T
    tables[..., REVIEW] = total.sum(axis=0) - tables[..., FAIL] - tables[..., PASS]
    return tables


def _best(counts: Counts, cuts: Figures, present: Thresholds) -> tuple[int, int]:
    review, highest = np.triu_indices(len(cuts))
    tables = _tables(counts, review, highest)
    kappas = np.nan_to_num(weighted_kappas(tables), nan=-1.0)
    distance = np.abs(cuts[highest] - present[0]) + np.abs(cuts[review] - present[1])
    best = np.lexsort((distance, -agreement_rates(tables), -np.round(kappas, _DIGITS)))[0]
    return int(review[best]), int(highest[best])


def _cross_validated(
    cells: NDArray[np.int64], shape: tuple[int, ...], cuts: Figures, present: Thresholds, seed: int
) -> Counts:
    """Return the verdicts on records that had no part in choosing the cuts, of all repeats together."""
    random = np.random.default_rng(seed)
    pooled = np.zeros((len(SCALE), len(SCALE)), dtype=np.int64)
    size = int(np.prod(shape))
    for _ in range(REPEATS):
        fold_of = random.permutation(len(cells)) % FOLDS
        folds = np.bincount(fold_of * size + cells, minlength=FOLDS * size).reshape(FOLDS, *shape)
        for fold in folds:
            pooled += table_at(fold, *_best(folds.sum(axis=0) - fold, cuts, present))
    return pooled


def _fit(table: Counts) -> Fit:
    return Fit(known(float(agreement_rates(table))), known(float(weighted_kappas(table))))
