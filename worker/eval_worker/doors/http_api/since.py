"""The parameter `since`: a moment, or so long ago."""

from datetime import UTC, datetime
from http import HTTPStatus

from fastapi import HTTPException

from eval_worker.console.time_option import parse_duration


def start_of(since: str | None) -> datetime | float | None:
    """Return a moment, or so many seconds ago.

    Raises:
        HTTPException: 400, it is neither.
    """
    if since is None:
        return None
    ago = parse_duration(since)
    if ago is not None:
        return float(ago)
    try:
        moment = datetime.fromisoformat(since)
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    except ValueError as error:
        problem = "since: is neither so long ago (10m, 2h, 1d) nor a time (2026-01-31T12:00:00Z; a + is %2B in a URL)"
        raise HTTPException(HTTPStatus.BAD_REQUEST, problem) from error
