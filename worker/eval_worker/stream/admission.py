"""Whether one more event may be begun, as far as its calls are concerned."""

from collections.abc import Callable
from typing import Protocol


class Admission(Protocol):
    """Says whether the calls of one more event would go out soon."""

    def has_room(self) -> bool: ...

    def begun(self) -> None:
        """Take note of an event whose calls will come."""
        ...

    def over(self) -> None:
        """Take note of an event that has ended."""
        ...

    def when_room(self, call: Callable[[], None]) -> None:
        """Have this called whenever there may be room again."""
        ...


class _AlwaysRoom:
    def has_room(self) -> bool:
        return True

    def begun(self) -> None:
        """Count nothing."""

    def over(self) -> None:
        """Count nothing."""

    def when_room(self, call: Callable[[], None]) -> None:
        """Call nobody: there was room before."""


ALWAYS_ROOM: Admission = _AlwaysRoom()
