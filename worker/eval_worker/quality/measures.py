"""The figures of one judge on one data set, with intervals, beside those of the baselines.

Intervals are from a percentile bootstrap over source items: answers about one item are not independent of each other,
so items are drawn, with all of their answers. The baselines are measured on the same resamples, so that what they have
in common with the judge stays out of the interval of the difference.

Efron, B. and Tibshirani, R. J. (1993), An Introduction to the Bootstrap, chapters 8 and 13.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from eval_worker.quality.baselines import CONSTANT
from eval_worker.quality.labelled import GOOD
from eval_worker.quality.order_statistics import (
    Auroc,
    Draws,
    Places,
    Scores,
    TauB,
    means,
    rightly_ordered,
    taus_of_groups,
)
from eval_worker.validation.agreement import Figures, known
from eval_worker.validation.bootstrap import FEWEST_RECORDS, Interval, percentile_interval

RESAMPLES = 2_000
TAU, WITHIN, AUROC, PAIRS = "tau_b", "tau_b_within_groups", "auroc", "pair_accuracy"
CHANCE = {TAU: 0.0, WITHIN: 0.0, AUROC: 0.5, PAIRS: 0.5}
"""What a constant score has: it orders nothing."""

_CELLS_AT_ONCE = 1 << 19

Finding = Literal["above", "below", "not told apart"]
_Figure = Callable[[Draws], Figures]
"""Of one scorer: given how often each group was drawn, a figure for each resample."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """`difference` is the judge's figure less the baseline's; `finding` says where the judge stands."""

    value: float | None
    difference: float | None
    difference_interval: Interval | None
    finding: Finding


@dataclass(frozen=True, slots=True)
class Measure:
    """`n` counts records, groups or pairs: what the figure is over. Undefined figures are None."""

    name: str
    n: int
    value: float | None
    interval: Interval | None
    baselines: Mapping[str, Baseline]


@dataclass(frozen=True, slots=True)
class Rated:
    """Answers that people gave scores: theirs, the judge's and the baselines'; `groups` numbers the source items."""

    human: Scores
    groups: Places
    judge: Scores
    baselines: Mapping[str, Scores]

    def measures(self, *, seed: int) -> tuple[Measure, ...]:
        if not len(self.human):
            return ()
        count = int(self.groups.max()) + 1
        good = self.human >= GOOD
        by_scorer = [self._taus_of_groups(scores, count) for scores in self._scorers]
        figures: dict[str, Sequence[_Figure]] = {
            TAU: [self._of_groups(TauB(scores, self.human)) for scores in self._scorers],
            AUROC: [self._of_groups(Auroc(scores, good)) for scores in self._scorers],
        }
        n = {TAU: len(self.human), AUROC: len(self.human)}
        comparable = int((~np.isnan(by_scorer[0])).sum())
        if comparable >= FEWEST_RECORDS:
            figures[WITHIN] = [_mean_of(taus) for taus in by_scorer]
            n[WITHIN] = comparable
        return _measured(figures, n, tuple(self.baselines), count, seed)

    @property
    def _scorers(self) -> tuple[Scores, ...]:
        return (self.judge, *self.baselines.values())

    def _taus_of_groups(self, scores: Scores, count: int) -> Figures:
        return taus_of_groups(scores, self.human, self.groups, count)

    def _of_groups(self, figure: _Figure) -> _Figure:
        return lambda draws: figure(draws[self.groups])


@dataclass(frozen=True, slots=True)
class Preferred:
    """Pairs of answers: the scores of the preferred ones and of the others, by the judge and by each baseline."""

    groups: Places
    judge: tuple[Scores, Scores]
    baselines: Mapping[str, tuple[Scores, Scores]]

    def measures(self, *, seed: int) -> tuple[Measure, ...]:
        if not len(self.groups):
            return ()
        count = int(self.groups.max()) + 1
        scorers = (self.judge, *self.baselines.values())
        figures = {PAIRS: [self._accuracy(*sides) for sides in scorers]}
        return _measured(figures, {PAIRS: len(self.groups)}, tuple(self.baselines), count, seed)

    def _accuracy(self, preferred: Scores, other: Scores) -> _Figure:
        right = rightly_ordered(preferred, other)
        return lambda draws: means(right, draws[self.groups])


def numbered(groups: Sequence[str]) -> Places:
    """Number the groups from 0, in the order in which they first stand."""
    numbers = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    return np.asarray([numbers[group] for group in groups], dtype=np.int64)


def _mean_of(values: Figures) -> _Figure:
    return lambda draws: means(values, draws)


def _measured(
    figures: Mapping[str, Sequence[_Figure]], n: Mapping[str, int], baselines: Sequence[str], groups: int, seed: int
) -> tuple[Measure, ...]:
    """Compute each figure of each scorer, the judge first, on the sample and on every resample of it."""
    found: dict[str, list[list[Figures]]] = {name: [[] for _ in scorers] for name, scorers in figures.items()}
    for draws in _draws(groups, seed, at_once=max(_CELLS_AT_ONCE // max(*n.values(), groups), 1)):
        for name, scorers in figures.items():
            for scorer, figure in enumerate(scorers):
                found[name][scorer].append(figure(draws))
    return tuple(
        _measure(name, n[name], dict(zip(("", *baselines), map(np.concatenate, parts), strict=True)))
        for name, parts in found.items()
    )


def _draws(groups: int, seed: int, *, at_once: int) -> Iterator[Draws]:
    """Yield how often each group was drawn: once each first, which is the sample, then resamples, some at a time.

    There are none of few groups: an interval of theirs would say more than they can tell.
    """
    yield np.ones((groups, 1))
    if groups < FEWEST_RECORDS:
        return
    random = np.random.default_rng(seed)
    for begun in range(0, RESAMPLES, at_once):
        size = min(at_once, RESAMPLES - begun)
        yield random.multinomial(groups, np.full(groups, 1 / groups), size=size).T.astype(np.float64, order="C")


def _measure(name: str, n: int, by_scorer: dict[str, Figures]) -> Measure:
    judge = by_scorer.pop("")
    if CONSTANT in by_scorer:
        by_scorer[CONSTANT] = np.full(len(judge), CHANCE[name])
    baselines = {baseline: _compared(judge, figures) for baseline, figures in by_scorer.items()}
    return Measure(name, n, known(float(judge[0])), _interval(judge), baselines)


def _compared(judge: Figures, baseline: Figures) -> Baseline:
    difference = judge - baseline
    interval = _interval(difference)
    finding: Finding = "not told apart"
    if interval is not None and not interval[0] <= 0 <= interval[1]:
        finding = "above" if interval[0] > 0 else "below"
    return Baseline(known(float(baseline[0])), known(float(difference[0])), interval, finding)


def _interval(figures: Figures) -> Interval | None:
    """Return the interval of a figure, whose first is the sample's own; None where there are no resamples."""
    return percentile_interval(figures[1:]) if len(figures) > 1 else None
