"""How a Converse response is read: the stop reason before the content."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from eval_worker.evaluation.judges.model import FailureKind, ModelFailure, ModelReply, Usage
from eval_worker.evaluation.judges.parse import REPLY_TOOL_NAME
from eval_worker.models.bedrock_failures import bad_response

_REFUSALS = frozenset({"guardrail_intervened", "content_filtered", "refusal"})
_TOO_LONG = "model_context_window_exceeded"
# Why a reply is not worth parsing. Each reads on from "That reply can't be used: ".
_UNUSABLE = {
    "max_tokens": "it was cut off by the token limit; be much briefer",
    "malformed_model_output": "it was malformed",
    "malformed_tool_use": "the tool was called with malformed input",
}

Block = Mapping[str, Any]


def read_response(response: Mapping[str, Any]) -> ModelReply | ModelFailure:
    """Return the reply, or the failure that the model, a filter or a guardrail made of it."""
    message = response.get("output", {}).get("message")
    stop_reason: str | None = response.get("stopReason")
    if message is None or stop_reason is None:
        return bad_response("a 200 without message or stop reason")
    usage = _usage(response.get("usage", {}))
    if stop_reason in _REFUSALS:
        refused = f"the model or a guardrail refused to judge this ({stop_reason})"
        return ModelFailure(FailureKind.PERMANENT, "refused", refused, usage=usage)
    if stop_reason == _TOO_LONG:
        too_long = f"the event is too long for the model ({stop_reason})"
        return ModelFailure(FailureKind.PERMANENT, "too_long", too_long, usage=usage)
    content: Sequence[Block] = message.get("content", [])
    if stop_reason in _UNUSABLE:
        return ModelReply(_as_text(content), usage, problem=_UNUSABLE[stop_reason])
    structured = _tool_input(content)
    return ModelReply(_as_text(content) if structured is None else structured, usage)


def _usage(counted: Mapping[str, int]) -> Usage:
    # What is read from or written to a prompt cache is counted apart from the other input tokens.
    read = sum(counted.get(name, 0) for name in ("inputTokens", "cacheReadInputTokens", "cacheWriteInputTokens"))
    return Usage(llm_calls=1, input_tokens=read, output_tokens=counted.get("outputTokens", 0))


def _tool_input(content: Sequence[Block]) -> Mapping[str, object] | None:
    uses = [block["toolUse"] for block in content if "toolUse" in block]
    given: Any = next((use.get("input") for use in uses if use.get("name") == REPLY_TOOL_NAME), None)
    return cast("Mapping[str, object]", given) if isinstance(given, Mapping) else None


def _as_text(content: Sequence[Block]) -> str:
    parts = [block["text"] for block in content if "text" in block]
    parts += [json.dumps(block["toolUse"].get("input"), ensure_ascii=False) for block in content if "toolUse" in block]
    return "\n".join(parts)
