"""How a Converse response is read: the stop reason before the content."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from eval_worker.evaluation.judges.model import FailureKind, ModelFailure, ModelReply, Usage
from eval_worker.models.provider_failures import bad_response

_REFUSALS = frozenset({"guardrail_intervened", "content_filtered", "refusal"})
_TOO_LONG = "model_context_window_exceeded"
# Why a reply is not worth parsing. Each reads on from "That reply can't be used: ".
_UNUSABLE = {
    "max_tokens": "it was cut off by the token limit; be much briefer",
    "malformed_model_output": "it was malformed",
    "malformed_tool_use": "the tool was called with malformed input",
}
_MOST_TOKENS = 2**31  # of one call; what claims to be more is no count, and a sum of it no number that JSON can carry

Object = Mapping[str, Any]


def read_response(response: object, tool: str) -> ModelReply | ModelFailure:
    """Return the reply, given by that tool or in text, or the failure that the model, a filter or a guardrail made.

    Whatever else answers in Bedrock's place may send JSON of any shape, and botocore checks little of it.
    """
    try:
        return _read(_object(response), tool)
    except _UnlikeConverseError as error:
        return bad_response(f"a 200 whose {error}")
    except RecursionError:
        return bad_response("a 200 that is nested too deeply")


class _UnlikeConverseError(Exception):
    """The message says what is wrong with which part."""


def _read(response: Object, tool: str) -> ModelReply | ModelFailure:
    message = _object(_object(response.get("output"), "output").get("message"), "message")
    stop_reason = response.get("stopReason")
    if not isinstance(stop_reason, str):
        raise _UnlikeConverseError("stop reason is missing or no text")
    usage = _usage(response.get("usage"))
    if stop_reason in _REFUSALS:
        refused = f"the model or a guardrail refused to judge this ({stop_reason})"
        return ModelFailure(FailureKind.PERMANENT, "refused", refused, usage=usage)
    if stop_reason == _TOO_LONG:
        too_long = f"the event is too long for the model ({stop_reason})"
        return ModelFailure(FailureKind.PERMANENT, "too_long", too_long, usage=usage)
    content = _blocks(message.get("content"))
    if stop_reason in _UNUSABLE:
        return ModelReply(_as_text(content), usage, problem=_UNUSABLE[stop_reason], finish_reason=stop_reason)
    structured = _tool_input(content, tool)
    return ModelReply(_as_text(content) if structured is None else structured, usage, finish_reason=stop_reason)


def _object(value: object, name: str = "body") -> Object:
    if not isinstance(value, Mapping):
        raise _UnlikeConverseError(f"{name} is missing or no object")
    return cast("Object", value)


def _blocks(content: object) -> Sequence[Object]:
    """Return the content's blocks. None at all is a reply that says nothing."""
    if content is None:
        return ()
    if not isinstance(content, list):
        raise _UnlikeConverseError("content is no list")
    return [_object(block, "content block") for block in cast("list[object]", content)]


def _usage(counted: object) -> Usage:
    # Bedrock counts what is read from or written to a prompt cache apart from the other input tokens.
    cache_read, cache_write = _count(counted, "cacheReadInputTokens"), _count(counted, "cacheWriteInputTokens")
    read = _count(counted, "inputTokens") + cache_read + cache_write
    return Usage(1, read, _count(counted, "outputTokens"), cache_read, cache_write)


def _count(counted: object, name: str) -> int:
    """A count that is none must not cost a judgement: it is left out of the sum."""
    tokens = cast("Object", counted).get(name) if isinstance(counted, Mapping) else None
    return tokens if type(tokens) is int and 0 <= tokens < _MOST_TOKENS else 0


def _tool_uses(content: Sequence[Object]) -> list[Object]:
    return [_object(block["toolUse"], "tool use") for block in content if "toolUse" in block]


def _tool_input(content: Sequence[Object], tool: str) -> Object | None:
    """Return what the tool was called with. Calls that differ are left to be read as text, and so found unusable."""
    given = [use.get("input") for use in _tool_uses(content) if use.get("name") == tool]
    if not given or any(other != given[0] for other in given):
        return None
    return cast("Object", given[0]) if isinstance(given[0], Mapping) else None


def _as_text(content: Sequence[Object]) -> str:
    parts = [block["text"] for block in content if isinstance(block.get("text"), str)]
    parts += [json.dumps(use.get("input"), ensure_ascii=False) for use in _tool_uses(content)]
    return "\n".join(parts)
