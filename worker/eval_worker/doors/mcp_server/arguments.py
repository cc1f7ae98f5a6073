"""What a tool is called with: decoded to the core's own values, or refused with the argument's name."""

import json
from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from eval_worker.conversation_event import ConversationEvent
from eval_worker.doors.mcp_server.conversation_schema import CONFIG_ARGUMENTS, EVENT_ID
from eval_worker.errors import EvalWorkerError, MalformedEventError
from eval_worker.evaluation.pipeline import DEFAULT_JUDGE_THRESHOLD
from eval_worker.event import CONVERSATION, Event, decode_answer_event, decode_event
from eval_worker.invalid_field import first_problem

_INTERACTION = ("user_query", "answer", "context")
_ANSWER = ("event_id", *_INTERACTION)
JUDGE_ARGUMENTS = ("judge_name", "threshold")
_CONVERSATIONS = ("event_id", "datasets", *CONFIG_ARGUMENTS)
_LONGEST_NAME_SHOWN = 80


class ArgumentError(EvalWorkerError):
    """A tool was called with something that it can't take; the message names the argument."""


@dataclass(frozen=True, slots=True)
class JudgeChoice:
    name: str
    threshold: float


class _JudgeArguments(BaseModel):
    model_config = ConfigDict(strict=True)

    judge_name: str
    threshold: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = DEFAULT_JUDGE_THRESHOLD


def decode_answer(arguments: Mapping[str, Any], *, max_bytes: int, beside: Collection[str] = ()) -> Event:
    """Read what is to be judged, by the rules that hold for events on the stream; `beside` it others may be given.

    Raises:
        ArgumentError: an argument is missing, empty, of the wrong kind or not known, or all of them are too large.
    """
    _refuse_unknown(arguments, (*beside, *_ANSWER))
    document = {**_those_of(arguments, ("event_id",)), "interaction": _those_of(arguments, _INTERACTION)}
    with _named_as_arguments("interaction."):
        return decode_answer_event(_as_payload(document), max_bytes=max_bytes)


def decode_conversations(arguments: Mapping[str, Any], *, max_bytes: int) -> ConversationEvent:
    """Read whole conversations and how they are judged, by the same rules.

    Raises:
        ArgumentError: as `decode_answer` does.
    """
    if "config" in arguments:  # other events have one
        raise ArgumentError(f"config: give {', '.join(CONFIG_ARGUMENTS)} beside datasets, not inside of config")
    _refuse_unknown(arguments, _CONVERSATIONS)
    document = {
        "event_id": EVENT_ID,
        **_those_of(arguments, ("event_id", "datasets")),
        "event_type": CONVERSATION,
        "config": _those_of(arguments, CONFIG_ARGUMENTS),
    }
    with _named_as_arguments("config."):
        event = decode_event(_as_payload(document), max_bytes=max_bytes)
    if not isinstance(event, ConversationEvent):
        raise AssertionError("the event's type says what it is")  # noqa: TRY004 (a bug, and not the caller's)
    return event


def decode_choice(arguments: Mapping[str, Any], *, known: Collection[str]) -> JudgeChoice:
    """Read which judge is asked, and above which score it passes.

    Raises:
        ArgumentError: no such judge is enabled, which lists those that are; or the threshold is none.
    """
    try:
        chosen = _JudgeArguments.model_validate(arguments)
    except ValidationError as error:
        name, problem = first_problem(error)
        hint = f"; known are {', '.join(known)}" if name == "judge_name" else ""
        raise ArgumentError(f"{name}: {problem}{hint}") from error
    if chosen.judge_name not in known:
        shown = repr(chosen.judge_name[:_LONGEST_NAME_SHOWN])
        raise ArgumentError(f"judge_name: there is no judge {shown}; known are {', '.join(known)}")
    return JudgeChoice(chosen.judge_name, chosen.threshold)


def _refuse_unknown(arguments: Mapping[str, Any], known: Collection[str]) -> None:
    """One that is misspelt would be ignored without a word."""
    unknown = next((name for name in arguments if name not in known), None)
    if unknown is not None:
        shown = unknown if unknown.isprintable() else repr(unknown)
        raise ArgumentError(
            f"{shown[:_LONGEST_NAME_SHOWN]}: is no argument that is known here; known are {', '.join(known)}"
        )


def _those_of(arguments: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    return {name: arguments[name] for name in names if name in arguments}


def _as_payload(document: Mapping[str, Any]) -> bytes:
    """Half a surrogate pair is no text: the decoder says so, where an encoder would raise."""
    return json.dumps(document, ensure_ascii=False).encode(errors="surrogatepass")


@contextmanager
def _named_as_arguments(inside: str) -> Generator[None]:
    """Name a wrong field as the caller knows it, not as the event does that it is put `inside` of."""
    try:
        yield
    except MalformedEventError as error:
        if error.field == "payload":
            raise ArgumentError(f"what was given {error.problem}") from error
        raise ArgumentError(f"{error.field.removeprefix(inside)}: {error.problem}") from error
