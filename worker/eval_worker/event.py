"""The event: what arrives on the stream, and how its bytes become one."""

import json
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from eval_worker.errors import MalformedEventError
from eval_worker.evaluation.interaction import Interaction
from eval_worker.invalid_field import first_problem

if TYPE_CHECKING:
    from eval_worker.conversation_event import ConversationEvent

PAYLOAD_FIELD = b"payload"

CONVERSATION = "agent_conversation"


class Wire(BaseModel):
    """Unknown keys are ignored, so that producers may send more than we read; types are taken as they are."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class Agent(Wire):
    """Who answered."""

    name: str | None = None
    type: str | None = None
    version: str | None = None


class InteractionPayload(Wire):
    user_query: Annotated[str, Field(min_length=1)]
    answer: str
    context: str | None = None


class Event(Wire):
    """`{"event_id", "event_type", "agent": {name, type, version}, "interaction": {user_query, context, answer}}`."""

    event_id: Annotated[str, Field(min_length=1)]
    event_type: Literal["agent_response", "agent_error"] = "agent_response"
    agent: Agent | None = None
    interaction: InteractionPayload

    def as_interaction(self) -> Interaction:
        return Interaction(self.interaction.user_query, self.interaction.answer, self.interaction.context or "")


def decode_event(payload: bytes, *, max_bytes: int) -> "Event | ConversationEvent":
    """Reads one event of whichever kind from its JSON bytes.

    Raises:
        MalformedEventError: naming the field and what is wrong with it.
    """
    event = _decode(payload, max_bytes)
    if event is not None:
        return event
    from eval_worker.conversation_event import decode_conversation  # noqa: PLC0415 (few need it, and it is heavier)

    return decode_conversation(payload)


def decode_answer_event(payload: bytes, *, max_bytes: int) -> Event:
    """Reads an event about one answer, where a whole conversation would be out of place.

    Raises:
        MalformedEventError: naming the field and what is wrong with it.
    """
    event = _decode(payload, max_bytes)
    if event is None:
        raise MalformedEventError("event_type", f"{CONVERSATION} can't be used here: this takes one answer")
    return event


def _decode(payload: bytes, max_bytes: int) -> Event | None:
    """Return None for a conversation. Nearly every event is about one answer: the others pay for being told apart."""
    if len(payload) > max_bytes:
        raise MalformedEventError("payload", f"is {len(payload)} bytes, more than MAX_EVENT_BYTES ({max_bytes})")
    try:
        event = Event.model_validate_json(payload)
    except ValidationError as error:
        wrong_type = next((each for each in error.errors(include_url=False) if each["loc"] == ("event_type",)), None)
        if wrong_type is not None and wrong_type["input"] == CONVERSATION:
            return None
        raise MalformedEventError(*_what_is_wrong(payload, error)) from error
    if event.event_id.isspace() or event.interaction.user_query.isspace():
        check_not_blank(event_id=event.event_id, **{"interaction.user_query": event.interaction.user_query})
    return event


def check_not_blank(**fields: str) -> None:
    """Raise a MalformedEventError for the first that holds nothing but blanks."""
    for field, value in fields.items():
        if not value.strip():
            raise MalformedEventError(field, "must not be empty")


def _what_is_wrong(payload: bytes, error: ValidationError) -> tuple[str, str]:
    """A bad encoding and bad JSON look alike to the validator; producers need to know which it was."""
    try:
        text = payload.decode()
    except UnicodeDecodeError as problem:
        return "payload", f"is not UTF-8 (byte {problem.start})"
    if error.errors(include_url=False, include_input=False)[0]["type"] != "json_invalid":
        field, problem = first_problem(error)
        return field, f"{problem} or '{CONVERSATION}'" if field == "event_type" else problem
    try:
        json.loads(text)
    except json.JSONDecodeError as problem:
        return "payload", f"is not JSON: {problem.msg} (character {problem.pos})"
    except RecursionError:
        return "payload", "is nested too deeply"
    except ValueError:  # Python's own limit, which is about another parser
        return "payload", "holds a number of thousands of digits"
    return "payload", f"is not JSON: {error.errors(include_url=False, include_input=False)[0]['msg']}"
