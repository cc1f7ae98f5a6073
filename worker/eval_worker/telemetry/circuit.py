"""What is said and shown when the circuit opens and closes, behind whichever door."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import structlog

if TYPE_CHECKING:
    from eval_worker.telemetry.metrics import JudgingMetrics

log = structlog.get_logger()


def log_circuit(reason: str | None) -> None:
    """Say that the model can't be used, and why; None says that it can again."""
    if reason is None:
        log.info("the model answers again")
    else:
        log.error("paused: the model can't be used; trying it with one event at a time", reason=reason)


def observe_circuit(metrics: "JudgingMetrics") -> Callable[[str | None], None]:
    """Return what shows it in `eval_paused` as well."""

    def observe(reason: str | None) -> None:
        metrics.paused.set(0 if reason is None else 1)
        log_circuit(reason)

    return observe
