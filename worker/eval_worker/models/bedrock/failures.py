"""Which failure of Bedrock is whose: nobody's for long, the event's own, or everyone's until somebody acts."""

from collections.abc import Mapping
from typing import Any

from botocore import exceptions as boto
from botocore.exceptions import ClientError

from eval_worker.evaluation.judges.model import FailureKind, ModelFailure
from eval_worker.models.provider_failures import (
    CLIENT_ERRORS,
    SERVER_ERRORS,
    ServiceRule,
    any_of,
    bad_response,
    one_line,
    retry_after_seconds,
)

TRANSIENT, PERMANENT, OUTAGE = FailureKind.TRANSIENT, FailureKind.PERMANENT, FailureKind.OUTAGE

# In order, the first that matches counts. What needs no reading of texts goes first: texts may quote the event.
_SERVICE_RULES = (
    ServiceRule(
        TRANSIENT,
        "throttled",
        "Bedrock throttles these calls",
        types=frozenset(
            {
                "ThrottlingException",
                "Throttling",
                "ThrottledException",
                "TooManyRequestsException",
                "RequestLimitExceeded",
                "ServiceQuotaExceededException",
                "ModelNotReadyException",
                "SlowDown",
            }
        ),
        statuses=frozenset({429}),
    ),
    ServiceRule(
        TRANSIENT,
        "timeout",
        "the model took too long",
        types=frozenset({"ModelTimeoutException", "RequestTimeout", "RequestTimeoutException"}),
        statuses=frozenset({408}),
    ),
    ServiceRule(
        TRANSIENT,
        "server_error",
        "Bedrock failed",
        types=frozenset({"ModelErrorException", "InternalServerException", "ServiceUnavailableException"}),
        statuses=frozenset({424, *SERVER_ERRORS}),
    ),
    ServiceRule(
        OUTAGE,
        "credentials",
        "AWS refuses the signature as out of time: set this machine's clock",
        types=frozenset({"RequestExpired", "RequestTimeTooSkewed", "InvalidSignatureException"}),
        says=any_of("expired", "not yet current", "skew"),
    ),
    ServiceRule(
        OUTAGE,
        "credentials",
        "AWS does not accept these credentials: renew or correct them",
        types=frozenset(
            {
                "AuthFailure",
                "ExpiredToken",
                "ExpiredTokenException",
                "IncompleteSignature",
                "IncompleteSignatureException",
                "InvalidAccessKeyId",
                "InvalidClientTokenId",
                "InvalidSignatureException",
                "InvalidToken",
                "MissingAuthenticationToken",
                "MissingAuthenticationTokenException",
                "RequestExpired",
                "RequestTimeTooSkewed",
                "SignatureDoesNotMatch",
                "TokenRefreshRequired",
                "UnauthorizedException",
                "UnauthorizedSSOToken",
                "UnrecognizedClientException",
            }
        ),
        statuses=frozenset({401, 407}),
    ),
    ServiceRule(
        OUTAGE,
        "billing",
        "AWS does not bill this account for the model: check its payment method and Marketplace subscription",
        statuses=frozenset({402}),
    ),
    ServiceRule(
        OUTAGE,
        "billing",
        "AWS does not bill this account for the model: check its payment method and Marketplace subscription",
        statuses=frozenset({400, 403, 404}),
        says=any_of(r"INVALID_PAYMENT_INSTRUMENT", r"payment instrument", r"aws-marketplace:", r"Marketplace subscri"),
    ),
    ServiceRule(
        OUTAGE,
        "model_access",
        "this account may not use the model yet: request access to it in the Bedrock console of this region",
        statuses=frozenset({400, 403, 404}),
        says=any_of(
            r"use case details",
            r"don't have access to the model",
            r"model access is denied",
            r"access to (this|the) model (is|has) not",
            r"not been enabled",
            r"^Operation not allowed",
        ),
    ),
    ServiceRule(
        OUTAGE,
        "model_not_found",
        "Bedrock does not serve this model here: correct CLAUDE_MODEL_ID (or the judge's model_id) and AWS_REGION",
        statuses=frozenset({400, 403, 404}),
        says=any_of(
            r"model identifier is invalid",
            r"on-demand throughput",
            r"marked by provider as Legacy",
            r"end of its life",
            r"model (version )?(is|has been|was) (deprecated|retired|removed)",
            r"model is not supported in (this|the) region",
            r"inference profile .{0,200}(not found|does not exist|invalid)",
        ),
    ),
    ServiceRule(
        OUTAGE,
        "output_unsupported",
        "the model can't give its output this way: set JUDGE_OUTPUT to text, or to tool or native if it has those",
        statuses=frozenset({400}),
        says=any_of(
            r"doesn[’']t support (the )?(tool|outputConfig|structured output)",
            r"does not support (the )?(tool|outputConfig|structured output)",
            r"(tool_choice|toolChoice|toolConfig|output_?config)\S* .{0,80}(not (supported|permitted)|unsupported)",
            r"output_config\S*: Extra inputs are not permitted",
            r"Thinking may not be enabled when tool_choice forces",
        ),
    ),
    ServiceRule(
        OUTAGE,
        "max_tokens",
        "the model can't write that many tokens: lower the judge's max_tokens in the judges file",
        statuses=frozenset({400}),
        says=any_of(r"maximum tokens you requested exceeds?", r"max_tokens: .{0,40}> .{0,40}maximum"),
    ),
    ServiceRule(
        OUTAGE,
        "access_denied",
        "AWS denies the call: allow bedrock:InvokeModel on this model and enable the model in this region",
        types=frozenset({"AccessDeniedException", "AccessDenied", "NotAuthorized", "OptInRequired"}),
        statuses=frozenset({403}),
    ),
    ServiceRule(
        OUTAGE,
        "model_not_found",
        "Bedrock finds no such model: correct CLAUDE_MODEL_ID (or the judge's model_id), AWS_REGION or the endpoint",
        types=frozenset({"ResourceNotFoundException"}),
        statuses=frozenset({404}),
    ),
    ServiceRule(PERMANENT, "too_long", "the event is too long for the model", statuses=frozenset({413})),
    ServiceRule(
        PERMANENT,
        "too_long",
        "the event is too long for the model",
        statuses=frozenset({400}),
        says=any_of(
            r"(input|prompt|request) is too (long|large)",
            r"too many (input )?tokens",
            r"context (window|length|limit)",
            r"exceeds? the (maximum|model).{0,60}(token|length|context)",
        ),
    ),
)

_CREDENTIAL_ERRORS = (
    boto.NoCredentialsError,
    boto.PartialCredentialsError,
    boto.CredentialRetrievalError,
    boto.UnknownCredentialError,
    boto.NoAuthTokenError,
    boto.TokenRetrievalError,
    boto.UnknownTokenProviderError,
    boto.RefreshWithMFAUnsupportedError,
    boto.MetadataRetrievalError,
    boto.SSOError,
    getattr(boto, "LoginError", boto.SSOError),  # newer than the oldest boto3 that we take
)
_CONFIGURATION_ERRORS = (
    boto.BaseEndpointResolverError,
    boto.ConfigNotFound,
    boto.ConfigParseError,
    boto.EndpointProviderError,
    boto.InvalidConfigError,
    boto.InvalidEndpointConfigurationError,
    boto.InvalidRegionError,
    boto.MissingDependencyException,
    boto.ProfileNotFound,
    boto.ServiceNotInRegionError,
    boto.UnknownRegionError,
)
# Before or instead of a response; in order, for some are subclasses of others.
_LOCAL_RULES: tuple[tuple[tuple[type[Exception], ...], FailureKind, str, str], ...] = (
    ((boto.ReadTimeoutError, boto.ConnectTimeoutError), TRANSIENT, "timeout", "Bedrock did not answer in time"),
    (
        (boto.ConnectionError, boto.HTTPClientError, boto.IncompleteReadError, OSError),
        TRANSIENT,
        "connection",
        "the connection to Bedrock failed",
    ),
    (
        _CREDENTIAL_ERRORS,
        OUTAGE,
        "credentials",
        "there are no AWS credentials to call Bedrock with: configure or renew",
    ),
    (_CONFIGURATION_ERRORS, OUTAGE, "configuration", "the AWS configuration is wrong: correct it"),
    ((boto.ParamValidationError,), PERMANENT, "invalid_request", "the request is not one that Bedrock takes"),
)


def classify(error: Exception) -> ModelFailure:
    """Say whose failure an exception out of boto3 is.

    The message is one line without secrets. An exception that is no known one counts as a response that can't be
    read: botocore's parser fails in many ways on bytes that are no Converse response.
    """
    if isinstance(error, ClientError):
        return _classify_response(error)
    detail = one_line(f"{type(error).__name__}: {error}")
    if isinstance(error, boto.SSLError) and "certificate" in detail.lower():
        return ModelFailure(
            OUTAGE, "tls", f"the endpoint's certificate is not trusted: set AWS_CA_BUNDLE or the endpoint ({detail})"
        )
    if isinstance(error, boto.ParamValidationError) and "outputConfig" in detail:
        return ModelFailure(
            OUTAGE, "output_unsupported", f"JUDGE_OUTPUT=native needs boto3 1.42.42 or newer: upgrade it ({detail})"
        )
    for types, kind, code, meaning in _LOCAL_RULES:
        if isinstance(error, types):
            return ModelFailure(kind, code, f"{meaning} ({detail})")
    return bad_response(detail)


def refuses_temperature(error: ClientError) -> bool:
    """Whether the model takes no temperature, as newer Claude models do not."""
    error_type, _status, text = _parts(error)
    return error_type == "ValidationException" and "temperature" in text.lower()


def refuses_prompt_caching(error: ClientError) -> bool:
    """Whether the model takes no cache points; some say so as if access to the model were denied."""
    error_type, _status, text = _parts(error)
    said = text.lower()
    return error_type in {"ValidationException", "AccessDeniedException"} and (
        "cachepoint" in said or "prompt caching" in said
    )


def _classify_response(error: ClientError) -> ModelFailure:
    error_type, status, text = _parts(error)
    detail = one_line(f"{error_type}: {text}")
    retry_after = retry_after_seconds(_headers(error))
    for rule in _SERVICE_RULES:
        if rule.matches({error_type}, status, text):
            return ModelFailure(rule.kind, rule.code, f"{rule.meaning} ({detail})", retry_after)
    operation: str = error.operation_name  # pyright: ignore[reportUnknownMemberType]  # botocore ships no types
    if operation != "Converse":  # boto3 calls STS and SSO by itself, for credentials
        return ModelFailure(OUTAGE, "credentials", f"AWS gives no credentials on {operation} ({detail})")
    if status in CLIENT_ERRORS and not error_type.isdecimal():
        return ModelFailure(PERMANENT, "invalid_request", f"Bedrock refuses this request ({detail})")
    return bad_response(detail)  # without a type it is no word of AWS, but of something in between


def _parts(error: ClientError) -> tuple[str, int, str]:
    response: Mapping[str, Any] = error.response
    told: Mapping[str, Any] = response.get("Error", {})
    status: Any = response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    return str(told.get("Code", "")), status, str(told.get("Message", ""))


def _headers(error: ClientError) -> Mapping[str, str]:
    response: Mapping[str, Any] = error.response
    return response.get("ResponseMetadata", {}).get("HTTPHeaders", {})
