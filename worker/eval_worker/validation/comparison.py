"""Does another set of judges agree better with people? A paired bootstrap of the difference.

Both sets judged the same records, so a resample draws records with both verdicts on them: cells of a table of human
label x verdict of the present set x verdict of the other. That keeps what the two have in common out of the interval.

Efron, B. and Tibshirani, R. J. (1993), An Introduction to the Bootstrap, chapters 13 and 16.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from eval_worker.validation.agreement import Counts, Figures, agreement_rates, known
from eval_worker.validation.bootstrap import Interval, percentile_interval, resampled_tables
from eval_worker.validation.kappa import weighted_kappas
from eval_worker.validation.labels import SCALE
from eval_worker.validation.tau import taus_b_of_tables

Finding = Literal["better", "worse", "no difference shown"]


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure of both sets. `difference` is the other's less the present one's.

    `share_better` and `share_worse` are of the resamples; what is missing to 1 are those without a difference.
    """

    present: float | None
    other: float | None
    difference: float | None
    interval: Interval | None
    share_better: float | None
    share_worse: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    total_records: int
    finding: Finding
    kendall_tau: Difference
    agreement_rate: Difference
    weighted_kappa: Difference
    present_table: tuple[tuple[int, ...], ...]
    other_table: tuple[tuple[int, ...], ...]


def compare(human: Sequence[int], present: Sequence[int], other: Sequence[int], *, seed: int) -> Comparison:
    """Compare the verdicts of two sets on the same records, all as places on the scale."""
    size = len(SCALE)
    cells = (np.asarray(human, dtype=np.int64) * size + np.asarray(present, dtype=np.int64)) * size
    table = np.bincount(cells + np.asarray(other, dtype=np.int64), minlength=size**3).reshape(size, size, size)
    drawn = resampled_tables(table, seed=seed)
    tau = _difference(taus_b_of_tables, table, drawn)
    return Comparison(
        total_records=len(human),
        finding=_finding(tau.interval),
        kendall_tau=tau,
        agreement_rate=_difference(agreement_rates, table, drawn),
        weighted_kappa=_difference(weighted_kappas, table, drawn),
        present_table=as_rows(table.sum(axis=-1)),
        other_table=as_rows(table.sum(axis=-2)),
    )


def as_rows(table: Counts) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(int(count) for count in row) for row in table)


def _difference(figure: Callable[[Counts], Figures], table: Counts, drawn: Counts | None) -> Difference:
    present, other = known(float(figure(table.sum(axis=-1)))), known(float(figure(table.sum(axis=-2))))
    difference = None if present is None or other is None else other - present
    if drawn is None or difference is None:
        return Difference(present, other, difference, None, None, None)
    moved = figure(drawn.sum(axis=-2)) - figure(drawn.sum(axis=-1))
    better, worse = float(np.mean(moved > 0)), float(np.mean(moved < 0))
    return Difference(present, other, difference, percentile_interval(moved), better, worse)


def _finding(interval: Interval | None) -> Finding:
    """Only an interval that leaves 0 out shows a difference."""
    if interval is None or interval[0] <= 0 <= interval[1]:
        return "no difference shown"
    return "better" if interval[0] > 0 else "worse"
