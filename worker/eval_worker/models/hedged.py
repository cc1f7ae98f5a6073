"""A language model that asks a second time where the first answer is late, and takes whichever comes first."""

import asyncio
from collections.abc import Callable

from eval_worker.evaluation.judges.model import LanguageModel, ModelAnswer, ModelFailure, ModelRequest
from eval_worker.evaluation.judges.turns import Turns

_Call = asyncio.Task[ModelAnswer | None]


class HedgedModel(LanguageModel):
    """Both calls are billed, so the one that lost goes on to its end, and `on_late` is told what it took.

    A second call needs a turn as any other does, and is not made where there is none within the same time: a provider
    that is at its limit answers no sooner for being asked twice.
    """

    def __init__(
        self,
        model: LanguageModel,
        after_seconds: float,
        turns: Turns | None,
        *,
        on_hedge: Callable[[str], None] = lambda _asked_by: None,
        on_late: Callable[[str, ModelAnswer], None] = lambda _asked_by, _answer: None,
    ) -> None:
        self._model = model
        self._after_seconds = after_seconds
        self._turns = turns
        self._on_hedge = on_hedge
        self._on_late = on_late
        self._late: set[asyncio.Task[ModelAnswer | None]] = set()

    @property
    def name(self) -> str:
        return self._model.name

    async def ask(self, request: ModelRequest) -> ModelAnswer:
        first: _Call = asyncio.create_task(self._ask_once(request))
        calls: list[_Call] = [first]
        try:
            await asyncio.wait(calls, timeout=self._after_seconds)
            if not first.done():
                calls.append(asyncio.create_task(self._ask_again(request, first)))
            return await _best_of(calls, first)
        except asyncio.CancelledError:
            for call in calls:
                call.cancel()
            raise
        finally:
            for call in calls:
                self._await_bill(call, request.asked_by)

    def close(self) -> None:
        self._model.close()

    async def _ask_once(self, request: ModelRequest) -> ModelAnswer | None:
        return await self._model.ask(request)

    async def _ask_again(self, request: ModelRequest, first: "_Call") -> ModelAnswer | None:
        """Return None where no second call was made."""
        turn = None
        if self._turns is not None:
            turn = await self._turns.take(request, again=True, within=self._after_seconds)
        if isinstance(turn, ModelFailure):
            return None
        answer: ModelAnswer | None = None
        try:
            if not first.done():
                self._on_hedge(request.asked_by)
                answer = await self._model.ask(request)
        finally:
            if turn is not None:
                turn.ended(answer)
        return answer

    def _await_bill(self, call: "_Call", asked_by: str) -> None:
        if not call.done():
            self._late.add(call)
            call.add_done_callback(lambda call: self._take_bill(call, asked_by))

    def _take_bill(self, call: "_Call", asked_by: str) -> None:
        self._late.discard(call)
        if not call.cancelled() and (answer := call.result()) is not None:
            self._on_late(asked_by, answer)


async def _best_of(calls: "list[_Call]", first: "_Call") -> ModelAnswer:
    """Return the first reply; where there is none, what came of the first call."""
    left = set(calls)
    while left:
        done, left = await asyncio.wait(left, return_when=asyncio.FIRST_COMPLETED)
        for call in done:
            answer = call.result()
            if answer is not None and not isinstance(answer, ModelFailure):
                return answer
    answer = await first
    if answer is None:
        raise AssertionError("the first call is always made")
    return answer
