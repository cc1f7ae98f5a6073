"""The event: what arrives on the stream, and how its bytes become one."""

import json
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from eval_worker.errors import MalformedEventError
from eval_worker.evaluation.interaction import Interaction
from eval_worker.invalid_field import first_problem

PAYLOAD_FIELD = b"payload"

EventType = Literal["agent_response", "agent_error"]


class _Wire(BaseModel):
    """Unknown keys are ignored, so that producers may send more than we read; types are taken as they are."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class Agent(_Wire):
    """Who answered."""

    name: str | None = None
    type: str | None = None
    version: str | None = None


class InteractionPayload(_Wire):
    user_query: Annotated[str, Field(min_length=1)]
    answer: str
    context: str | None = None


class Event(_Wire):
    """`{"event_id", "event_type", "agent": {name, type, version}, "interaction": {user_query, context, answer}}`."""

    event_id: Annotated[str, Field(min_length=1)]
    event_type: EventType = "agent_response"
    agent: Agent | None = None
    interaction: InteractionPayload

    def as_interaction(self) -> Interaction:
        return Interaction(self.interaction.user_query, self.interaction.answer, self.interaction.context or "")


def decode_event(payload: bytes, *, max_bytes: int) -> Event:
    """Reads one event from its JSON bytes.

    Raises:
        MalformedEventError: naming the field and what is wrong with it.
    """
    if len(payload) > max_bytes:
        raise MalformedEventError("payload", f"is {len(payload)} bytes, more than MAX_EVENT_BYTES ({max_bytes})")
    try:
        event = Event.model_validate_json(payload)
    except ValidationError as error:
        raise MalformedEventError(*_what_is_wrong(payload, error)) from error
    for field, value in (
        ("event_id", event.event_id),
        ("interaction.user_query", event.interaction.user_query),
    ):
        if not value.strip():
            raise MalformedEventError(field, "must not be empty")
    return event


def _what_is_wrong(payload: bytes, error: ValidationError) -> tuple[str, str]:
    """A bad encoding and bad JSON look alike to the validator; producers need to know which it was."""
    try:
        text = payload.decode()
    except UnicodeDecodeError as problem:
        return "payload", f"is not UTF-8 (byte {problem.start})"
    if error.errors(include_url=False, include_input=False)[0]["type"] != "json_invalid":
        return first_problem(error)
    try:
        json.loads(text)
    except json.JSONDecodeError as problem:
        return "payload", f"is not JSON: {problem.msg} (character {problem.pos})"
    except RecursionError:
        return "payload", "is nested too deeply"
    except ValueError:  # Python's own limit, which is about another parser
        return "payload", "holds a number of thousands of digits"
    return "payload", f"is not JSON: {error.errors(include_url=False, include_input=False)[0]['msg']}"
