"""What is known of pass@k and pass^k after c successes in n trials."""

from dataclasses import dataclass

from eval_worker.agentic.statistics.estimators import unbiased_pass_at_k, unbiased_pass_pow_k


@dataclass(frozen=True, slots=True)
class PassEstimate:
    """Both figures with their intervals. All are None where n is 0; an interval also where none was asked for."""

    n: int
    c: int
    k: int
    pass_at_k: float | None = None
    pass_at_k_ci_low: float | None = None
    pass_at_k_ci_high: float | None = None
    pass_pow_k: float | None = None
    pass_pow_k_ci_low: float | None = None
    pass_pow_k_ci_high: float | None = None

    @property
    def extrapolated(self) -> bool:
        """Whether k > n: no k of the trials were ever seen together, so the figures rest on the model alone."""
        return self.k > self.n

    @property
    def unbiased_pass_at_k(self) -> float | None:
        """Return 1 - C(n-c, k) / C(n, k); None where k > n."""
        return unbiased_pass_at_k(self.n, self.c, self.k)

    @property
    def unbiased_pass_pow_k(self) -> float | None:
        """Return C(c, k) / C(n, k); None where k > n."""
        return unbiased_pass_pow_k(self.n, self.c, self.k)
