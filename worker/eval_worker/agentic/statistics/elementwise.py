"""Lets an estimator of one (n, c, k) answer for arrays of them as well."""

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast, overload

from eval_worker.agentic.statistics.agentic_extra import require
from eval_worker.agentic.statistics.counts import CountArray, Counts, checked, is_array

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Figures: TypeAlias = "NDArray[np.float64]"


class Estimator(Protocol):
    """Of three numbers one estimate, None where there is none; of arrays, an array with NaN there."""

    @overload
    def __call__(self, n: int, c: int, k: int) -> float | None: ...
    @overload
    def __call__(self, n: CountArray, c: Counts, k: Counts) -> Figures: ...
    @overload
    def __call__(self, n: int, c: CountArray, k: Counts) -> Figures: ...
    @overload
    def __call__(self, n: int, c: int, k: CountArray) -> Figures: ...


def elementwise(estimate: Callable[[int, int, int], float | None]) -> Estimator:
    """Return the estimator, which checks what it is given. Single numbers never load numpy."""

    @functools.wraps(estimate)
    def of_numbers_or_arrays(n: Any, c: Any, k: Any) -> Any:
        if not (is_array(n) or is_array(c) or is_array(k)):
            return estimate(*checked(n, c, k))
        require("numpy", "an estimate of arrays")
        from eval_worker.agentic.statistics.count_arrays import estimated  # noqa: PLC0415 (it loads numpy)

        return estimated(estimate, n, c, k)

    return cast("Estimator", of_numbers_or_arrays)
