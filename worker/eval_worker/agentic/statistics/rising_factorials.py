"""The ratio of two rising factorials, in logarithms: every closed form here is one of these.

(x)_k = x (x + 1) ... (x + k - 1). A quotient of binomial coefficients is such a ratio, and so is a moment of a Beta
distribution. The obvious difference of four lgamma() loses nine digits at 10^6; here the large parts cancel on paper.
"""

import math

# From here on five terms of Stirling's series leave an error below 2e-16.
_LEAST_FOR_STIRLING = 16


def log_rising_ratio(a: float, b: float, k: int) -> float:
    """Return log((a)_k / (a + b)_k), for a > 0, b >= 0 and k >= 0: never above 0, exact to some 1e-15 of itself."""
    ahead = min(k, max(0, math.ceil(_LEAST_FOR_STIRLING - a)))
    total = math.fsum(_log_share(a + step, b) for step in range(ahead))
    return total if ahead == k else total + _by_stirling(a + ahead, b, k - ahead)


def _log_share(a: float, b: float) -> float:
    """Return log(a / (a + b)), exact where the share is close to 1 too."""
    return math.log1p(-b / (a + b)) if b < a else math.log(a / (a + b))


def _by_stirling(a: float, b: float, k: int) -> float:
    """Return the same for large a, by lgamma(x) = (x - 1/2) log x - x + log(2 pi) / 2 + remainder(x).

    Of the four lgamma the terms in x cancel. What remains of the logarithms is collected into three terms, each as
    small as the result, where a difference of the four would be one of numbers as large as a log a.
    """
    s = a + b
    leading = k * _log_share(a + k, b) + (a - 0.5) * math.log1p(k * b / (a * (s + k))) - b * math.log1p(k / s)
    return leading + ((_remainder(a + k) - _remainder(s + k)) - (_remainder(a) - _remainder(s)))


def _remainder(x: float) -> float:
    """Return Stirling's series (Abramowitz and Stegun 1964, 6.1.41), as nested powers of 1 / x^2."""
    y = 1.0 / (x * x)
    return (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y / 1188)))) / x
