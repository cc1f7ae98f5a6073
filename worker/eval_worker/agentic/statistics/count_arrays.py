"""Counts by the array: checked at once, and each distinct (n, c, k) estimated once by the very formula of scalars."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval_worker.agentic.statistics.counts import ATTEMPTS, MOST, SUCCESSES, TRIALS, Counts

Whole = NDArray[np.int64]
Figures = NDArray[np.float64]


def estimated(estimate: Callable[[int, int, int], float | None], n: Counts, c: Counts, k: Counts) -> Figures:
    """Return the estimate of every (n, c, k), in the shape that they broadcast to; NaN where there is none.

    Raises:
        ValueError: as of scalars, naming the first wrong value; or the shapes do not fit together.
    """
    counts = np.stack(np.broadcast_arrays(*checked_arrays(n, c, k)))
    distinct, places = distinct_columns(counts.reshape(3, -1))
    figures = np.asarray([estimate(*triple) for triple in distinct.T.tolist()], dtype=np.float64)
    return figures[places].reshape(counts.shape[1:])


def checked_arrays(n: Counts, c: Counts, k: Counts) -> tuple[Whole, Whole, Whole]:
    """Return the three as integer arrays that broadcast.

    Raises:
        ValueError: one of their values is not a whole number, is negative, or k < 1, or c > n.
    """
    trials, successes = whole_array(TRIALS, n), whole_array(SUCCESSES, c)
    attempts = whole_array(ATTEMPTS, k, least=1)
    every_n, every_c, _ = np.broadcast_arrays(trials, successes, attempts)
    wrong = every_c > every_n
    if wrong.any():
        found, most = every_c[wrong][0], every_n[wrong][0]
        raise ValueError(f"{SUCCESSES} has {found}: it must be at most {TRIALS}, which is {most} there")
    return trials, successes, attempts


def whole_array(name: str, values: object, *, least: int = 0) -> Whole:
    """Return the values as an integer array. Floats are taken where they are whole.

    Raises:
        ValueError: one of them is not a whole number from `least` to 2^53.
    """
    given: NDArray[Any] = np.asarray(values)
    if given.size == 0:
        return given.astype(np.int64)
    if given.dtype.kind not in "iuf":
        raise ValueError(f"{name} has values of type {given.dtype}: they must be whole numbers")
    _refuse(name, given, given % 1 != 0, "a whole number")
    _refuse(name, given, (given < least) | (given > MOST), f"at least {least} and at most {MOST}")
    return given.astype(np.int64)


def distinct_columns(rows: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return each distinct column once, and which of them every column is.

    As numpy's unique() along an axis does, which compares columns byte by byte and takes ten times as long.
    """
    order = np.lexsort(rows)
    ordered = rows[:, order]
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = (ordered[:, 1:] != ordered[:, :-1]).any(axis=0)
    places = np.empty(len(order), dtype=np.intp)
    places[order] = np.cumsum(first) - 1
    return ordered[:, first], places


def _refuse(name: str, given: NDArray[Any], wrong: NDArray[np.bool_], wanted: str) -> None:
    if wrong.any():
        raise ValueError(f"{name} has {given[wrong][0]}: it must be {wanted}")
