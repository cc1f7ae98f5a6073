"""Where a Beta distribution has so much of its mass to the left, or to the right. Needs scipy, loaded on first use."""

from typing import Any

from eval_worker.agentic.statistics.agentic_extra import require
from eval_worker.agentic.statistics.success_rate import SuccessRate


def with_mass_below(mass: float, alpha: float, beta: float) -> SuccessRate:
    """Return the p that has `mass` of Beta(alpha, beta) below it.

    Raises:
        MissingExtraError: scipy is not installed.
    """
    special = _scipy_special()
    return SuccessRate(
        float(special.betaincinv(alpha, beta, mass)),
        float(special.betainccinv(beta, alpha, mass)),
    )


def with_mass_above(mass: float, alpha: float, beta: float) -> SuccessRate:
    """Return the p that has `mass` of Beta(alpha, beta) above it: that of 1 - p, Beta(beta, alpha), turned round."""
    mirrored = with_mass_below(mass, beta, alpha)
    return SuccessRate(mirrored.failure, mirrored.success)


def require_scipy() -> None:
    """Refuse early, before a judge was paid for figures that would then lack their interval.

    Raises:
        MissingExtraError: scipy is not installed.
    """
    require("scipy", "an exact interval")


def _scipy_special() -> Any:
    require_scipy()
    from scipy import special  # noqa: PLC0415 (optional, and slow to load)

    return special
