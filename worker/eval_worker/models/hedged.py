"""A language model that asks a second time where the first answer is late, and takes whichever comes first."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from eval_worker.evaluation.judges.model import LanguageModel, ModelAnswer, ModelFailure, ModelRequest
from eval_worker.evaluation.judges.turns import Turns

T = TypeVar("T")
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
        await _given_up_with(first, asyncio.wait([first], timeout=self._after_seconds))
        if first.done():
            return _answer_of(first)
        asked_again: list[ModelRequest] = []
        second: _Call = asyncio.create_task(self._ask_again(request, asked_again))
        winner = first
        try:
            winner = await _given_up_with(second, _given_up_with(first, _first_reply(first, second)))
        finally:
            if not asked_again:
                second.cancel()
            for call in {first, second} - {winner}:
                self._await_bill(call, request.asked_by)
        return _answer_of(winner)

    def close(self) -> None:
        self._model.close()

    async def _ask_once(self, request: ModelRequest) -> ModelAnswer | None:
        return await self._model.ask(request)

    async def _ask_again(self, request: ModelRequest, asked: list[ModelRequest]) -> ModelAnswer | None:
        """Return None where no second call was made; `asked` says as soon as one is."""
        turn = None
        if self._turns is not None:
            turn = await self._turns.take(request, again=False, within=self._after_seconds)
        if isinstance(turn, ModelFailure):
            return None
        asked.append(request)
        self._on_hedge(request.asked_by)
        answer: ModelAnswer | None = None
        try:
            answer = await self._model.ask(request)
        finally:
            if turn is not None:
                turn.ended(answer)
        return answer

    def _await_bill(self, call: "_Call", asked_by: str) -> None:
        """Have it told what a call took whose answer is not used, now or when it ends."""
        self._late.add(call)
        call.add_done_callback(lambda call: self._take_bill(call, asked_by))

    def _take_bill(self, call: "_Call", asked_by: str) -> None:
        self._late.discard(call)
        if not call.cancelled() and call.exception() is None and (answer := call.result()) is not None:
            self._on_late(asked_by, answer)


async def _given_up_with(call: "_Call", waiting: Coroutine[Any, Any, T]) -> T:
    """Wait; whoever gives that up gives up the call."""
    try:
        return await waiting
    except asyncio.CancelledError:
        call.cancel()
        raise


async def _first_reply(first: "_Call", second: "_Call") -> "_Call":
    """Return the first call that had a reply; where none had, the first of all."""
    left = {first, second}
    while left:
        done, left = await asyncio.wait(left, return_when=asyncio.FIRST_COMPLETED)
        for call in (call for call in (first, second) if call in done):
            answer = call.result()
            if answer is not None and not isinstance(answer, ModelFailure):
                return call
    return first


def _answer_of(call: "_Call") -> ModelAnswer:
    answer = call.result()
    if answer is None:
        raise AssertionError("a call that was made has an answer")
    return answer
