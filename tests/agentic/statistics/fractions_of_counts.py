"""The same figures by exact arithmetic, however long it takes."""

from fractions import Fraction
from math import perm


def share_without(n: int, marked: int, k: int) -> Fraction:
    """Return C(n - marked, k) / C(n, k), by the shorter of its two products."""
    few, many = sorted((marked, k))
    return Fraction(perm(n - many, few), perm(n, few)) if marked + k <= n else Fraction(0)


def rising(start: int, k: int) -> int:
    return perm(start + k - 1, k)


def off_by(found: float | None, exact: Fraction) -> float:
    """Return the relative error."""
    assert found is not None
    return float(abs(Fraction(found) - exact) / exact)
