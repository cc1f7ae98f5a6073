"""What a measurement found: samples of ours beside samples of something else, taken in turns in the same run."""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Samples:
    """One figure a repetition, in `unit`. `what` is what was measured."""

    what: str
    unit: str
    values: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    @property
    def range(self) -> tuple[float, float]:
        return min(self.values), max(self.values)


@dataclass(frozen=True, slots=True)
class Throughput:
    """How much a process did `a_second`, and for each `processor_second` that it used while doing it.

    The second says the same on a machine that has other things to do.
    """

    a_second: float
    a_processor_second: float

    def __mul__(self, factor: float) -> "Throughput":
        return Throughput(self.a_second * factor, self.a_processor_second * factor)

    def __str__(self) -> str:
        return f"{self.a_second:,.0f} a second, {self.a_processor_second:,.0f} a processor second"


@dataclass(frozen=True, slots=True)
class Throughputs:
    """What `what` did in each repetition, counted in `noun`."""

    what: str
    noun: str
    values: tuple[Throughput, ...]

    @property
    def a_second(self) -> Samples:
        return Samples(self.what, f"{self.noun}/s", tuple(each.a_second for each in self.values))

    @property
    def a_processor_second(self) -> Samples:
        values = tuple(each.a_processor_second for each in self.values)
        return Samples(self.what, f"{self.noun}/CPU s", values)


@dataclass(frozen=True, slots=True)
class Target:
    """What a figure is to reach: `of_ratio` says whether that is the ratio or the figure itself."""

    bound: float
    at_least: bool
    of_ratio: bool = True

    @classmethod
    def at_least_ratio(cls, bound: float) -> Self:
        return cls(bound, at_least=True)

    @classmethod
    def at_most(cls, bound: float) -> Self:
        return cls(bound, at_least=False, of_ratio=False)

    @classmethod
    def at_most_ratio(cls, bound: float) -> Self:
        return cls(bound, at_least=False)


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table: `ours` and `beside` hold as many samples, the n-th of each from the same repetition."""

    measurement: str
    ours: Samples
    beside: Samples
    target: Target | None = None

    @property
    def ratios(self) -> Samples | None:
        """Return ours / beside of each repetition; None where what is beside is 0, as an idle process may be."""
        if not all(self.beside.values):
            return None
        pairs = zip(self.ours.values, self.beside.values, strict=True)
        return Samples(self.ours.what, "", tuple(ours / beside for ours, beside in pairs))

    @property
    def reached(self) -> bool | None:
        """Whether the median is within the target; None without one."""
        measured = self.ratios if self.target is not None and self.target.of_ratio else self.ours
        if self.target is None or measured is None:
            return None
        return (measured.median >= self.target.bound) is self.target.at_least or measured.median == self.target.bound


def in_turns(repeat: int, measures: Sequence[Callable[[], T]]) -> list[tuple[T, ...]]:
    """Measure A B C A B C …, so that what changes on the machine meets all alike; returns one row a measure."""
    rounds = [tuple(measure() for measure in measures) for _ in range(repeat)]
    return list(zip(*rounds, strict=True))
