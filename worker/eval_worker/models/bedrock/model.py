"""Judges' questions answered by a model on AWS Bedrock."""

import asyncio
import json
import time
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, cast

from botocore.exceptions import ClientError

from eval_worker.evaluation.judges.model import LanguageModel
from eval_worker.models.bedrock.client import open_client
from eval_worker.models.bedrock.concessions import CACHE_POINT, PROMPT_CACHING, Concessions
from eval_worker.models.bedrock.credentials import check_credentials, open_session
from eval_worker.models.bedrock.failures import classify
from eval_worker.models.bedrock.request import OutputMode, converse_request
from eval_worker.models.bedrock.response import read_response
from eval_worker.models.calls_loop import in_calls_loop, tell_calls_loop
from eval_worker.models.prompt_cache import PromptCache
from eval_worker.models.token_estimate import TOOL_TOKENS, estimate_tokens
from eval_worker.nonces import fresh_nonce

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import boto3

    from eval_worker.evaluation.judges.model import ModelFailure, ModelReply, ModelRequest
    from eval_worker.models.prompt_cache import Prefix

__all__ = ["BedrockModel", "check_credentials", "open_session"]

_LONGEST_WAIT_SHARE = 1 / 3  # of a call's time is spent on waiting for another one to warm the prompt cache


class BedrockModel(LanguageModel):
    """One attempt a question: retries belong to the judge, so botocore's own are off.

    `max_calls_in_flight` (events judged at once x judges) bounds the calls, and so the connections. A call that is
    given up, by cancellation or `close()`, is cut off. Only one that boto3 makes itself goes on in its daemon thread
    until Bedrock answers or `timeout_seconds` pass; neither its caller nor the end of the process waits for it.
    """

    def __init__(
        self,
        *,
        model_id: str,
        region: str | None,
        endpoint_url: str | None = None,
        output: Literal["tool", "native", "text"] = "tool",
        timeout_seconds: float = 15,
        max_calls_in_flight: int = 80,
        session: "boto3.Session | None" = None,
        cache_floor: "Callable[[str], int | None]" = lambda _model_id: None,
        clock: "Callable[[], float]" = time.monotonic,
    ) -> None:
        """Open the client; no call is made.

        `cache_floor` says of a model how many tokens of a prompt it caches at least; None is not to cache at all.

        Raises:
            SettingsError: the region, the endpoint, the profile or a file of the AWS configuration is wrong.
        """
        self._model_id = model_id
        self._output = OutputMode(output)
        self._concessions = Concessions()
        self._new_prompt_cache = partial(
            PromptCache, cache_floor, clock, longest_wait_seconds=timeout_seconds * _LONGEST_WAIT_SHARE
        )
        self._max_calls_in_flight = max_calls_in_flight
        self._client = open_client(
            session,
            region=region,
            endpoint_url=endpoint_url,
            timeout_seconds=timeout_seconds,
            connections=max_calls_in_flight,
            validates=self._output is OutputMode.NATIVE,  # a boto3 without this mode would leave its schema out
        )
        self._closed = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._begin()

    @property
    def name(self) -> str:
        return self._model_id

    async def ask(self, request: "ModelRequest") -> "ModelReply | ModelFailure":
        if self._closed:
            raise RuntimeError(f"the model {self._model_id} was closed and takes no more calls")
        model_id = request.options.model_id or self._model_id
        call = converse_request(request, model_id, self._output, nonce=fresh_nonce())
        return await in_calls_loop(partial(self._answer, call, request.form.tool))

    def close(self) -> None:
        """Cancel the calls, wherever they were made, and let go of the connections."""
        self._closed = True
        tell_calls_loop(self._cut_off)
        self._client.close()

    # From here on all is done in the loop of the calls.

    async def _answer(self, call: dict[str, Any], tool: str) -> "ModelReply | ModelFailure":
        if self._loop is not (loop := asyncio.get_running_loop()):
            self._begin()
            self._loop = loop
        prefix = self._prefix_to_cache(call)
        if prefix is None:
            return await self._attempt(call, tool)
        call["system"].append(CACHE_POINT)
        async with self._prompt_cache.turn(prefix) as report:
            answer = await self._attempt(call, tool)
            report(answer.usage)
        return answer

    def _begin(self) -> None:
        """Have all that belongs to one loop: a process that was forked off has another."""
        self._turns = asyncio.Semaphore(self._max_calls_in_flight)
        self._attempts: set[asyncio.Task[Any]] = set()
        self._prompt_cache = self._new_prompt_cache()

    def _prefix_to_cache(self, call: dict[str, Any]) -> "Prefix | None":
        if self._concessions.made_to(call["modelId"], PROMPT_CACHING):
            return None
        system = "\n".join(block["text"] for block in call["system"])
        return self._prompt_cache.prefix(call["modelId"], system, lambda: _tool_tokens(call))

    async def _attempt(self, call: dict[str, Any], tool: str) -> "ModelReply | ModelFailure":
        if self._closed:
            raise asyncio.CancelledError
        self._attempts.add(attempt := cast("asyncio.Task[Any]", asyncio.current_task()))
        try:
            async with self._turns:
                response = await self._converse(call)
        except Exception as error:  # noqa: BLE001, only boto3 runs in there, and garbage makes its parser raise anything
            return classify(error)
        finally:
            self._attempts.discard(attempt)
        return read_response(response, tool)

    def _cut_off(self) -> None:
        for attempt in self._attempts:
            attempt.cancel()

    async def _converse(self, call: dict[str, Any]) -> "Mapping[str, Any]":
        self._concessions.apply(call)
        while True:
            try:
                return await self._client.converse(call)
            except ClientError as error:
                if not self._concessions.concede(call, error):
                    raise


def _tool_tokens(call: "Mapping[str, Any]") -> float:
    return estimate_tokens(json.dumps(call["toolConfig"])) + TOOL_TOKENS if "toolConfig" in call else 0.0
