"""BedrockModel over real HTTP, against the fake: whose failure is whose."""

import socket
import time

import pytest
from tests.models.bedrock.calls import OpenModel, ask, judged, request

from eval_worker.errors import SettingsError
from eval_worker.evaluation.judges.model import FailureKind, Judgement, ModelFailure
from eval_worker.testing import (
    AccessDenied,
    AwsError,
    ContentFiltered,
    Drop,
    FakeBedrock,
    Garbage,
    ModelError,
    ModelTimeout,
    Outcome,
    RefuseTemperature,
    ServerError,
    Stopped,
    Throttle,
)

TRANSIENT, PERMANENT, OUTAGE = FailureKind.TRANSIENT, FailureKind.PERMANENT, FailureKind.OUTAGE


def test_a_failure_after_the_temperature_was_dropped_is_that_failure(
    bedrock: FakeBedrock, open_model: OpenModel
) -> None:
    bedrock.script(Throttle())
    bedrock.script(RefuseTemperature())

    answer = ask(open_model(), request(temperature=0))

    assert isinstance(answer, ModelFailure)
    assert answer.code == "throttled"


@pytest.mark.parametrize(
    ("outcome", "kind", "code"),
    [
        (Throttle(), TRANSIENT, "throttled"),
        (ServerError(500), TRANSIENT, "server_error"),
        (ServerError(503), TRANSIENT, "server_error"),
        (ServerError(529), TRANSIENT, "server_error"),
        (ModelTimeout(), TRANSIENT, "timeout"),
        (ModelError(), TRANSIENT, "server_error"),
        (Drop(), TRANSIENT, "connection"),
        (Drop(after_bytes=20), TRANSIENT, "connection"),
        (Garbage(), TRANSIENT, "bad_response"),
        (Garbage("[]"), TRANSIENT, "bad_response"),
        (Garbage('"oops"'), TRANSIENT, "bad_response"),
        (Garbage(""), TRANSIENT, "bad_response"),
        (Garbage('{"output": {"message": 7}, "stopReason": "end_turn"}'), TRANSIENT, "bad_response"),
        (Garbage(status=400), TRANSIENT, "bad_response"),
        (Garbage(status=302), TRANSIENT, "bad_response"),
        (Garbage(status=502), TRANSIENT, "server_error"),
        (AccessDenied(), OUTAGE, "access_denied"),
        (AwsError(403, "ExpiredTokenException", "The security token is expired"), OUTAGE, "credentials"),
        (AwsError(400, "ValidationException", "The provided model identifier is invalid."), OUTAGE, "model_not_found"),
        (AwsError(400, "ValidationException", "Input is too long for requested model."), PERMANENT, "too_long"),
        (AwsError(400, "ValidationException", "1 validation error detected"), PERMANENT, "invalid_request"),
        (ContentFiltered(), PERMANENT, "refused"),
        (ContentFiltered("guardrail_intervened"), PERMANENT, "refused"),
        (Stopped("refusal"), PERMANENT, "refused"),
        (Stopped("model_context_window_exceeded"), PERMANENT, "too_long"),
    ],
    ids=repr,
)
def test_what_the_provider_does_is_a_failure_of_its_kind_after_one_attempt(
    bedrock: FakeBedrock, open_model: OpenModel, outcome: Outcome, kind: FailureKind, code: str
) -> None:
    bedrock.script(outcome)

    answer = ask(open_model())

    assert isinstance(answer, ModelFailure)
    assert (answer.kind, answer.code) == (kind, code), answer
    assert "\n" not in answer.message
    assert bedrock.counters().calls == 1


def test_a_throttle_says_when_to_come_back(bedrock: FakeBedrock, open_model: OpenModel) -> None:
    bedrock.script(Throttle(retry_after=7))

    answer = ask(open_model())

    assert isinstance(answer, ModelFailure)
    assert answer.retry_after == 7


def test_nobody_listening_is_a_transient_failure(open_model: OpenModel) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        answer = ask(open_model(endpoint_url=f"http://127.0.0.1:{taken.getsockname()[1]}"))

    assert isinstance(answer, ModelFailure)
    assert (answer.kind, answer.code) == (TRANSIENT, "connection")


def test_a_response_that_does_not_come_in_time_is_a_transient_failure(
    bedrock: FakeBedrock, open_model: OpenModel
) -> None:
    bedrock.latency(600)

    started = time.monotonic()
    answer = ask(open_model(timeout_seconds=0.1))

    assert time.monotonic() - started < 60
    assert isinstance(answer, ModelFailure)
    assert (answer.kind, answer.code) == (TRANSIENT, "timeout")


def test_a_connection_that_was_dropped_is_not_used_again(bedrock: FakeBedrock, open_model: OpenModel) -> None:
    model = open_model()
    bedrock.script(Drop(after_bytes=5), times=1)

    assert isinstance(ask(model), ModelFailure)
    assert isinstance(judged(ask(model)), Judgement)


def test_no_message_shows_a_secret(bedrock: FakeBedrock, open_model: OpenModel) -> None:
    message = (
        "'Bearer bedrock-api-key-c2VjcmV0' not a valid key=value pair in Authorization header: AKIAFAKEFAKEFAKEFAKE"
    )
    bedrock.script(AwsError(403, "IncompleteSignatureException", message))

    answer = ask(open_model())

    assert isinstance(answer, ModelFailure)
    assert answer.code == "credentials"
    assert "c2VjcmV0" not in answer.message
    assert "AKIA" not in answer.message


@pytest.mark.parametrize(
    "wrong", [{"endpoint_url": "not a url"}, {"region": "not a region", "endpoint_url": None}], ids=repr
)
def test_a_wrong_endpoint_or_region_stops_the_start(open_model: OpenModel, wrong: dict[str, str | None]) -> None:
    with pytest.raises(SettingsError, match=r"not a (url|region)"):
        open_model(**wrong)
