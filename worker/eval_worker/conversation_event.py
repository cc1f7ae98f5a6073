"""The event about whole conversations: datasets and how to judge them, in place of one answer."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, ValidationError

from eval_worker.agentic.config import AgenticConfig
from eval_worker.agentic.dataset import Dataset
from eval_worker.errors import MalformedEventError, MissingExtraError
from eval_worker.event import Agent, Wire, check_not_blank
from eval_worker.invalid_field import first_problem


def _defaults_for_null(config: object) -> object:
    return {} if config is None else config


class ConversationEvent(Wire):
    """`{"event_id", "event_type": "agent_conversation", "agent", "datasets": [...], "config": {...}}`.

    The worker's own judge model answers: no connector and no key travels in an event.
    """

    event_id: Annotated[str, Field(min_length=1)]
    event_type: Literal["agent_conversation"]
    agent: Agent | None = None
    datasets: Annotated[list[Dataset], Field(min_length=1)]
    config: Annotated[AgenticConfig, BeforeValidator(_defaults_for_null)] = AgenticConfig()


def decode_conversation(payload: bytes) -> ConversationEvent:
    """Reads an event that is known to be JSON of this type.

    Raises:
        MalformedEventError: naming the field and what is wrong with it.
    """
    try:
        event = ConversationEvent.model_validate_json(payload)
    except ValidationError as error:
        raise MalformedEventError(*first_problem(error)) from error
    try:
        event.config.as_criteria()
    except MissingExtraError as error:
        raise MalformedEventError("config.statistical_mode", str(error)) from error
    check_not_blank(event_id=event.event_id)
    return event
