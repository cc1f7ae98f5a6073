"""Which failure of a chat model is whose.

It is told by what the exceptions of all providers share, a status, a code, a response and the names of their classes,
so that no provider's package is imported.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from eval_worker.evaluation.judges.model import FailureKind, ModelFailure, ModelReply, Usage
from eval_worker.models.langchain.response import CUT_OFF, token_count
from eval_worker.models.provider_failures import (
    CLIENT_ERRORS,
    SERVER_ERRORS,
    ServiceRule,
    any_of,
    bad_response,
    one_line,
    retry_after_seconds,
)
from eval_worker.redaction import Redact

TRANSIENT, PERMANENT, OUTAGE = FailureKind.TRANSIENT, FailureKind.PERMANENT, FailureKind.OUTAGE

_LONGEST_CHAIN = 10
_STATUSES = range(100, 600)
_NO_HEADERS: Mapping[str, str] = {}
# Of exceptions that carry no HTTP status: gRPC's codes, and LangChain's own classes for errors of every provider.
_STATUS_BY_NAME = {
    "INVALID_ARGUMENT": 400,
    "FAILED_PRECONDITION": 400,
    "UNAUTHENTICATED": 401,
    "PERMISSION_DENIED": 403,
    "NOT_FOUND": 404,
    "RESOURCE_EXHAUSTED": 429,
    "INTERNAL": 500,
    "UNAVAILABLE": 503,
    "DEADLINE_EXCEEDED": 504,
    "ModelInvalidRequestError": 400,
    "ModelAuthenticationError": 401,
    "ModelPermissionDeniedError": 403,
    "ModelNotFoundError": 404,
    "ModelRateLimitError": 429,
    "ModelAPIError": 500,
}
_TIMEOUTS = frozenset(
    {"APITimeoutError", "ModelTimeoutError", "ServerTimeoutError", "Timeout", "TimeoutError", "TimeoutException"}
)
_CONNECTIONS = frozenset(
    {"APIConnectionError", "ClientConnectionError", "ModelConnectionError", "OSError", "TransportError"}
)
_CREDENTIALS = frozenset({"DefaultCredentialsError", "NoCredentialsError", "RefreshError"})
_CUT_OFF = frozenset({"LengthFinishReasonError"})
_REFUSED = frozenset({"ContentFilterFinishReasonError", "OpenAIRefusalError"})
# Groq validates what its models generate, and refuses with these where it does not fit.
_UNFIT_OUTPUT = frozenset({"json_validate_failed", "tool_use_failed"})
_OF_ANOTHER_LOOP = any_of("event loop is closed", "different (event )?loop")

# In order, the first that matches counts. What needs no reading of texts goes first: texts may quote the event.
_RULES_BY_CODE = (
    ServiceRule(
        OUTAGE,
        "billing",
        "the provider's account has no credit or quota left: check its billing",
        types=frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "billing_error"}),
        statuses=frozenset({402}),
    ),
    ServiceRule(
        TRANSIENT,
        "throttled",
        "the provider throttles these calls",
        types=frozenset({"overloaded_error"}),
        statuses=frozenset({429, 498, 529}),
    ),
    ServiceRule(TRANSIENT, "timeout", "the model took too long", statuses=frozenset({408, 504})),
    ServiceRule(
        TRANSIENT, "server_error", "the provider failed", statuses=frozenset({409, 424, 425, 499, *SERVER_ERRORS})
    ),
    ServiceRule(
        OUTAGE,
        "credentials",
        "the provider does not accept this API key: renew or correct it",
        types=frozenset({"invalid_api_key", "API_KEY_INVALID"}),
        statuses=frozenset({401, 407}),
    ),
    ServiceRule(
        PERMANENT,
        "too_long",
        "the event is too long for the model",
        types=frozenset({"context_length_exceeded", "request_too_large", "ContextOverflowError"}),
        statuses=frozenset({413}),
    ),
    ServiceRule(
        PERMANENT,
        "refused",
        "the provider's content filter refused this",
        types=frozenset({"content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation"}),
    ),
    ServiceRule(
        OUTAGE,
        "model_not_found",
        "the provider does not serve this model: correct the parameter model, or the base URL",
        types=frozenset({"model_not_found", "model_decommissioned", "model_not_available"}),
        statuses=frozenset({404, 405, 410}),
    ),
    ServiceRule(
        OUTAGE,
        "access_denied",
        "the provider denies this account the call: give its key access to the model",
        statuses=frozenset({403}),
    ),
)
# Of a request, what the event fills; a refusal of any other parameter would hit every event.
_EVENTS_OWN = frozenset({"contents", "input", "messages", "prompt"})
_OUTPUT_FORM = frozenset({"response_format", "text", "tool_choice", "tools"})
_RULES_BY_TEXT = (
    ServiceRule(
        OUTAGE,
        "billing",
        "the provider's account has no credit or quota left: check its billing",
        statuses=frozenset({400}),
        says=any_of(r"credit balance is too low"),
    ),
    ServiceRule(
        OUTAGE,
        "credentials",
        "the provider does not accept this API key: renew or correct it",
        statuses=frozenset({400}),
        says=any_of(r"API key (not valid|expired)"),
    ),
    ServiceRule(
        OUTAGE,
        "output_unsupported",
        "the model can't give structured output this way: ask for text instead (JUDGE_OUTPUT=text)",
        statuses=frozenset({400, 422, 501}),
        says=any_of(
            r"does(n[’']t| not) support (the )?(tool|function|response_?format|structured output|json)",
            r"(response_format|tool_choice|tools|json_schema)\S* .{0,80}(not (supported|permitted)|unsupported)",
            r"response_format type is unavailable",
            r"invalid (value: '|parameter: ')?(response_format|tool_choice|tools)\b",
        ),
    ),
    ServiceRule(
        PERMANENT,
        "too_long",
        "the event is too long for the model",
        statuses=frozenset({400, 422}),
        says=any_of(
            r"(input|prompt|request) is too (long|large)",
            r"too many (input )?tokens",
            r"context (window|length|limit|size)",
            r"(maximum|exceeds?).{0,60}(token|context)",
            r"reduce (the|your) (length|prompt|message)",
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class _Told:
    """What an exception, or one that it was raised for, says of a response.

    `is_documented` says that nothing speaks against its being the provider's word: a proxy's page is no JSON.
    """

    status: int
    types: frozenset[str]
    parameter: str
    headers: Mapping[str, str]
    generated: str
    text: str
    is_documented: bool


def classify(error: Exception, redact: Redact) -> ModelFailure | ModelReply:
    """Say whose failure an exception out of a chat model's call is.

    The message is one line without secrets. A provider that refuses its own model's output gives a reply that can't be
    used, so that the model is asked once more. An exception that is no known one counts as a response that can't be
    read: the providers' parsers fail in many ways on what is none.
    """
    chain = list(_chain(error))
    names = frozenset(kind.__name__ for each in chain for kind in type(each).__mro__)
    detail = one_line(f"{type(error).__name__}: {error}", redact)
    if names & _CUT_OFF:
        return ModelReply("", _usage_in(chain), problem=CUT_OFF)
    if names & _REFUSED:
        refused = f"the model or a filter refused to judge this ({detail})"
        return ModelFailure(PERMANENT, "refused", refused, usage=_usage_in(chain))
    told = _told(chain, names)
    if told is not None:
        return _by_response(told, detail)
    return _not_made_for_this(error, detail) or _not_sent(chain, names) or _without_response(names, detail)


def _by_response(told: _Told, detail: str) -> ModelFailure | ModelReply:
    if told.types & _UNFIT_OUTPUT:
        return ModelReply(told.generated, Usage(llm_calls=1), problem="it does not fit the schema")
    return (
        _first_match(_RULES_BY_CODE, told, detail)
        or _refused_parameter(told, detail)
        or _first_match(_RULES_BY_TEXT, told, detail)
        or _refused_request(told, detail)
    )


def _first_match(rules: tuple[ServiceRule, ...], told: _Told, detail: str) -> ModelFailure | None:
    for rule in rules:
        if rule.matches(told.types, told.status, told.text):
            return ModelFailure(rule.kind, rule.code, f"{rule.meaning} ({detail})", retry_after_seconds(told.headers))
    return None


def _refused_parameter(told: _Told, detail: str) -> ModelFailure | None:
    name = re.split(r"[.\[]", told.parameter)[0]
    if told.status not in CLIENT_ERRORS or not name or name in _EVENTS_OWN | _OUTPUT_FORM:
        return None
    return ModelFailure(OUTAGE, "configuration", f"the model refuses the parameter {name[:100]}: correct it ({detail})")


def _refused_request(told: _Told, detail: str) -> ModelFailure:
    if told.status not in CLIENT_ERRORS or not told.is_documented:
        return bad_response(detail)
    return ModelFailure(PERMANENT, "invalid_request", f"the provider refuses this request ({detail})")


def _not_made_for_this(error: Exception, detail: str) -> ModelFailure | None:
    if not isinstance(error, ImportError | NotImplementedError):
        return None
    return ModelFailure(OUTAGE, "configuration", f"the chat model's class can't do what is asked of it ({detail})")


def _not_sent(chain: list[BaseException], names: frozenset[str]) -> ModelFailure | None:
    """Tell calls that can't be made from connections that fail. What the exceptions say may hold the key."""
    if "UnsupportedProtocol" in names:
        return ModelFailure(OUTAGE, "configuration", "the base URL must begin with http:// or https://: correct it")
    if any(map(_is_about_a_header, chain)):
        unfit = "the API key or a header has a line end or another character that HTTP can't carry: correct it"
        return ModelFailure(OUTAGE, "configuration", unfit)
    return None


def _is_about_a_header(error: BaseException) -> bool:
    if isinstance(error, UnicodeEncodeError):
        return error.encoding == "ascii"  # bodies are UTF-8
    return "Illegal header" in str(error) and type(error).__name__ == "LocalProtocolError"


def _without_response(names: frozenset[str], detail: str) -> ModelFailure:
    if "certificate" in detail.lower() or "SSLCertVerificationError" in names:
        return ModelFailure(
            OUTAGE, "tls", f"the provider's certificate is not trusted: set SSL_CERT_FILE or the base URL ({detail})"
        )
    if names & _CREDENTIALS:
        return ModelFailure(OUTAGE, "credentials", f"there are no credentials to call the provider with ({detail})")
    if names & _TIMEOUTS:
        return ModelFailure(TRANSIENT, "timeout", f"the provider did not answer in time ({detail})")
    if names & _CONNECTIONS or _OF_ANOTHER_LOOP.search(detail):
        return ModelFailure(TRANSIENT, "connection", f"the connection to the provider failed ({detail})")
    return bad_response(detail)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield the exception and those it was raised for, which is where a wrapped one has its status."""
    each: BaseException | None = error
    for _ in range(_LONGEST_CHAIN):
        if each is None:
            return
        yield each
        each = each.__cause__ or (None if each.__suppress_context__ else each.__context__)


def _told(chain: list[BaseException], names: frozenset[str]) -> _Told | None:
    statuses = [status for status in map(_status, chain) if status is not None]
    statuses += [status for name, status in _STATUS_BY_NAME.items() if name in names]
    bodies = [body for each in chain for body in _bodies(each)]
    types = names | {
        value
        for source in (*map(_attributes, chain), *bodies)
        for value in (source.get("code"), source.get("type"), source.get("status"))
        if isinstance(value, str)
    }
    if not statuses and "ContextOverflowError" not in names:
        return None
    return _Told(
        status=statuses[0] if statuses else 400,
        types=frozenset(types),
        parameter=next((param for body in bodies if isinstance(param := body.get("param"), str)), ""),
        headers=next((headers for each in chain if (headers := _headers(each))), _NO_HEADERS),
        generated=next((text for body in bodies if isinstance(text := body.get("failed_generation"), str)), ""),
        text="\n".join(map(str, chain)),
        is_documented=not any(isinstance(getattr(each, "body", None), str) for each in chain),
    )


def _status(error: BaseException) -> int | None:
    response = getattr(error, "response", None)
    for source in (error, response):
        for name in ("status_code", "code", "status"):
            value: Any = getattr(source, name, None)
            if isinstance(value, int) and not isinstance(value, bool) and value in _STATUSES:
                return int(value)
            if name == "code" and callable(value) and type(error).__module__.partition(".")[0] == "grpc":
                return _STATUS_BY_NAME.get(getattr(cast("Callable[[], Any]", value)(), "name", ""))
    return None


def _attributes(error: BaseException) -> Mapping[str, Any]:
    return {name: getattr(error, name, None) for name in ("code", "type", "status")}


def _bodies(error: BaseException) -> Iterator[Mapping[str, Any]]:
    """Yield the error document, and the error in it where it has one."""
    for name in ("body", "details"):
        body: Any = getattr(error, name, None)
        if isinstance(body, Mapping):
            document = cast("Mapping[str, Any]", body)
            yield document
            if isinstance(document.get("error"), Mapping):
                yield cast("Mapping[str, Any]", document["error"])


def _headers(error: BaseException) -> Mapping[str, str]:
    headers: Any = getattr(getattr(error, "response", None), "headers", None)
    return cast("Mapping[str, str]", headers) if isinstance(headers, Mapping) else _NO_HEADERS


def _usage_in(chain: list[BaseException]) -> Usage:
    """Return what the openai package's exceptions about a reply's end say that it cost."""
    completion: Any = next(filter(None, (getattr(each, "completion", None) for each in chain)), None)
    counted: Any = getattr(completion, "usage", None)
    read, written = getattr(counted, "prompt_tokens", None), getattr(counted, "completion_tokens", None)
    return Usage(1, token_count(read), token_count(written))
