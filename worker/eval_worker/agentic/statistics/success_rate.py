"""The chance p that one attempt succeeds, and what follows for k independent attempts."""

import math
from dataclasses import dataclass

_EXACT_POWER = 16  # up to here a power of a rounded base is off by less than 16 roundings


@dataclass(frozen=True, slots=True)
class SuccessRate:
    """p and 1 - p. Both are kept, since a float near 1 has lost most of what its distance to 1 was.

    Both functions of k grow with p, so the ends of an interval for p are mapped to the ends of theirs.
    """

    success: float
    failure: float

    def at_least_once(self, k: int) -> float:
        """Return 1 - (1 - p)^k."""
        if k == 1:
            return self.success
        if self.failure <= 0.5:  # noqa: PLR2004 (below it the difference from 1 loses nothing)
            return 1.0 - self.failure**k
        return -math.expm1(k * math.log1p(-self.success))

    def every_time(self, k: int) -> float:
        """Return p^k."""
        if k <= _EXACT_POWER or self.success <= 0.5:  # noqa: PLR2004 (below it p^k vanishes before its error grows)
            return self.success**k
        return math.exp(k * math.log1p(-self.failure))


IMPOSSIBLE = SuccessRate(0.0, 1.0)
CERTAIN = SuccessRate(1.0, 0.0)
