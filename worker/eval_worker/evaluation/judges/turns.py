"""The contract between who asks and who knows how fast the provider may be called; `provider_limits` keeps it."""

from typing import Protocol

from eval_worker.evaluation.judges.model import ModelAnswer, ModelFailure, ModelRequest


class Turn(Protocol):
    """Leave for one call."""

    def ended(self, answer: ModelAnswer | None) -> None:
        """Take note of what came of the call; None where it was cut off, and may be billed."""
        ...

    def unused(self) -> None:
        """Take the turn back: no call was made."""
        ...


class Turns(Protocol):
    """Gives each call its turn."""

    async def take(self, request: ModelRequest, *, again: bool, within: float) -> Turn | ModelFailure:
        """Wait for the call's turn, for so many seconds at most. Calls that are made `again` go first."""
        ...
