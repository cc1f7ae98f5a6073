"""One judge on one interaction: deadline, retries, one repair; a stage comes out, whatever happens."""

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from tenacity import AsyncRetrying, RetryCallState, retry_if_result, stop_before_delay
from tenacity.stop import stop_base
from tenacity.wait import wait_random_exponential

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.definition import JudgeDefinition
from eval_worker.evaluation.judges.model import (
    BadReply,
    CannotJudge,
    FailureKind,
    Judgement,
    JudgeModel,
    JudgeRequest,
    ModelAnswer,
    ModelFailure,
    ModelReply,
    Usage,
)
from eval_worker.evaluation.judges.parse import parse_reply
from eval_worker.evaluation.stage import Stage, StageStatus

NO_CONTEXT = "no context given"
NO_REFERENCE = "no reference answer given"
_NO_TIME_LEFT = ModelFailure(FailureKind.TRANSIENT, "timeout", "not asked: no time was left")


AttemptObserver = Callable[[str, ModelAnswer, int], None]
"""Called with the judge's name, the model's answer and the number of the attempt, from 1."""


def ignore_attempt(_judge: str, _answer: ModelAnswer, _attempt: int) -> None:
    """Observe nothing."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a judge keeps asking. `keep_trying` says whether another attempt makes sense now.

    While the provider is known to be down it does not: the attempt under way is the last. `seconds_left` is the time
    that all questions together still have, where they have a common end.
    """

    deadline_seconds: float = 15
    first_wait_seconds: float = 0.25
    longest_wait_seconds: float = 4
    keep_trying: Callable[[], bool] = lambda: True
    seconds_left: Callable[[], float] = lambda: math.inf


@dataclass(frozen=True, slots=True)
class JudgedStage:
    """A judge's stage, and what it cost."""

    stage: Stage
    usage: Usage


class Judge:
    """Asks one judge's question until there is an answer or its deadline, which covers all attempts, has passed."""

    def __init__(
        self,
        definition: JudgeDefinition,
        model: JudgeModel,
        patience: Patience,
        clock_ns: Callable[[], int],
        on_attempt: AttemptObserver = ignore_attempt,
    ) -> None:
        self.definition = definition
        self._model = model
        self._patience = patience
        self._clock_ns = clock_ns
        self._on_attempt = on_attempt

    async def judge(self, interaction: Interaction) -> JudgedStage:
        if missing := what_is_missing(self.definition, interaction):
            return JudgedStage(Stage.not_applicable(self.definition.stage_name, missing), Usage())
        started = self._clock_ns()
        meter = _Meter()
        answer = await self._within_deadline(JudgeRequest(self.definition, interaction), meter)
        return JudgedStage(self._stage(answer, self._clock_ns() - started), meter.usage)

    async def _within_deadline(self, request: JudgeRequest, meter: "_Meter") -> Judgement | CannotJudge | ModelFailure:
        seconds = min(self._patience.deadline_seconds, self._patience.seconds_left())
        if seconds <= 0:  # a call that is begun may be billed, also where nobody waits for it
            return _NO_TIME_LEFT
        try:
            async with asyncio.timeout(seconds):
                return await self._with_repair(request, meter)
        except TimeoutError:
            return meter.last_failure or _timed_out(seconds)

    async def _with_repair(self, request: JudgeRequest, meter: "_Meter") -> Judgement | CannotJudge | ModelFailure:
        answer = read_answer(await self._with_retries(request, meter))
        if isinstance(answer, BadReply):
            answer = read_answer(await self._with_retries(replace(request, repair=answer), meter))
        if isinstance(answer, BadReply):
            return ModelFailure(
                FailureKind.PERMANENT, "unusable_reply", f"two replies in a row could not be used: {answer.problem}"
            )
        return answer

    async def _with_retries(self, request: JudgeRequest, meter: "_Meter") -> ModelAnswer:
        patience = self._patience
        retrying = AsyncRetrying(
            retry=retry_if_result(_is_transient),
            wait=_RetryAfterOr(wait_random_exponential(patience.first_wait_seconds, patience.longest_wait_seconds)),
            # A wait that would outlast the deadline is not worth beginning.
            stop=stop_before_delay(patience.deadline_seconds) | _GivesUp(patience.keep_trying),
            retry_error_callback=_last_answer,
        )
        return await retrying(self._attempt, request, meter)

    async def _attempt(self, request: JudgeRequest, meter: "_Meter") -> ModelAnswer:
        answer = await self._model.ask(request)
        meter.record(answer)
        self._on_attempt(self.definition.name, answer, meter.attempts)
        return answer

    def _stage(self, answer: Judgement | CannotJudge | ModelFailure, duration_ns: int) -> Stage:
        name = self.definition.stage_name
        match answer:
            case Judgement(score, reason):
                return Stage(name, score, _whole_characters(reason), duration_ns)
            case CannotJudge(reason):
                return Stage.not_applicable(name, reason, duration_ns)
            case ModelFailure():
                return Stage(name, None, _whole_characters(answer.message), duration_ns, StageStatus.ERROR, answer)


def what_is_missing(judge: JudgeDefinition, interaction: Interaction) -> str | None:
    """Say what the judge needs and the interaction does not have, for which it is left out; None where it applies."""
    if judge.requires_context and not interaction.has_context:
        return NO_CONTEXT
    if judge.requires_reference and not interaction.has_reference:
        return NO_REFERENCE
    return None


class _Meter:
    """What one judge's attempts have used so far; kept outside them, since a deadline may cut them off."""

    def __init__(self) -> None:
        self.usage = Usage()
        self.attempts = 0
        self.last_failure: ModelFailure | None = None

    def record(self, answer: ModelAnswer) -> None:
        self.attempts += 1
        if isinstance(answer, ModelReply | ModelFailure):
            self.usage += answer.usage
        self.last_failure = answer if isinstance(answer, ModelFailure) else None


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


def _whole_characters(text: str) -> str:
    """Spell out half a character, which a provider may send and no UTF-8 can hold."""
    return text.encode(errors="backslashreplace").decode()


def read_answer(answer: ModelAnswer) -> Judgement | CannotJudge | ModelFailure | BadReply:
    """Read what an LLM said as a judgement, or as a reply that can't be used; all else is taken as it is."""
    if not isinstance(answer, ModelReply):
        return answer
    return BadReply(str(answer.content), answer.problem) if answer.problem else parse_reply(answer.content)


def _is_transient(answer: object) -> bool:
    return isinstance(answer, ModelFailure) and answer.kind is FailureKind.TRANSIENT


def _last_answer(state: RetryCallState) -> ModelAnswer:
    if state.outcome is None:
        raise AssertionError("tenacity asks for an outcome only after an attempt")
    return state.outcome.result()


def _timed_out(deadline_seconds: float) -> ModelFailure:
    return ModelFailure(FailureKind.TRANSIENT, "timeout", f"no answer within {round(deadline_seconds, 3):g} s")
