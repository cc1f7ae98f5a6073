"""The OpenAPI document: what FastAPI finds in the routes, and what it can't find there."""

from collections.abc import Callable, Sequence
from typing import Any

from fastapi import FastAPI

from eval_worker.conversation_event import ConversationEvent
from eval_worker.doors.agentic_run.request import RunDocument
from eval_worker.doors.api_keys import BEARER, HEADER
from eval_worker.doors.http_api.dashboard.wire import LetterIds
from eval_worker.event import Event

_REF = "#/components/schemas/{model}"
_ITS_OWN = ("HTTPValidationError", "ValidationError")
OPEN = {"/api/v1/health", "/api/v1/ready"}
NOT_BLANK = r"\S"


_Step = Callable[[dict[str, Any]], None]


def complete_openapi(app: FastAPI, judge_names: Sequence[str], *, keys: bool) -> None:
    """Lay our own over the app's document, which is made once."""

    def name_judges(document: dict[str, Any]) -> None:
        _name_judges(document, judge_names)

    steps = (_add_event, _add_conversation_event, _add_run, name_judges)
    _lay_over(app, [*steps, *_steps_of_all(keys=keys)])


def complete_dashboard_openapi(app: FastAPI, *, keys: bool) -> None:
    """The same for an app that judges nothing."""
    _lay_over(app, _steps_of_all(keys=keys))


def _steps_of_all(*, keys: bool) -> list[_Step]:
    return [_add_letter_ids, _drop_its_own_errors, *([_ask_for_keys] if keys else [])]


def _lay_over(app: FastAPI, steps: Sequence[_Step]) -> None:
    make: Callable[[], dict[str, Any]] = app.openapi
    made: list[dict[str, Any]] = []

    def openapi() -> dict[str, Any]:
        if not made:
            document = make()
            for step in steps:
                step(document)
            made.append(document)
        return made[0]

    app.openapi = openapi  # FastAPI's documented way


def _operations(document: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(path, operation) for path, item in document["paths"].items() for operation in item.values()]


def _add_event(document: dict[str, Any]) -> None:
    """The event is read byte by byte, so that FastAPI knows nothing of it."""
    schema = Event.model_json_schema(ref_template=_REF)
    parts: dict[str, Any] = schema.pop("$defs")
    schema["properties"]["event_id"]["pattern"] = NOT_BLANK
    parts["InteractionPayload"]["properties"]["user_query"]["pattern"] = NOT_BLANK
    schemas = document["components"]["schemas"]
    schemas.update({**parts, **schemas, "Event": schema})


def _add_conversation_event(document: dict[str, Any]) -> None:
    """It is read like the other; what comes of it has in its result what a run's reply has."""
    schema = ConversationEvent.model_json_schema(ref_template=_REF)
    parts: dict[str, Any] = schema.pop("$defs")
    schema["properties"]["event_id"]["pattern"] = NOT_BLANK
    schemas = document["components"]["schemas"]
    schemas.update({**parts, **schemas, "ConversationEvent": schema})
    schemas["Result"]["properties"]["agentic"] = {"anyOf": [{"$ref": _REF.format(model="RunReply")}, {"type": "null"}]}


def _add_run(document: dict[str, Any]) -> None:
    """A run's request is read part by part."""
    schema = RunDocument.model_json_schema(ref_template=_REF)
    parts: dict[str, Any] = schema.pop("$defs")
    schemas = document["components"]["schemas"]
    schemas.update({**parts, **schemas, "RunDocument": schema})


def _add_letter_ids(document: dict[str, Any]) -> None:
    """A body of its own bound is read byte by byte as well."""
    document["components"]["schemas"]["LetterIds"] = LetterIds.model_json_schema(ref_template=_REF)


def _drop_its_own_errors(document: dict[str, Any]) -> None:
    """FastAPI promises a 422 of its own wherever there are parameters; here those are refused with a 400."""
    for _, operation in _operations(document):
        reply = operation["responses"].get("422", {})
        if _ITS_OWN[0] in str(reply):
            del operation["responses"]["422"]
    for name in _ITS_OWN:
        document["components"]["schemas"].pop(name, None)


def _name_judges(document: dict[str, Any], names: Sequence[str]) -> None:
    for _, operation in _operations(document):
        for parameter in operation.get("parameters", ()):
            if parameter["name"] == "judge_name":
                parameter["schema"]["enum"] = list(names)


def _ask_for_keys(document: dict[str, Any]) -> None:
    document["components"]["securitySchemes"] = {
        "bearer": {"type": "http", "scheme": BEARER},
        "header": {"type": "apiKey", "in": "header", "name": HEADER},
    }
    for path, operation in _operations(document):
        if path not in OPEN:
            operation["security"] = [{"bearer": []}, {"header": []}]
