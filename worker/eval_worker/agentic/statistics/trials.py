"""The record of a benchmark, task by task and trial by trial, counted."""

from typing import TYPE_CHECKING, Any, TypeAlias

from eval_worker.agentic.statistics.agentic_extra import require

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

Trials: TypeAlias = "NDArray[Any] | Sequence[Sequence[float]]"


def count_trials(trials: Trials) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
    """Return n and c of each task, for `across_tasks`.

    A task is a row of true and false, or 1 and 0. Rows may differ in length. NaN or None is a trial that is unknown: it
    is left out.

    Raises:
        ValueError: a value is something else, as a score between 0 and 1 is.
        MissingExtraError: numpy is not installed.
    """
    require("numpy", "counting trials by the array")
    import numpy as np  # noqa: PLC0415 (the base install has none)

    outcomes, lengths = _flat(trials)
    unknown = np.isnan(outcomes)
    wrong = ~(unknown | (outcomes == 0) | (outcomes == 1))
    if wrong.any():
        raise ValueError(f"trials has {outcomes[wrong][0]}: each must be 1 (a success), 0, or NaN where it is unknown")
    tasks = np.repeat(np.arange(len(lengths)), lengths)
    n = np.bincount(tasks, weights=~unknown, minlength=len(lengths))
    c = np.bincount(tasks, weights=outcomes == 1, minlength=len(lengths))
    return n.astype(np.int64), c.astype(np.int64)


def _flat(trials: Trials) -> "tuple[NDArray[np.float64], list[int]]":
    """Return all outcomes in one array, and how many of them are each task's."""
    import numpy as np  # noqa: PLC0415 (the base install has none)

    tasks = (
        np.asarray(trials) if hasattr(trials, "__array__") else trials
    )  # iterating over a data frame gives its names
    rows = [np.asarray(task, dtype=np.float64) for task in tasks]
    if any(row.ndim != 1 for row in rows):
        raise ValueError("trials must have two dimensions: a row for each task, a value for each of its trials")
    return np.concatenate([np.empty(0), *rows]), [len(row) for row in rows]
