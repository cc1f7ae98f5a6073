"""What is said when the budget is spent, and when there is room again."""

import structlog

log = structlog.get_logger()


def log_budget(problem: str | None) -> None:
    """Say that no more may be spent, and until when; None says that more may be."""
    if problem is None:
        log.info("there is room in MAX_COST_PER_HOUR again; reading on")
    else:
        log.warning("nothing new is read", reason=problem)
