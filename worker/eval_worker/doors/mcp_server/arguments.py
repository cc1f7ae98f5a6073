"""What a tool is called with: decoded to the core's own values, or refused with the argument's name."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from eval_worker.errors import EvalWorkerError, MalformedEventError
from eval_worker.evaluation.pipeline import DEFAULT_JUDGE_THRESHOLD
from eval_worker.event import Event, decode_event
from eval_worker.invalid_field import first_problem

_INTERACTION = ("user_query", "answer", "context")
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


def decode_answer(arguments: Mapping[str, Any], *, max_bytes: int) -> Event:
    """Read what is to be judged, by the rules that hold for events on the stream. Unknown arguments are ignored.

    Raises:
        ArgumentError: an argument is missing, empty or of the wrong kind, or all of them are too large.
    """
    interaction = {name: arguments[name] for name in _INTERACTION if name in arguments}
    document = {name: arguments[name] for name in ("event_id",) if name in arguments} | {"interaction": interaction}
    # Half a surrogate pair is no text: the decoder says so, where an encoder would raise.
    payload = json.dumps(document, ensure_ascii=False).encode(errors="surrogatepass")
    try:
        return decode_event(payload, max_bytes=max_bytes)
    except MalformedEventError as error:
        if error.field == "payload":
            raise ArgumentError(f"what was given {error.problem}") from error
        raise ArgumentError(f"{error.field.removeprefix('interaction.')}: {error.problem}") from error


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
