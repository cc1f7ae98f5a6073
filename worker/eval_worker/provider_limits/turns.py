"""Each call's turn at the provider, for all models that a process asks."""

import asyncio
from collections.abc import Callable

from eval_worker.evaluation.judges.model import ModelFailure, ModelRequest
from eval_worker.models.token_estimate import estimate_tokens
from eval_worker.provider_limits.line import CallTurn, Line
from eval_worker.provider_limits.pace_keeper import PaceKeeper

COMING_SECONDS = 0.25


class ProviderTurns:
    """A line for each model, since each has its own limits."""

    def __init__(
        self,
        keeper: PaceKeeper,
        model: str,
        clock: Callable[[], float],
        *,
        calls_an_event: int = 1,
        counts_tokens: bool = False,
        on_wait: Callable[[float], None] = lambda _seconds: None,
    ) -> None:
        """Ask nobody yet. `model` is asked where a judge names none; `on_wait` is told how long each call waited.

        `calls_an_event` are counted as waiting from the moment in which an event is begun, since its calls come later.
        """
        self._calls_an_event = calls_an_event
        self._coming = 0
        self._coming_until = 0.0
        self._keeper = keeper
        self._model = model
        self._clock = clock
        self._counts_tokens = counts_tokens
        self._on_wait = on_wait
        self._on_room: Callable[[], None] = lambda: None
        self._lines: dict[str, Line] = {}

    async def take(self, request: ModelRequest, *, again: bool, within: float) -> CallTurn | ModelFailure:
        """Wait for the call's turn, for so many seconds at most. Calls that are made `again` go first."""
        line = self._line(request.options.model_id or self._model)
        tokens = _needed(request) if self._counts_tokens else 0.0
        if self._coming and not again:
            self._coming -= 1
        if turn := line.at_once(tokens):
            self._room()
            return turn
        return await line.wait(tokens, again=again, within=within)

    def has_room(self) -> bool:
        """Whether the calls of another event would have their turns soon."""
        if self._clock() > self._coming_until:
            self._coming = 0
        lines = self._lines.values() or [self._line(self._model)]
        return all(line.has_room(self._coming) for line in lines)

    def begun(self) -> None:
        """Take note of an event whose calls will come. After a moment they don't: others know what it asks for."""
        self._coming += self._calls_an_event
        self._coming_until = self._clock() + COMING_SECONDS
        asyncio.get_running_loop().call_later(COMING_SECONDS * 1.1, self._room)

    def over(self) -> None:
        """Take note of an event that has ended: where all was in the cache none of its calls came."""
        self._coming = max(self._coming - self._calls_an_event, 0)

    def when_room(self, call: Callable[[], None]) -> None:
        """Have this called whenever there may be room again."""
        self._on_room = call

    def recovered(self) -> None:
        """Take note that the provider answers again, after it had refused everybody."""
        for line in self._lines.values():
            line.recovered()

    @property
    def waiting(self) -> int:
        """How many calls wait for their turn."""
        return sum(line.waiting for line in self._lines.values())

    @property
    def rate(self) -> float | None:
        """Calls a second that the provider bears from all who share the pace; None as long as it did not throttle.

        With several models it is the slowest one's.
        """
        rates = [line.rate for line in self._lines.values() if line.rate is not None]
        return min(rates, default=None)

    def _line(self, model: str) -> Line:
        line = self._lines.get(model)
        if line is None:
            line = self._lines[model] = Line(self._keeper, model, self._clock, self._on_wait, self._room)
        return line

    def _room(self) -> None:
        self._on_room()


def _needed(request: ModelRequest) -> float:
    """Count as Bedrock does, which books the longest reply that was allowed, and corrects that at the end."""
    prompt = request.prompt("0" * 16)
    return estimate_tokens(prompt.system) + estimate_tokens(prompt.user) + request.options.max_tokens
