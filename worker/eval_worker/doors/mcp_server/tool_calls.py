"""Answers tool calls: decode, judge, encode. What stands in the way is one plain sentence that says what to do."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import structlog
from mcp.types import CallToolResult, TextContent

from eval_worker.doors.mcp_server.arguments import (
    JUDGE_ARGUMENTS,
    ArgumentError,
    decode_answer,
    decode_choice,
    decode_conversations,
)
from eval_worker.doors.mcp_server.evaluator_on_demand import EvaluatorOnDemand
from eval_worker.doors.mcp_server.tools import EVALUATE_CONVERSATION, EVALUATE_RESPONSE, EVALUATE_SINGLE_JUDGE
from eval_worker.errors import SettingsError
from eval_worker.evaluation.judges.model import FailureKind
from eval_worker.evaluator import NotApplicable, NoVerdict
from eval_worker.result import Result

log = structlog.get_logger()

Outcome = Result | NoVerdict | NotApplicable


class ToolCalls:
    """Serves calls side by side, of which at most `concurrency` are being judged."""

    def __init__(
        self, evaluator: EvaluatorOnDemand, judges: Sequence[str], *, max_bytes: int, concurrency: int
    ) -> None:
        self._evaluator = evaluator
        self._judges = judges
        self._max_bytes = max_bytes
        self._slots = asyncio.Semaphore(concurrency)
        self._tools: Mapping[str, Callable[[Mapping[str, Any]], Awaitable[Outcome]]] = {
            EVALUATE_RESPONSE: self._evaluate_response,
            EVALUATE_SINGLE_JUDGE: self._evaluate_single_judge,
            EVALUATE_CONVERSATION: self._evaluate_conversation,
        }
        self._in_flight = 0

    @property
    def idle(self) -> bool:
        return self._in_flight == 0

    def knows(self, tool: str) -> bool:
        return tool in self._tools

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> CallToolResult:
        with self._counted():
            try:
                return _encode(await self._tools[tool](arguments))
            except ArgumentError as error:
                return _refusal(str(error))
            except SettingsError as error:
                return _refusal(f"{error}. Set it in this server's entry of the client's configuration (env, args).")
            except Exception:
                log.exception("a tool call failed", tool=tool)
                return _refusal("This is a bug of eval-worker: nothing was judged, and its log has the details.")

    async def _evaluate_response(self, arguments: Mapping[str, Any]) -> Outcome:
        event = decode_answer(arguments, max_bytes=self._max_bytes)
        evaluator = await self._evaluator.get()
        async with self._slots:
            return await evaluator.evaluate(event)

    async def _evaluate_single_judge(self, arguments: Mapping[str, Any]) -> Outcome:
        choice = decode_choice(arguments, known=self._judges)
        event = decode_answer(arguments, max_bytes=self._max_bytes, beside=JUDGE_ARGUMENTS)
        evaluator = await self._evaluator.get()
        async with self._slots:
            return await evaluator.evaluate_with(choice.name, event, choice.threshold)

    async def _evaluate_conversation(self, arguments: Mapping[str, Any]) -> Outcome:
        event = decode_conversations(arguments, max_bytes=self._max_bytes)
        evaluator = await self._evaluator.get()
        async with self._slots:
            return await evaluator.evaluate(event)

    @contextmanager
    def _counted(self) -> Generator[None]:
        self._in_flight += 1
        try:
            yield
        finally:
            self._in_flight -= 1


def _encode(outcome: Outcome) -> CallToolResult:
    match outcome:
        case Result():
            # Clients from before structured output read the same from the text.
            return CallToolResult(
                content=[TextContent(text=outcome.model_dump_json(by_alias=True))],
                structured_content=outcome.model_dump(mode="json", by_alias=True),
            )
        case NoVerdict():
            return _refusal(_why_no_verdict(outcome))
        case NotApplicable():
            return _refusal(
                f"This judge can't be applied: {outcome.reason}. Add what is missing, or ask another judge."
            )


def _why_no_verdict(outcome: NoVerdict) -> str:
    failure = outcome.failure
    seconds = math.ceil(outcome.retry_after)
    match failure.kind:
        case FailureKind.PERMANENT:
            return f"No judge could score this: {failure.message}. There is no verdict; trying again won't help."
        case FailureKind.TRANSIENT:
            return f"The judge model did not answer: {failure.message}. There is no verdict; try again in {seconds} s."
        case FailureKind.OUTAGE:
            what_to_do = f"once this is put right, try again in {seconds} s"
            return f"The judge model can't be used: {failure.message}. There is no verdict; {what_to_do}."


def _refusal(sentence: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=sentence)], is_error=True)
