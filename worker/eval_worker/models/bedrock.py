"""Judges' questions answered by a model on AWS Bedrock."""

# boto3 ships no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

import asyncio
import secrets
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from eval_worker.evaluation.judges.model import LanguageModel
from eval_worker.models.bedrock_credentials import (
    check_credentials,
    open_session,
    wrong_configuration_is_a_settings_error,
)
from eval_worker.models.bedrock_failures import classify, refuses_temperature
from eval_worker.models.bedrock_request import OutputMode, converse_request
from eval_worker.models.bedrock_response import read_response
from eval_worker.models.daemon_thread_pool import DaemonThreadPool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from eval_worker.evaluation.judges.model import ModelFailure, ModelReply, ModelRequest

__all__ = ["BedrockModel", "check_credentials", "open_session"]

_LONGEST_CONNECT_SECONDS = 5
_NONCE_BYTES = 8


class _BedrockClient(Protocol):
    """The part of boto3's client that is used; boto3 makes its methods at run time and ships no types for them."""

    def converse(self, **request: Any) -> "Mapping[str, Any]": ...

    def close(self) -> None: ...


class BedrockModel(LanguageModel):
    """One attempt a question: retries belong to the judge, so botocore's own are off.

    `max_calls_in_flight` (events judged at once x judges) sizes both the threads and the connections. A thread can't
    be interrupted: a call that is given up, by cancellation or `close()`, goes on in its daemon thread until Bedrock
    answers or `timeout_seconds` pass, but neither its caller nor the end of the process waits for it. (The daemon
    leaves by `os._exit` anyway.)
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
        session: boto3.Session | None = None,
    ) -> None:
        """Open the client; no call is made.

        Raises:
            SettingsError: the region, the endpoint, the profile or a file of the AWS configuration is wrong.
        """
        self._model_id = model_id
        self._output = OutputMode(output)
        self._refusing_temperature: set[str] = set()
        self._client = _open_client(session, region, endpoint_url, timeout_seconds, max_calls_in_flight)
        self._threads = DaemonThreadPool(max_calls_in_flight, "bedrock")

    @property
    def name(self) -> str:
        return self._model_id

    async def ask(self, request: "ModelRequest") -> "ModelReply | ModelFailure":
        model_id = request.options.model_id or self._model_id
        call = converse_request(request, model_id, self._output, nonce=secrets.token_hex(_NONCE_BYTES))
        return await asyncio.wrap_future(self._threads.submit(partial(self._attempt, call, request.form.tool)))

    def close(self) -> None:
        self._threads.close()
        self._client.close()

    def _attempt(self, call: dict[str, Any], tool: str) -> "ModelReply | ModelFailure":
        try:
            response = self._converse(call)
        except Exception as error:  # noqa: BLE001, only boto3 runs in there, and garbage makes its parser raise anything
            return classify(error)
        return read_response(response, tool)

    def _converse(self, call: dict[str, Any]) -> "Mapping[str, Any]":
        inference, model_id = call["inferenceConfig"], call["modelId"]
        if model_id in self._refusing_temperature:
            inference.pop("temperature", None)
        try:
            return self._client.converse(**call)
        except ClientError as error:
            if "temperature" not in inference or not refuses_temperature(error):
                raise
        self._refusing_temperature.add(model_id)
        del inference["temperature"]
        return self._client.converse(**call)


def _open_client(
    session: boto3.Session | None, region: str | None, endpoint_url: str | None, timeout: float, connections: int
) -> _BedrockClient:
    config = Config(
        connect_timeout=min(_LONGEST_CONNECT_SECONDS, timeout),
        read_timeout=timeout,
        retries={"total_max_attempts": 1, "mode": "standard"},
        max_pool_connections=connections,
        tcp_keepalive=True,
    )
    with wrong_configuration_is_a_settings_error():
        session = session or open_session()
        client = session.client("bedrock-runtime", region_name=region, endpoint_url=endpoint_url, config=config)
    return cast("_BedrockClient", client)
