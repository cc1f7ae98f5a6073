"""Asks a model until it has answered: deadline, retries, one repair. All that there is of patience is here."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, Self, TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_result, stop_before_delay
from tenacity.stop import stop_base
from tenacity.wait import wait_random_exponential

from eval_worker.evaluation.judges.model import (
    NOTHING_USED,
    WITH_USAGE,
    BadReply,
    FailureKind,
    ModelAnswer,
    ModelFailure,
    ModelRequest,
    Opinion,
    Usage,
)
from eval_worker.evaluation.judges.turns import Turn, Turns
from eval_worker.evaluation.judges.waiting import Waiting
from eval_worker.value_object import value_object

LONGEST_WAIT_FOR_A_TURN_SECONDS = 300.0
MOST_TIMES_PUT = 2  # the question itself, and a repair
_ANSWERED = object()
_NO_TIME_LEFT = ModelFailure(FailureKind.TRANSIENT, "timeout", "not asked: no time was left")

AttemptObserver = Callable[[str, ModelAnswer, int], None]
"""Called with who asks, the model's answer and the number of the attempt, from 1."""


def ignore_attempt(_asked_by: str, _answer: ModelAnswer, _attempt: int) -> None:
    """Observe nothing."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a model is asked. `keep_trying` says whether another attempt makes sense now.

    While the provider is known to be down it does not: the attempt under way is the last. `seconds_left` is the time
    that all questions together still have, where they have a common end. Each call has its turn of `turns`, where
    there are any; waiting for the first is no part of the deadline.
    """

    deadline_seconds: float = 15
    first_wait_seconds: float = 0.25
    longest_wait_seconds: float = 4
    keep_trying: Callable[[], bool] = lambda: True
    seconds_left: Callable[[], float] = lambda: math.inf
    turns: Turns | None = None


class Question(ModelRequest, Protocol):
    """A request that can read its answer, judge by judge, and be put again for what could not be used of it."""

    @property
    def judge_names(self) -> tuple[str, ...]: ...

    def read(self, answer: ModelAnswer) -> Mapping[str, Opinion | BadReply]:
        """Return what each judge's opinion is, by its name."""
        ...

    def again(self, unusable: Mapping[str, BadReply]) -> Self:
        """Return the question to these judges only."""
        ...


@value_object
class Answered:
    """Each judge's opinion by its name, and what all attempts together took."""

    opinions: Mapping[str, Opinion]
    usage: Usage
    duration_ns: int


Q = TypeVar("Q", bound=Question)


class Asker(Generic[Q]):
    """Asks a question until there is an answer or the deadline, which covers all attempts, has passed."""

    def __init__(
        self,
        ask: Callable[[Q], Awaitable[ModelAnswer]],
        patience: Patience,
        clock_ns: Callable[[], int],
        on_attempt: AttemptObserver = ignore_attempt,
    ) -> None:
        self._ask = ask
        self._patience = patience
        self._turns = patience.turns
        self._clock_ns = clock_ns
        self._on_attempt = on_attempt

    async def ask(self, question: Q) -> Answered:
        """Return an opinion for each judge of the question: what failed is one, too."""
        course = _Course()
        has_turn = self._turns is None or await self._first_turn(question, course, self._turns)
        course.started_ns = self._clock_ns()
        seconds = min(self._patience.deadline_seconds, self._patience.seconds_left())
        if has_turn and seconds > 0:
            # An answer that comes at once leaves nothing to cut off, and a deadline costs more than all the rest here.
            answering = self._until_usable(question, course).__await__()
            if (waits_for := next(answering, _ANSWERED)) is not _ANSWERED:
                await self._within(seconds, Waiting(answering, waits_for), course)
        elif course.turn is not None:  # a call that is begun may be billed, also where nobody waits for it
            course.turn.unused()
        opinions = course.opinions_of(question.judge_names)
        return Answered(opinions, course.usage, self._clock_ns() - course.started_ns)

    async def _first_turn(self, question: Q, course: "_Course", turns: Turns) -> bool:
        """Wait for it, with patience: it is the provider's pace, and no judge's fault; returns whether it came."""
        seconds = min(max(self._patience.seconds_left(), 0.0), LONGEST_WAIT_FOR_A_TURN_SECONDS)
        turn = await turns.take(question, again=False, within=seconds)
        if isinstance(turn, ModelFailure):
            course.unanswered = turn
            return False
        course.turn = turn
        return True

    async def _within(self, seconds: float, answering: Waiting[None], course: "_Course") -> None:
        try:
            async with asyncio.timeout(seconds):
                await answering
        except TimeoutError:
            course.unanswered = course.last_failure or _timed_out(seconds)

    async def _until_usable(self, question: Q, course: "_Course") -> None:
        """Put the question, and what can't be used of the answer once more."""
        unusable: Mapping[str, BadReply] = {}
        for _ in range(MOST_TIMES_PUT):
            question = question.again(unusable) if unusable else question
            answer = await self._attempt(question, course)
            if _is_transient(answer):  # hardly ever; a retrying made for it costs more than all the rest here
                answer = await self._tried_again(question, course, answer)
            unusable = course.take(question.read(answer))
            if not unusable:
                return
        course.give_up(unusable)

    async def _tried_again(self, question: Q, course: "_Course", first: ModelAnswer) -> ModelAnswer:
        answers = [first]

        async def attempt() -> ModelAnswer:
            return answers.pop() if answers else await self._attempt(question, course)

        return await self._retrying((self._clock_ns() - course.started_ns) / 1e9)(attempt)

    def _retrying(self, seconds_gone: float) -> AsyncRetrying:
        patience = self._patience
        return AsyncRetrying(
            retry=retry_if_result(_is_transient),
            wait=_RetryAfterOr(wait_random_exponential(patience.first_wait_seconds, patience.longest_wait_seconds)),
            # A wait that would outlast the deadline is not worth beginning.
            stop=stop_before_delay(patience.deadline_seconds - seconds_gone) | _GivesUp(patience.keep_trying),
            retry_error_callback=_last_answer,
        )

    async def _attempt(self, question: Q, course: "_Course") -> ModelAnswer:
        if self._turns is None:
            answer = await self._ask(question)
        else:
            turn = await self._turn(question, course, self._turns)
            if isinstance(turn, ModelFailure):
                return turn
            answer = await self._in_turn(question, turn)
        course.record(answer)
        self._on_attempt(question.asked_by, answer, course.attempts)
        return answer

    async def _turn(self, question: Q, course: "_Course", turns: Turns) -> Turn | ModelFailure:
        first, course.turn = course.turn, None
        return first or await turns.take(question, again=True, within=self._patience.deadline_seconds)

    async def _in_turn(self, question: Q, turn: Turn) -> ModelAnswer:
        try:
            answer = await self._ask(question)
        except BaseException:  # cut off, most of the time
            turn.ended(None)
            raise
        turn.ended(answer)
        return answer


class _Course:
    """What came of a question so far; kept outside its attempts, since a deadline may cut them off."""

    turn: Turn | None = None  # for the first call
    started_ns = 0
    unanswered = _NO_TIME_LEFT  # what is said of the judges that have no opinion at the end
    usage = NOTHING_USED
    attempts = 0
    last_failure: ModelFailure | None = None

    def __init__(self) -> None:
        self.opinions: dict[str, Opinion] = {}

    def record(self, answer: ModelAnswer) -> None:
        self.attempts += 1
        if isinstance(answer, WITH_USAGE):
            self.usage += answer.usage
        self.last_failure = answer if isinstance(answer, ModelFailure) else None

    def take(self, read: Mapping[str, Opinion | BadReply]) -> dict[str, BadReply]:
        """Keep the opinions; returns what could not be used."""
        unusable: dict[str, BadReply] = {}
        for name, opinion in read.items():
            if isinstance(opinion, BadReply):
                unusable[name] = opinion
            else:
                self.opinions[name] = opinion
        return unusable

    def give_up(self, unusable: Mapping[str, BadReply]) -> None:
        for name, bad in unusable.items():
            self.opinions[name] = ModelFailure(
                FailureKind.PERMANENT, "unusable_reply", f"two replies in a row could not be used: {bad.problem}"
            )

    def opinions_of(self, judges: tuple[str, ...]) -> Mapping[str, Opinion]:
        """Return an opinion for each, in this order."""
        if tuple(self.opinions) == judges:
            return self.opinions
        return {judge: self.opinions.get(judge, self.unanswered) for judge in judges}


class _GivesUp(stop_base):
    """Stops where trying again makes no sense now."""

    def __init__(self, keep_trying: Callable[[], bool]) -> None:
        self._keep_trying = keep_trying

    def __call__(self, _state: RetryCallState) -> bool:
        return not self._keep_trying()


class _RetryAfterOr:
    """Waits as the provider asked, or as the given strategy says."""

    def __init__(self, otherwise: Callable[[RetryCallState], float]) -> None:
        self._otherwise = otherwise

    def __call__(self, state: RetryCallState) -> float:
        answer = _last_answer(state)
        asked = answer.retry_after if isinstance(answer, ModelFailure) else None
        return max(asked or 0.0, self._otherwise(state))


def _is_transient(answer: object) -> bool:
    return isinstance(answer, ModelFailure) and answer.kind is FailureKind.TRANSIENT


def _last_answer(state: RetryCallState) -> ModelAnswer:
    if state.outcome is None:
        raise AssertionError("tenacity asks for an outcome only after an attempt")
    return state.outcome.result()


def _timed_out(deadline_seconds: float) -> ModelFailure:
    return ModelFailure(FailureKind.TRANSIENT, "timeout", f"no answer within {round(deadline_seconds, 3):g} s")
