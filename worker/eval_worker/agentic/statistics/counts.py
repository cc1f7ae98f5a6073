"""n, c and k as callers give them: whole numbers, checked once, at the door."""

from collections.abc import Sequence
from numbers import Number, Real
from typing import TYPE_CHECKING, Any, TypeAlias, cast

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST = 2**53  # beyond it floats skip whole numbers
TRIALS, SUCCESSES, ATTEMPTS = "n (trials)", "c (successes)", "k (attempts)"

CountArray: TypeAlias = "Sequence[int] | NDArray[Any]"
Counts: TypeAlias = "int | CountArray"


def checked(n: object, c: object, k: object) -> tuple[int, int, int]:
    """Return the three as integers.

    Raises:
        ValueError: one of them is not a whole number, is negative, or k < 1, or c > n.
    """
    trials, successes = whole(TRIALS, n), whole(SUCCESSES, c)
    if successes > trials:
        raise ValueError(f"{SUCCESSES} is {successes}: it must be at most {TRIALS}, which is {trials}")
    return trials, successes, whole(ATTEMPTS, k, least=1)


def whole(name: str, value: object, *, least: int = 0) -> int:
    """Return the value as an integer. A float is taken where it is whole: counts often come out of a data frame.

    Raises:
        ValueError: it is not a whole number from `least` to 2^53.
    """
    if isinstance(value, bool) or not isinstance(value, Real) or value % 1 != 0:
        raise ValueError(f"{name} is {value!r}: it must be a whole number")
    number = int(cast("float", value))
    if not least <= number <= MOST:
        raise ValueError(f"{name} is {value!r}: it must be at least {least} and at most {MOST}")
    return number


def is_array(value: object) -> bool:
    """Whether the value holds many counts. A number of numpy's own kinds is one count."""
    if isinstance(value, Number | str | bytes):
        return False
    return isinstance(value, Sequence) or hasattr(value, "__array__")
