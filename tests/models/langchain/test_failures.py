"""Whose failure is whose: what the fake answers, over HTTP, and what the packages of other providers raise."""

import socket
from typing import Any

import pytest
from tests.models.langchain.chat_models import Raising, ask, chat_openai

from eval_worker.evaluation.judges.model import FailureKind, ModelFailure, ModelReply
from eval_worker.models.langchain.model import LangChainModel
from eval_worker.testing.fake_openai import (
    Drop,
    FakeOpenAI,
    Garbage,
    Outcome,
    Refusal,
    Refused,
    Text,
    no_quota,
    throttled,
)

TRANSIENT, PERMANENT, OUTAGE = FailureKind.TRANSIENT, FailureKind.PERMANENT, FailureKind.OUTAGE

TOO_LONG = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."
GEMINI_TOO_LONG = "The input token count (9000) exceeds the maximum number of tokens allowed (8192)."


@pytest.fixture(scope="module", params=[True, False], ids=["structured", "text"])
def model(request: pytest.FixtureRequest, serving_openai: FakeOpenAI) -> LangChainModel:
    """Made once, since that takes longer than asking it."""
    return LangChainModel(chat_openai(serving_openai), structured_output=request.param)


@pytest.mark.parametrize(
    ("outcome", "kind", "code"),
    [
        (throttled(), TRANSIENT, "throttled"),
        (no_quota(), OUTAGE, "billing"),
        (Refused(402, "Insufficient balance"), OUTAGE, "billing"),
        (Refused(401, "Incorrect API key"), OUTAGE, "credentials"),
        (Refused(400, "API key not valid. Please pass a valid API key."), OUTAGE, "credentials"),
        (Refused(403, "Country, region, or territory not supported"), OUTAGE, "access_denied"),
        (Refused(404, "The model `x` does not exist", "model_not_found"), OUTAGE, "model_not_found"),
        (Refused(400, "The model `x` has been decommissioned", "model_decommissioned"), OUTAGE, "model_not_found"),
        (Refused(400, TOO_LONG, "context_length_exceeded", param="messages"), PERMANENT, "too_long"),
        (Refused(400, TOO_LONG), PERMANENT, "too_long"),
        (Refused(413, "Request too large"), PERMANENT, "too_long"),
        (Refused(400, "The response was filtered", "content_filter"), PERMANENT, "refused"),
        (Refused(400, "Something about this text", param="messages"), PERMANENT, "invalid_request"),
        (Refused(400, "Unsupported value", "unsupported_value", param="temperature"), OUTAGE, "configuration"),
        (Refused(400, "This model does not support tools"), OUTAGE, "output_unsupported"),
        (Refused(408, "Slow"), TRANSIENT, "timeout"),
        (Refused(409, "Busy"), TRANSIENT, "server_error"),
        (Refused(500, "Oops"), TRANSIENT, "server_error"),
        (Refused(503, "Overloaded"), TRANSIENT, "server_error"),
        (Refused(529, "Overloaded"), TRANSIENT, "throttled"),
        (Text("I will not.", "content_filter"), PERMANENT, "refused"),
        (Refusal(), PERMANENT, "refused"),
        (Drop(), TRANSIENT, "connection"),
        (Drop(after_bytes=20), TRANSIENT, "connection"),
        (Garbage(), TRANSIENT, "bad_response"),
        (Garbage("[]"), TRANSIENT, "bad_response"),
        (Garbage("{}"), TRANSIENT, "bad_response"),
        (Garbage(""), TRANSIENT, "bad_response"),
        (Garbage('{"choices": []}'), TRANSIENT, "bad_response"),
        (Garbage('{"choices": null}'), TRANSIENT, "bad_response"),
        (Garbage('{"choices": [7]}'), TRANSIENT, "bad_response"),
        (Garbage('{"error": {"message": "upstream"}}'), TRANSIENT, "bad_response"),
        (Garbage(status=400), TRANSIENT, "bad_response"),
        (Garbage(status=502), TRANSIENT, "server_error"),
    ],
    ids=lambda value: repr(value)[:60] if isinstance(value, Outcome) else None,
)
def test_each_failure_is_somebodys(
    openai: FakeOpenAI, model: LangChainModel, outcome: Outcome, kind: FailureKind, code: str
):
    openai.script(outcome)

    answer = ask(model)

    assert isinstance(answer, ModelFailure), answer
    assert (answer.kind, answer.code) == (kind, code), answer.message
    assert "\n" not in answer.message


def test_a_provider_that_nobody_is_at_is_a_connection_that_failed(openai: FakeOpenAI):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        chat_model = chat_openai(openai, base_url=f"http://127.0.0.1:{nobody.getsockname()[1]}/v1")

        answer = ask(LangChainModel(chat_model, structured_output=True))

    assert isinstance(answer, ModelFailure)
    assert (answer.kind, answer.code) == (TRANSIENT, "connection")


@pytest.mark.parametrize("base_url", ["127.0.0.1/v1", "ftp://127.0.0.1/v1"])
def test_an_address_that_no_call_can_go_to_is_a_wrong_setting(openai: FakeOpenAI, base_url: str):
    answer = ask(LangChainModel(chat_openai(openai, base_url=base_url), structured_output=True))

    assert isinstance(answer, ModelFailure)
    assert (answer.kind, answer.code) == (OUTAGE, "configuration")
    assert "http://" in answer.message


@pytest.mark.parametrize("key", ["sk-from-a-file-0123456789\n", "sk-of-another-alphabet-ключ"])
def test_a_key_that_no_header_can_carry_is_a_wrong_setting_and_not_shown(openai: FakeOpenAI, key: str):
    answer = ask(LangChainModel(chat_openai(openai, api_key=key), structured_output=True))

    assert isinstance(answer, ModelFailure)
    assert (answer.kind, answer.code) == (OUTAGE, "configuration")
    assert "sk-" not in answer.message


def test_the_packages_own_timeout_is_transient(openai: FakeOpenAI):
    openai.latency(60)

    answer = ask(LangChainModel(chat_openai(openai, timeout=0.2), structured_output=True))

    assert isinstance(answer, ModelFailure)
    assert (answer.kind, answer.code) == (TRANSIENT, "timeout")


def test_when_to_come_back_is_taken_from_the_provider(openai: FakeOpenAI):
    openai.script(throttled(retry_after=7))

    answer = ask(LangChainModel(chat_openai(openai), structured_output=True))

    assert isinstance(answer, ModelFailure)
    assert answer.retry_after == 7


def test_output_that_the_provider_itself_finds_unfit_is_a_reply_to_be_repaired(openai: FakeOpenAI):
    openai.script(Refused(400, "Failed to call a function.", "tool_use_failed", failed_generation='{"level": "high"}'))

    answer = ask(LangChainModel(chat_openai(openai), structured_output=True))

    assert isinstance(answer, ModelReply)
    assert (answer.content, answer.problem) == ('{"level": "high"}', "it does not fit the schema")


class ResponseError(Exception):
    """As ollama raises it."""

    def __init__(self, error: str, status_code: int = -1) -> None:
        super().__init__(error)
        self.status_code = status_code


class GoogleError(Exception):
    """As google.genai raises it: a number as its code, a word as its status."""

    def __init__(self, code: int, status: str, message: str) -> None:
        super().__init__(f"{code} {status}. {message}")
        self.code, self.status, self.details = code, status, {"error": {"code": code, "status": status}}


class ModelRateLimitError(Exception):
    """As LangChain names the errors of every provider, with no status on it."""


class APITimeoutError(Exception):
    """As anthropic and groq name theirs."""


class RemoteProtocolError(Exception):
    """As httpx names one; its base is what tells it."""


class TransportError(Exception):
    pass


class ReadError(TransportError):
    pass


def wrapped(cause: Exception) -> Exception:
    error = ValueError("Invalid argument provided to Gemini")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "kind", "code"),
    [
        (ResponseError("model 'llama9' not found", 404), OUTAGE, "model_not_found"),
        (ResponseError("x does not support tools", 400), OUTAGE, "output_unsupported"),
        (ResponseError("unexpected EOF", 500), TRANSIENT, "server_error"),
        (ResponseError("something", -1), TRANSIENT, "bad_response"),
        (GoogleError(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota, check your plan and billing"),
         TRANSIENT, "throttled"),
        (GoogleError(400, "INVALID_ARGUMENT", "API key not valid."), OUTAGE, "credentials"),
        (wrapped(GoogleError(403, "PERMISSION_DENIED", "no")), OUTAGE, "access_denied"),
        (wrapped(GoogleError(400, "INVALID_ARGUMENT", GEMINI_TOO_LONG)),
         PERMANENT, "too_long"),
        (ModelRateLimitError("slow down"), TRANSIENT, "throttled"),
        (APITimeoutError("Request timed out."), TRANSIENT, "timeout"),
        (ReadError(""), TRANSIENT, "connection"),
        (ConnectionRefusedError("nobody there"), TRANSIENT, "connection"),
        (TimeoutError(), TRANSIENT, "timeout"),
        (RuntimeError("Event loop is closed"), TRANSIENT, "connection"),
        (NotImplementedError("no chat"), OUTAGE, "configuration"),
        (ModuleNotFoundError("No module named 'tokenizer'"), OUTAGE, "configuration"),
        (KeyError("choices"), TRANSIENT, "bad_response"),
    ],
)  # fmt: skip
def test_what_other_providers_raise_is_told_by_what_it_has(error: Exception, kind: FailureKind, code: str):
    answer = ask(LangChainModel(Raising(error=error), structured_output=False))

    assert isinstance(answer, ModelFailure)
    assert (answer.kind, answer.code) == (kind, code), answer.message


def test_a_mistake_in_our_own_request_is_raised(openai: FakeOpenAI):
    model = LangChainModel(chat_openai(openai), structured_output=True)
    broken: Any = object()

    with pytest.raises(AttributeError):
        ask(model, broken)
