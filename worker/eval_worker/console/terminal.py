"""Whether a person looks, and how text that strangers wrote is shown to them."""

import sys
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

VERDICT_STYLES = {"pass": "green", "review": "yellow", "fail": "red", "skipped": "dim"}
LEFT_OUT = "left out by sampling"  # what is said of a result whose verdict is "skipped"
_DIRECTION_CHANGES = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


def is_terminal() -> bool:
    return sys.stdout.isatty()


def make_console() -> "Console":
    """A console that shows text as it is: nothing in it is markup, an emoji code or a number to colour."""
    from rich.console import Console  # noqa: PLC0415  # only where a person looks

    return Console(markup=False, emoji=False, highlight=False)


def printable(text: str) -> str:
    """One line without control characters: judged text could otherwise move the cursor or rename the window."""
    return "".join(" " if _is_control(character) else character for character in text)


def printable_lines(text: str) -> str:
    return "\n".join(printable(line) for line in text.splitlines())


def duration(seconds: float | None) -> str:
    """About how long, in at most two units; `-` where it is not known."""
    if seconds is None:
        return "-"
    whole = int(seconds)
    if whole < _MINUTE:
        return f"{whole}s"
    if whole < _HOUR:
        return f"{whole // _MINUTE}m {whole % _MINUTE}s"
    if whole < _DAY:
        return f"{whole // _HOUR}h {whole % _HOUR // _MINUTE}m"
    return f"{whole // _DAY}d {whole % _DAY // _HOUR}h"


def _is_control(character: str) -> bool:
    """Control characters, and those that turn the direction of what follows."""
    return unicodedata.category(character) in {"Cc", "Zl", "Zp"} or character in _DIRECTION_CHANGES
