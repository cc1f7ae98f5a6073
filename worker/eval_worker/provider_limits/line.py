"""The calls to one model: as they like until the first throttle, then one after the other at the pace of all."""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from contextvars import Context
from itertools import chain, islice
from typing import Any

import structlog

from eval_worker.evaluation.judges.model import FailureKind, ModelAnswer, ModelFailure, ModelReply
from eval_worker.provider_limits.pace import Grant
from eval_worker.provider_limits.pace_keeper import PaceKeeper

log = structlog.get_logger()

FIRST_WINDOW = 6  # calls in flight, to begin with, so that a limit is met by few at once
WIDENING_SECONDS = 0.7  # of calls waiting in which it grows e-fold
LEAST_WAITING = 10  # calls that may wait, or else
ROOM_SECONDS = 0.5  # as many as had their turn in this time, before no more events are begun
AHEAD_SECONDS = 0.05  # for which turns are asked for at once
LOOK_SECONDS = 1.0  # between two looks whether others are throttled
THROTTLED = "throttled"
_SECOND = 1.0
_ROUNDING = 1e-6


class CallTurn:
    """Leave for one call. `given_rate` is the pace of that moment; None where there was none."""

    __slots__ = ("_line", "given_rate", "tokens")

    def __init__(self, line: "Line", given_rate: float | None, tokens: float) -> None:
        self._line = line
        self.given_rate = given_rate
        self.tokens = tokens

    def ended(self, answer: ModelAnswer | None) -> None:
        self._line.ended(self, answer)

    def unused(self) -> None:
        self._line.take_back(self)


_Place = tuple["asyncio.Future[CallTurn]", float]  # of one who waits, and the tokens that his call needs


class Line:
    """Gives turns in order; those who ask again stand in front.

    As long as nobody is throttled this costs no word with the keeper, but for a look once a second whether it is so.
    """

    def __init__(
        self,
        keeper: PaceKeeper,
        model: str,
        clock: Callable[[], float],
        on_wait: Callable[[float], None],
        on_room: Callable[[], None],
    ) -> None:
        self._keeper = keeper
        self._model = model
        self._clock = clock
        self._on_wait = on_wait
        self._on_room = on_room
        self._open = False  # calls go as they like; the keeper is asked first
        self._told = False  # a pace is known, or the keeper has been told that one is needed
        self._window = FIRST_WINDOW
        self._blocked_seconds = 0.0  # in which the window was full
        self._in_flight = 0
        self._again: deque[_Place] = deque()
        self._first_time: deque[_Place] = deque()
        self._given = _LastSecond(clock)
        self._throttled = _LastSecond(clock)
        self._spent_beyond = 0.0  # tokens, since the keeper was told
        self._looked_at = clock()
        self._giving: asyncio.Task[None] | None = None
        self._telling: set[asyncio.Task[None]] = set()
        self._call_ended = asyncio.Event()
        self.rate: float | None = None

    @property
    def waiting(self) -> int:
        return len(self._again) + len(self._first_time)

    def has_room(self, coming: int) -> bool:
        """Whether more calls than those waiting and coming would have their turns soon."""
        ahead = self.waiting + coming
        return ahead < LEAST_WAITING or ahead < self._given.within(ROOM_SECONDS)

    def at_once(self, tokens: float) -> CallTurn | None:
        """Return a turn where nobody has to wait."""
        if not self._open or self.waiting or self._in_flight >= self._window:
            return None
        if self._clock() - self._looked_at > LOOK_SECONDS:
            self._looked_at = self._clock()
            self._tell(self._look())
        return self._turn(None, tokens)

    async def wait(self, tokens: float, *, again: bool, within: float) -> CallTurn | ModelFailure:
        began = self._clock()
        place: asyncio.Future[CallTurn] = asyncio.get_running_loop().create_future()
        (self._again if again else self._first_time).append((place, tokens))
        if self._giving is None or self._giving.done():
            # In no event's context: it gives turns to all.
            self._giving = asyncio.create_task(self._give(), context=Context())
            self._giving.add_done_callback(self._given_up)
        try:
            async with asyncio.timeout(within):
                turn = await place
        except TimeoutError:
            self._leave(place)
            return self._no_turn(within)
        except asyncio.CancelledError:
            self._leave(place)
            raise
        finally:
            self._on_wait(self._clock() - began)
        return turn

    def ended(self, turn: CallTurn, answer: ModelAnswer | None) -> None:
        """Take note of the end of a call that had its turn; None where it was cut off, and may be billed in full."""
        self._in_flight -= 1
        if answer is not None:
            self._spent_beyond += _tokens_of(answer) - turn.tokens
        if isinstance(answer, ModelFailure) and answer.code == THROTTLED:
            self._throttled.add()
            self._slow_down(turn)
        self._call_ended.set()

    def take_back(self, turn: CallTurn) -> None:
        """Count the turn of a call that was not made."""
        self._in_flight -= 1
        self._spent_beyond -= turn.tokens
        self._call_ended.set()

    def recovered(self) -> None:
        """Take note that the provider answers again, after it had refused everybody."""
        if not self._open:
            self._tell(self._keeper.recovered(self._model))

    def _slow_down(self, turn: CallTurn) -> None:
        if turn.given_rate is None:
            if self._told:  # by another of those that went out together
                return
            self._told, self._open = True, False
            log.warning("the provider throttles; calls take turns from now on", model=self._model)
        taken = max(len(self._given) - len(self._throttled), 1)
        self._tell(self._keeper.throttled(self._model, turn.given_rate, taken))

    def _no_turn(self, seconds: float) -> ModelFailure:
        pace = "" if self.rate is None else f"; the provider bears about {self.rate:.3g} calls a second"
        return ModelFailure(FailureKind.TRANSIENT, THROTTLED, f"not asked: no turn within {seconds:.3g} s{pace}")

    async def _give(self) -> None:
        """Give turns as long as somebody waits for one."""
        while self._next():
            if not self._open:
                if self._telling:
                    await asyncio.wait(self._telling)
                await self._give_paced()
            elif self._in_flight < self._window:
                self._give_one(None)
            else:
                await self._widen()

    async def _widen(self) -> None:
        """Wait for a call to end, or for the window to grow: it does while somebody waits."""
        began = self._clock()
        self._call_ended.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(WIDENING_SECONDS / self._window):
                await self._call_ended.wait()
        self._blocked_seconds += self._clock() - began
        for_one = WIDENING_SECONDS / self._window
        if self._blocked_seconds >= for_one - _ROUNDING:
            self._blocked_seconds -= for_one
            self._window += 1

    def _given_up(self, giving: "asyncio.Task[None]") -> None:
        """A bug must not leave those waiting who would be told of none."""
        bug = None if giving.cancelled() else giving.exception()
        while bug is not None and (line := self._next()):
            line.popleft()[0].set_exception(bug)

    async def _give_paced(self) -> None:
        beyond, self._spent_beyond = self._spent_beyond, 0.0
        ahead = max(int((self.rate or 0.0) * AHEAD_SECONDS), 1)
        booked = self._tokens_of_next(ahead)
        grant = await self._keeper.take(self._model, booked, beyond)
        now = self._looked_at = self._clock()
        self._note(grant)
        for wait, tokens in zip(grant.waits, booked, strict=True) if grant else ():
            await asyncio.sleep(max(now + wait - self._clock(), 0.0))
            self._spent_beyond += self._give_one(self.rate) - tokens  # another one may stand in front by now

    def _note(self, grant: Grant | None) -> None:
        if grant is None and not self._open:
            self._open, self._window = True, max(FIRST_WINDOW, self._in_flight)
            self._blocked_seconds = 0.0
        elif grant is not None:
            self._open = False
        self.rate = None if grant is None else grant.rate
        self._told = self.rate is not None

    async def _look(self) -> None:
        """See whether another worker was throttled: then this one need not be."""
        grant = await self._keeper.take(self._model, (), 0.0)
        if grant is not None or not self._told:  # what was told meanwhile is newer
            self._note(grant)

    def _tell(self, telling: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(telling, context=Context())
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    def _next(self) -> deque[_Place] | None:
        """Return the line in which the next one stands who still waits."""
        for line in (self._again, self._first_time):
            while line and line[0][0].done():
                line.popleft()
            if line:
                return line
        return None

    def _tokens_of_next(self, number: int) -> list[float]:
        return [tokens for _, tokens in islice(chain(self._again, self._first_time), number)]

    def _give_one(self, rate: float | None) -> float:
        """Give the next one its turn; returns how many tokens that was given for."""
        line = self._next()
        if line is None:
            return 0.0
        place, tokens = line.popleft()
        place.set_result(self._turn(rate, tokens))
        self._on_room()
        return tokens

    def _leave(self, place: "asyncio.Future[CallTurn]") -> None:
        """Stand in line no longer. A turn may come in the very moment in which its call is given up."""
        for line in (self._again, self._first_time):
            for each in tuple(line):
                if each[0] is place:
                    line.remove(each)
        if place.done() and not place.cancelled():
            place.result().unused()
        self._on_room()

    def _turn(self, rate: float | None, tokens: float) -> CallTurn:
        self._in_flight += 1
        self._given.add()
        return CallTurn(self, rate, tokens)


class _LastSecond:
    """Counts what happened in the last second."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._times: deque[float] = deque()

    def add(self) -> None:
        self._times.append(self._clock())
        self._forget()

    def __len__(self) -> int:
        self._forget()
        return len(self._times)

    def within(self, seconds: float) -> int:
        since = self._clock() - seconds
        return sum(time > since for time in self._times)

    def _forget(self) -> None:
        oldest = self._clock() - _SECOND
        while self._times and self._times[0] < oldest:
            self._times.popleft()


def _tokens_of(answer: ModelAnswer | None) -> int:
    if not isinstance(answer, ModelReply | ModelFailure):
        return 0
    return answer.usage.input_tokens + answer.usage.output_tokens
