"""The fit: logistic weights within their signs, every data set counting alike whatever its size."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import OptimizeResult, minimize

from benchmarks.calibration.labelled import LabelledSet

Array = NDArray[np.float64]
_RIDGE = 0.003
_RIDGE_OF_SETS = 0.03  # of how far the intercept of one set is from the common one
_SHARE_OF_ORDER = 0.5  # of a set with scores: how much the order of its answers counts beside their level
_NEAR = 0.1  # human scores this close are no preference
_MOST_PAIRS = 20_000


@dataclass(frozen=True, slots=True)
class _Term:
    """Rows with their targets, and differences between a preferred row and the other."""

    rows: Array
    targets: Array
    differences: Array

    @property
    def of_level(self) -> float:
        """What the level of its scores counts in the loss, beside their order."""
        if not len(self.targets):
            return 0.0
        return 1 - _SHARE_OF_ORDER if len(self.differences) else 1.0

    @property
    def of_order(self) -> float:
        if not len(self.differences):
            return 0.0
        return _SHARE_OF_ORDER if len(self.targets) else 1.0


def fit(sets: Sequence[LabelledSet], signs: Mapping[str, int]) -> tuple[float, dict[str, float]]:
    """Return intercept and weights that minimise cross-entropy to human scores plus the loss of their order.

    `signs` names the features: 1 may only help a score, -1 only hurt it, 0 either. The order's loss is
    Bradley-Terry's: log(1 + e^-(preferred - other)) over pairs of one set. While the weights are fitted each set may
    be off the common intercept, at a price, as in a model with random intercepts: so the weights tell answers of one
    set apart, and not easy sets from hard ones. Deterministic.
    """
    names = list(signs)
    terms = [_term(one, names) for one in sets]
    bounds = [*[(None, None)] * (1 + len(terms)), *(_BOUNDS[signs[name]] for name in names)]
    found: OptimizeResult = minimize(_loss, np.zeros(len(bounds)), (terms,), jac=True, bounds=bounds, method="L-BFGS-B")
    weights = found.x[1 + len(terms) :]
    return round(float(found.x[0]), 3), {name: round(float(one), 3) for name, one in zip(names, weights, strict=True)}


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
    """The loss and its slope by the intercept, each set's distance from it, and the weights."""
    intercept, apart, weights = parameters[0], parameters[1 : 1 + len(terms)], parameters[1 + len(terms) :]
    loss = _RIDGE_OF_SETS * float(apart @ apart) + _RIDGE * float(weights @ weights)
    slope = 2 * np.concatenate([[0.0], _RIDGE_OF_SETS * apart, _RIDGE * weights])
    by_weight = slope[1 + len(terms) :]
    for position, term in enumerate(terms):
        if term.of_level:
            total = intercept + apart[position] + term.rows @ weights
            error = 1 / (1 + np.exp(-total)) - term.targets
            loss += term.of_level * float(np.mean(np.logaddexp(0, total) - term.targets * total))
            slope[[0, 1 + position]] += term.of_level * float(error.mean())
            by_weight += term.of_level * term.rows.T @ error / len(error)
        if term.of_order:
            margin = term.differences @ weights
            wrong = 1 / (1 + np.exp(margin))
            loss += term.of_order * float(np.mean(np.logaddexp(0, -margin)))
            by_weight -= term.of_order * term.differences.T @ wrong / len(wrong)
    return loss, slope
