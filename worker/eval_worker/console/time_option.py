"""Flags that take a time: `10m`, `2h`, `7d`, or a moment such as 2026-01-31T12:00. For `callback=` of an option."""

import re
import time
from datetime import datetime

import click

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_DURATION = re.compile(r"(\d{1,9})([smhdw])")


def duration_in_seconds(_context: click.Context, _option: click.Parameter, value: str | None) -> float | None:
    if value is None:
        return None
    seconds = parse_duration(value)
    if seconds is None:
        raise click.BadParameter(f"{value!r} is not a duration such as 30s, 10m, 2h or 7d")
    return float(seconds)


def moment_in_seconds(_context: click.Context, _option: click.Parameter, value: str | None) -> float | None:
    """Seconds since the epoch: of a moment, or so long ago. Without a time zone it is this machine's."""
    if value is None:
        return None
    ago = parse_duration(value)
    if ago is not None:
        return time.time() - ago
    try:
        return datetime.fromisoformat(value).astimezone().timestamp()
    except (ValueError, OverflowError) as error:
        raise click.BadParameter(
            f"{value!r} is neither so long ago (10m, 2h, 1d) nor a time (2026-01-31T12:00)"
        ) from error


def parse_duration(text: str) -> int | None:
    """Return the seconds, or None if this is no duration."""
    match = _DURATION.fullmatch(text.strip().lower())
    return int(match[1]) * _SECONDS[match[2]] if match else None
