"""The fit: logistic weights within their signs, every data set counting alike whatever its size."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import OptimizeResult, minimize

from benchmarks.calibration.labelled import LabelledSet

Array = NDArray[np.float64]
_RIDGE = 0.003
_SHARE_OF_ORDER = 0.5  # of a set with scores: how much the order of its answers counts beside their level
_NEAR = 0.1  # human scores this close are no preference
_MOST_PAIRS = 20_000


@dataclass(frozen=True, slots=True)
class _Term:
    """Rows with their targets, and differences between a preferred row and the other."""

    rows: Array
    targets: Array
    differences: Array


def fit(sets: Sequence[LabelledSet], signs: Mapping[str, int]) -> tuple[float, dict[str, float]]:
    """Return intercept and weights that minimise cross-entropy to human scores plus the loss of their order.

    `signs` names the features: 1 may only help a score, -1 only hurt it, 0 either. The order's loss is
    Bradley-Terry's: log(1 + e^-(preferred - other)) over pairs of one set. Deterministic.
    """
    names = list(signs)
    terms = [_term(one, names) for one in sets]
    bounds = [(None, None), *(_BOUNDS[signs[name]] for name in names)]
    found: OptimizeResult = minimize(
        _loss, np.zeros(len(names) + 1), (terms,), jac=True, bounds=bounds, method="L-BFGS-B"
    )
    intercept, *weights = (round(float(one), 3) for one in found.x)
    return intercept, dict(zip(names, weights, strict=True))


_BOUNDS = {1: (0, None), -1: (None, 0), 0: (None, None)}


def _term(one: LabelledSet, names: Sequence[str]) -> _Term:
    rows = _matrix([[row[name] for name in names] for row in one.rows], len(names))
    preferred = _matrix([[row[name] for name in names] for row, _ in one.pairs], len(names))
    others = _matrix([[row[name] for name in names] for _, row in one.pairs], len(names))
    targets = np.array(one.scores)
    ordered = _ordered(rows, targets)
    return _Term(rows, targets, np.vstack([preferred - others, ordered]))


def _matrix(rows: list[list[float]], width: int) -> Array:
    return np.array(rows, dtype=np.float64).reshape(-1, width)


def _ordered(rows: Array, targets: Array) -> Array:
    better, worse = np.nonzero(targets[:, None] > targets[None, :] + _NEAR)
    if len(better) > _MOST_PAIRS:
        chosen = np.linspace(0, len(better) - 1, _MOST_PAIRS).astype(int)
        better, worse = better[chosen], worse[chosen]
    return rows[better] - rows[worse]


def _loss(parameters: Array, terms: Sequence[_Term]) -> tuple[float, Array]:
    weights = parameters[1:]
    loss, slope = _RIDGE * float(weights @ weights), np.concatenate([[0.0], 2 * _RIDGE * weights])
    for term in terms:
        level, order = len(term.targets) > 0, len(term.differences) > 0
        if level:
            share = 1 - _SHARE_OF_ORDER if order else 1.0
            total = parameters[0] + term.rows @ weights
            error = 1 / (1 + np.exp(-total)) - term.targets
            loss += share * float(np.mean(np.logaddexp(0, total) - term.targets * total))
            slope += share * np.concatenate([[error.sum()], term.rows.T @ error]) / len(error)
        if order:
            share = _SHARE_OF_ORDER if level else 1.0
            margin = term.differences @ weights
            wrong = 1 / (1 + np.exp(margin))
            loss += share * float(np.mean(np.logaddexp(0, -margin)))
            slope[1:] -= share * term.differences.T @ wrong / len(wrong)
    return loss, slope
