"""What the OpenAPI document says of each route beyond its parameters: the event in the body, errors, examples."""

from http import HTTPStatus
from typing import Any

from eval_worker.doors.http_api.wire import ErrorReply

Responses = dict[int | str, dict[str, Any]]

_ERRORS = {
    HTTPStatus.BAD_REQUEST: ("What was sent is wrong; the error names the field.", "interaction.answer: is required"),
    HTTPStatus.UNAUTHORIZED: (
        "API_KEYS is set, and none of the keys was shown.",
        "no API key: send one as Authorization: Bearer … or X-API-Key: …",
    ),
    HTTPStatus.REQUEST_TIMEOUT: ("The body came too slowly.", "payload: only 17 bytes of it came within 31 s"),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: (
        "The body is larger than MAX_EVENT_BYTES.",
        "payload: is more than MAX_EVENT_BYTES (1048576 bytes)",
    ),
    HTTPStatus.FORBIDDEN: (
        "Without API_KEYS: another site's page asks, or it is asked for by a name that is not this machine's.",
        "a page of 'https://example.com' may not ask this server: set API_KEYS and send one",
    ),
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: (
        "The body is compressed.",
        "payload: Content-Encoding 'gzip' is not read here",
    ),
    HTTPStatus.UNPROCESSABLE_ENTITY: (
        "Every judge failed on this event, and would again.",
        "no judge could score this event: the input is too long for the model",
    ),
    HTTPStatus.TOO_MANY_REQUESTS: (
        "CONCURRENCY events are being judged and API_WAITING more wait.",
        "the server is full: 272 events wait or are being judged",
    ),
    HTTPStatus.INTERNAL_SERVER_ERROR: (
        "A bug; the server's log has it.",
        "internal error: the server's log says more",
    ),
    HTTPStatus.SERVICE_UNAVAILABLE: (
        "What is needed for an answer can't be used now.",
        "the judge model can't be used now: throttled: too many requests",
    ),
    HTTPStatus.GATEWAY_TIMEOUT: (
        "No answer came in time.",
        "the judge model gave no answer in time: no answer within 15 s",
    ),
}
_COME_BACK = {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT}
BODY_ERRORS = (400, 401, 408, 413, 415, 429, 500)
"""What every route with an event in its body may answer."""

GOOD_ANSWER: dict[str, Any] = {
    "event_id": "evt-001",
    "event_type": "agent_response",
    "agent": {"name": "my-agent", "type": "rag", "version": "1.0.0"},
    "interaction": {
        "user_query": "What is the capital of France?",
        "context": "France is a country in Western Europe. Its capital city is Paris.",
        "answer": "The capital of France is Paris.",
    },
}
RUBBISH: dict[str, Any] = {
    "event_id": "evt-002",
    "interaction": {"user_query": "Explain the theory of relativity in detail", "answer": "ok"},
}
CONVERSATIONS: dict[str, Any] = {
    "event_id": "evt-003",
    "event_type": "agent_conversation",
    "datasets": [
        {
            "session_id": "conversation-1",
            "assistant_id": "my-agent",
            "conversation": [
                {
                    "qa_id": "capital",
                    "query": "What is the capital of France?",
                    "assistant": "The capital of France is Paris.",
                    "ground_truth_assistant": "Paris",
                }
            ],
        }
    ],
    "config": {"k": 3},
}
_SAID: dict[str, Any] = {
    "event_type": "agent_response",
    "model": "offline",
    "judges_digest": "sha256:25b1…",
    "usage": {"llm_calls": 0, "input_tokens": 0, "output_tokens": 0, "cost_usd": None},
    "schema": 1,
    "evaluated_at": "2026-01-01T00:00:00Z",
}
_STAGES: list[dict[str, Any]] = [
    {"name": name, "score": score, "reason": reason, "duration_ns": duration_ns, "status": "ok"}
    for name, score, reason, duration_ns in (
        ("length-checker", 1.0, "answer is 31 characters to the query's 30", 12_500),
        ("overlap-checker", 1.0, "shares 2 of the query's 2 keywords", 8_200),
        ("format-checker", 1.0, "well formed", 5_100),
        ("relevance-judge", 0.97, "the answer speaks of what the query asks", 820_000_000),
        ("faithfulness-judge", 1.0, "every claim stands in the context", 910_000_000),
    )
]
_VERDICT = {"verdict": "pass", "early_exit": False, "partial": False, "agent": GOOD_ANSWER["agent"]}
EVALUATED: dict[str, Any] = {"id": "evt-001", "stages": _STAGES, "confidence": 0.99, **_VERDICT, **_SAID}
JUDGED_ALONE: dict[str, Any] = {**EVALUATED, "stages": _STAGES[3:4], "confidence": 0.97}


def answer_event_body(**examples: dict[str, Any]) -> dict[str, Any]:
    """The `openapi_extra` of a route that reads an event about one answer, byte by byte."""
    return json_body(["Event"], examples)


def any_event_body(**examples: dict[str, Any]) -> dict[str, Any]:
    """The `openapi_extra` of a route that reads events of every kind."""
    return json_body(["Event", "ConversationEvent"], examples)


def json_body(schemas: list[str], examples: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The `openapi_extra` of a route that reads a body of one of these schemas by itself."""
    references = [{"$ref": f"#/components/schemas/{schema}"} for schema in schemas]
    described = references[0] if len(references) == 1 else {"anyOf": references}
    shown = {name: {"value": value} for name, value in examples.items()}
    return {
        "requestBody": {"required": True, "content": {"application/json": {"schema": described, "examples": shown}}}
    }


def ok(model: type[Any], description: str, example: Any, status: int = 200) -> Responses:
    return {status: {"model": model, "description": description, **_content(example)}}


def errors(*statuses: int, **described: str) -> Responses:
    """The errors of a route; `described` says of one (`s404="…"`) what it means here."""
    return {status: _error(HTTPStatus(status), described.get(f"s{status}")) for status in statuses}


def _error(status: HTTPStatus, here: str | None) -> dict[str, Any]:
    description, example = usual(status)
    return refusal(status, ErrorReply, here or description, {"error": example})


def usual(status: HTTPStatus) -> tuple[str, str]:
    """What a status means unless a route says otherwise, and an error that goes with it."""
    return _ERRORS.get(status, (status.phrase, status.phrase))


def refusal(status: HTTPStatus, model: type[Any], description: str, example: dict[str, Any]) -> dict[str, Any]:
    """One error of a route, in the form of this model."""
    document = {"model": model, "description": description, **_content(example)}
    if status in _COME_BACK:
        seconds = {"description": "After how many seconds to try again.", "schema": {"type": "string"}}
        document["headers"] = {"Retry-After": seconds}
    return document


def _content(example: Any) -> dict[str, Any]:
    return {"content": {"application/json": {"example": example}}}
