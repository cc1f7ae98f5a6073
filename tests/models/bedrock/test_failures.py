"""Which failure is whose, by what botocore raises."""

from typing import Any

import pytest
from botocore import exceptions as boto
from botocore.exceptions import ClientError
from botocore.parsers import ResponseParserError

from eval_worker.evaluation.judges.model import FailureKind
from eval_worker.models.bedrock.failures import classify, refuses_temperature

TRANSIENT, PERMANENT, OUTAGE = FailureKind.TRANSIENT, FailureKind.PERMANENT, FailureKind.OUTAGE
URL = "https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse"
VALIDATION = "ValidationException"


def service_error(
    status: int, error_type: str, message: str = "", operation: str = "Converse", **headers: str
) -> ClientError:
    response: Any = {
        "Error": {"Code": error_type, "Message": message},
        "ResponseMetadata": {
            "HTTPStatusCode": status,
            "HTTPHeaders": {name.replace("_", "-"): value for name, value in headers.items()},
        },
    }
    return ClientError(response, operation)


@pytest.mark.parametrize(
    ("status", "error_type", "message", "kind", "code"),
    [
        (429, "ThrottlingException", "Too many tokens, please wait", TRANSIENT, "throttled"),
        (429, "TooManyRequestsException", "", TRANSIENT, "throttled"),
        (400, "ThrottlingException", "Rate exceeded", TRANSIENT, "throttled"),
        (400, "ServiceQuotaExceededException", "", TRANSIENT, "throttled"),
        (429, "ModelNotReadyException", "The model is not ready", TRANSIENT, "throttled"),
        (429, "429", "Too Many Requests", TRANSIENT, "throttled"),
        (408, "ModelTimeoutException", "", TRANSIENT, "timeout"),
        (408, "408", "", TRANSIENT, "timeout"),
        (424, "ModelErrorException", "", TRANSIENT, "server_error"),
        (500, "InternalServerException", "", TRANSIENT, "server_error"),
        (503, "ServiceUnavailableException", "Bedrock is unable to process your request.", TRANSIENT, "server_error"),
        (502, "502", "Bad Gateway", TRANSIENT, "server_error"),
        (529, "OverloadedException", "", TRANSIENT, "server_error"),
        (400, "400", "<html>a proxy</html>", TRANSIENT, "bad_response"),
        (403, "AccessDeniedException", "User is not authorized to perform", OUTAGE, "access_denied"),
        (403, "403", "Forbidden", OUTAGE, "access_denied"),
        (403, "UnrecognizedClientException", "The security token is invalid", OUTAGE, "credentials"),
        (403, "ExpiredTokenException", "expired", OUTAGE, "credentials"),
        (403, "InvalidSignatureException", "The signature does not match", OUTAGE, "credentials"),
        (403, "SignatureDoesNotMatch", "", OUTAGE, "credentials"),
        (401, "401", "", OUTAGE, "credentials"),
        (402, "402", "Payment Required", OUTAGE, "billing"),
        (403, "AccessDeniedException", "INVALID_PAYMENT_INSTRUMENT: a valid one is needed", OUTAGE, "billing"),
        (403, "AccessDeniedException", "required actions (aws-marketplace:Subscribe)", OUTAGE, "billing"),
        (403, "AccessDeniedException", "You don't have access to the model with that ID.", OUTAGE, "model_access"),
        (404, "ResourceNotFoundException", "Model use case details have not been submitted", OUTAGE, "model_access"),
        (400, VALIDATION, "Operation not allowed", OUTAGE, "model_access"),
        (404, "ResourceNotFoundException", "Could not resolve the foundation model", OUTAGE, "model_not_found"),
        (404, "ResourceNotFoundException", "This Model is marked by provider as Legacy", OUTAGE, "model_not_found"),
        (404, "ResourceNotFoundException", "has reached the end of its life", OUTAGE, "model_not_found"),
        (404, "UnknownOperationException", "", OUTAGE, "model_not_found"),
        (400, VALIDATION, "The provided model identifier is invalid.", OUTAGE, "model_not_found"),
        (400, VALIDATION, "model ID m with on-demand throughput isn’t supported.", OUTAGE, "model_not_found"),
        (
            400,
            VALIDATION,
            "This model doesn't support the toolConfig.toolChoice.tool field.",
            OUTAGE,
            "output_unsupported",
        ),
        (400, VALIDATION, "This model doesn't support tool use.", OUTAGE, "output_unsupported"),
        (400, VALIDATION, "output_config.format: Extra inputs are not permitted", OUTAGE, "output_unsupported"),
        (400, VALIDATION, "Thinking may not be enabled when tool_choice forces tool use", OUTAGE, "output_unsupported"),
        (400, VALIDATION, "The maximum tokens you requested exceeds the model limit of 4096.", OUTAGE, "max_tokens"),
        (400, VALIDATION, "Input is too long for requested model.", PERMANENT, "too_long"),
        (400, VALIDATION, "prompt is too long: 200049 tokens > 200000 maximum", PERMANENT, "too_long"),
        (413, "RequestEntityTooLarge", "", PERMANENT, "too_long"),
        (400, VALIDATION, "messages.0.content: something is wrong", PERMANENT, "invalid_request"),
        (418, "TeapotException", "short and stout", PERMANENT, "invalid_request"),
    ],
)
def test_an_error_response_is_classified(
    status: int, error_type: str, message: str, kind: FailureKind, code: str
) -> None:
    failure = classify(service_error(status, error_type, message))

    assert (failure.kind, failure.code) == (kind, code)
    assert error_type in failure.message


@pytest.mark.parametrize(
    ("error", "kind", "code"),
    [
        (boto.ReadTimeoutError(endpoint_url=URL), TRANSIENT, "timeout"),
        (boto.ConnectTimeoutError(endpoint_url=URL), TRANSIENT, "timeout"),
        (boto.EndpointConnectionError(endpoint_url=URL), TRANSIENT, "connection"),
        (boto.ConnectionClosedError(endpoint_url=URL), TRANSIENT, "connection"),
        (boto.ProxyConnectionError(proxy_url=URL), TRANSIENT, "connection"),
        (boto.ResponseStreamingError(error="IncompleteRead(10 bytes read)"), TRANSIENT, "connection"),
        (boto.IncompleteReadError(actual_bytes=1, expected_bytes=2), TRANSIENT, "connection"),
        (boto.HTTPClientError(error="whatever"), TRANSIENT, "connection"),
        (boto.SSLError(endpoint_url=URL, error="unexpected EOF"), TRANSIENT, "connection"),
        (ConnectionResetError(104, "reset by peer"), TRANSIENT, "connection"),
        (ResponseParserError("Invalid service response"), TRANSIENT, "bad_response"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"), TRANSIENT, "bad_response"),
        (AttributeError("'list' object has no attribute 'get'"), TRANSIENT, "bad_response"),
        (boto.SSLError(endpoint_url=URL, error="CERTIFICATE_VERIFY_FAILED"), OUTAGE, "tls"),
        (boto.NoCredentialsError(), OUTAGE, "credentials"),
        (boto.PartialCredentialsError(provider="env", cred_var="AWS_SECRET_ACCESS_KEY"), OUTAGE, "credentials"),
        (boto.CredentialRetrievalError(provider="sso", error_msg="denied"), OUTAGE, "credentials"),
        (boto.TokenRetrievalError(provider="sso", error_msg="expired"), OUTAGE, "credentials"),
        (boto.UnauthorizedSSOTokenError(), OUTAGE, "credentials"),
        (boto.SSOTokenLoadError(error_msg="missing"), OUTAGE, "credentials"),
        (boto.ProfileNotFound(profile="nobody"), OUTAGE, "configuration"),
        (boto.NoRegionError(), OUTAGE, "configuration"),
        (boto.EndpointResolutionError(msg="Invalid Configuration"), OUTAGE, "configuration"),
        (boto.InvalidRegionError(region_name="nowhere!"), OUTAGE, "configuration"),
        (boto.ParamValidationError(report='Unknown parameter in input: "outputConfig"'), OUTAGE, "output_unsupported"),
        (boto.ParamValidationError(report="Invalid length for parameter"), PERMANENT, "invalid_request"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)
def test_an_error_without_a_response_is_classified(error: Exception, kind: FailureKind, code: str) -> None:
    failure = classify(error)

    assert (failure.kind, failure.code) == (kind, code)
    assert "\n" not in failure.message


@pytest.mark.parametrize("operation", ["AssumeRole", "GetRoleCredentials"])
def test_a_refusal_by_the_services_that_give_credentials_is_an_outage(operation: str) -> None:
    failure = classify(service_error(400, "ValidationError", "Request ARN is invalid", operation))

    assert (failure.kind, failure.code) == (OUTAGE, "credentials")
    assert operation in failure.message


def test_a_throttle_by_the_services_that_give_credentials_is_transient() -> None:
    assert classify(service_error(400, "Throttling", "Rate exceeded", "AssumeRole")).kind is TRANSIENT


def test_a_clock_that_is_off_is_named() -> None:
    failure = classify(service_error(403, "InvalidSignatureException", "Signature expired: 20250101T000000Z is now"))

    assert (failure.kind, failure.code) == (OUTAGE, "credentials")
    assert "clock" in failure.message


@pytest.mark.parametrize(
    ("error_type", "status", "message", "advice"),
    [
        ("AccessDeniedException", 403, "no", "bedrock:InvokeModel"),
        ("ValidationException", 400, "The provided model identifier is invalid.", "CLAUDE_MODEL_ID"),
        ("ValidationException", 400, "This model doesn't support tool use.", "JUDGE_OUTPUT"),
        ("402", 402, "", "payment"),
    ],
)
def test_an_outage_says_what_to_do(error_type: str, status: int, message: str, advice: str) -> None:
    assert advice in classify(service_error(status, error_type, message)).message


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after": "3"}, 3.0),
        ({"retry_after": "1.5"}, 1.5),
        ({"x_amz_retry_after": "2500"}, 2.5),
        ({"retry_after": "Thu, 01 Jan 2026 00:00:10 GMT", "date": "Thu, 01 Jan 2026 00:00:02 GMT"}, 8.0),
        ({"retry_after": "Thu, 01 Jan 2026 00:00:00 GMT", "date": "Thu, 01 Jan 2026 00:00:02 GMT"}, 0.0),
        ({"retry_after": "Thu, 01 Jan 2026 00:00:10 GMT"}, None),
        ({"retry_after": "-3"}, None),
        ({"retry_after": "nan"}, None),
        ({"retry_after": "9" * 400}, None),
        ({"x_amz_retry_after": "9" * 400}, None),
        ({"retry_after": "inf"}, None),
        ({"retry_after": "soon"}, None),
        ({}, None),
    ],
)
def test_when_to_come_back_is_read_from_the_response(headers: dict[str, str], seconds: float | None) -> None:
    assert classify(service_error(429, "ThrottlingException", "", **headers)).retry_after == seconds


@pytest.mark.parametrize(
    "secret",
    [
        "AKIAIOSFODNN7EXAMPLE",
        "ASIAIOSFODNN7EXAMPLE",
        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "bedrock-api-key-YmVkcm9jaw==",
        "ABSKQmVkcm9ja0FQSUtleS1=",
    ],
)
@pytest.mark.parametrize(
    "text",
    ["{} is invalid", "Authorization: AWS4 {}", "Bearer {}, sorry", "Credential={}, x", "Signature={}&x", "'{}'"],
)
def test_no_message_shows_a_secret(text: str, secret: str) -> None:
    for error in (service_error(403, "AccessDeniedException", text.format(secret)), OSError(text.format(secret))):
        assert secret not in classify(error).message


def test_a_password_in_an_endpoint_is_not_shown() -> None:
    failure = classify(boto.EndpointConnectionError(endpoint_url="https://me:hunter2@proxy.example/model"))

    assert "hunter2" not in failure.message
    assert "proxy.example" in failure.message


def test_a_model_and_a_role_are_not_taken_for_secrets() -> None:
    text = (
        "User: arn:aws:sts::123456789012:assumed-role/eval-worker/i-0123456789abcdef0 is not authorized to perform: "
        "bedrock:InvokeModel on resource: arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-3-5-haiku-v1:0"
    )

    assert text in classify(service_error(403, "AccessDeniedException", text)).message


def test_a_long_message_is_cut_to_one_line() -> None:
    message = classify(service_error(400, VALIDATION, "a b\n" * 10_000)).message

    assert len(message) < 400
    assert "\n" not in message


@pytest.mark.parametrize(
    ("error", "refused"),
    [
        (service_error(400, VALIDATION, "`temperature` is deprecated for this model."), True),
        (service_error(400, VALIDATION, "Temperature is not supported"), True),
        (service_error(400, VALIDATION, "Input is too long"), False),
        (service_error(429, "ThrottlingException", "temperature"), False),
    ],
)
def test_a_refused_temperature_is_recognised(error: ClientError, refused: bool) -> None:
    assert refuses_temperature(error) is refused
