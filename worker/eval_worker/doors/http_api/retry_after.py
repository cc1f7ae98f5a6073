"""The header that says when to come back."""

from math import ceil

SECONDS = 1.0


def retry_after(seconds: float = SECONDS) -> dict[str, str]:
    return {"Retry-After": str(max(ceil(seconds), 1))}
