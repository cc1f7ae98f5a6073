"""How much each of the four aspects counts."""

import math
from collections.abc import Mapping
from types import MappingProxyType

EQUAL_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {"selection": 0.25, "parameters": 0.25, "sequence": 0.25, "utilization": 0.25}
)


def complete_weights(weights: Mapping[str, float] | None) -> dict[str, float]:
    """Check the weights and add the missing ones. An aspect that is not named keeps 0.25; 0 leaves one out.

    Raises:
        ValueError: a name is unknown, a weight is negative or no finite number, or all are 0.
    """
    if weights is not None and not isinstance(weights, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] (callers need not be typed)
        raise ValueError(f"weights must be a dictionary by name, not {weights!r}")
    for name, weight in (weights or {}).items():
        if name not in EQUAL_WEIGHTS:
            raise ValueError(f"weights: {name!r} is none of {', '.join(EQUAL_WEIGHTS)}")
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight < math.inf:  # pyright: ignore[reportUnnecessaryIsInstance] (callers need not be typed)
            raise ValueError(f"weights: {name} must be a finite number of at least 0, not {weight!r}")
    complete = {**EQUAL_WEIGHTS, **(weights or {})}
    if not any(complete.values()):
        raise ValueError("weights: all are 0; at least one aspect must count")
    return complete


def weighted_mean(scores: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """Return the mean of the scores, the weights scaled to a sum of 1: exactly 1.0 where all that count are 1."""
    largest = max(weights.values())
    scaled = {name: weight / largest for name, weight in weights.items()}  # their sum can't be beyond the largest float
    return math.fsum(scores[name] * weight for name, weight in scaled.items()) / math.fsum(scaled.values())
