"""What is asked of Bedrock: one judge's request in the form of Converse."""

import json
from enum import StrEnum
from typing import Any

from eval_worker.evaluation.judges.model import BadReply, JudgeRequest
from eval_worker.evaluation.judges.parse import REPLY_SCHEMA, REPLY_TOOL_NAME
from eval_worker.evaluation.judges.prompt import render_prompt
from eval_worker.models.repair import repair_turns

_PURPOSE = "Records the judgement: the rationale first, then the level that follows from it."
_AS_JSON = (
    'Reply with one JSON object and nothing else: {"rationale": "<text>", "level": <integer from 0 to 5>}. '
    "Write the rationale first."
)


class OutputMode(StrEnum):
    """How the model is made to give its reply by the schema."""

    TOOL = "tool"  # a tool that it must call
    NATIVE = "native"  # Bedrock's structured output
    TEXT = "text"  # asked for in words only, which every model understands


def converse_request(request: JudgeRequest, model_id: str, mode: OutputMode, nonce: str) -> dict[str, Any]:
    """Return the parameters of `converse`."""
    prompt = render_prompt(request, nonce)
    system = [prompt.system, _AS_JSON] if mode is OutputMode.TEXT else [prompt.system]
    options = request.judge.model
    inference: dict[str, Any] = {"maxTokens": options.max_tokens}
    if options.temperature is not None:
        inference["temperature"] = options.temperature
    messages = [_turn("user", prompt.user)]
    if request.repair:
        messages += _repair_turns(request.repair, mode)
    return {
        "modelId": model_id,
        "system": [{"text": text} for text in system],
        "messages": messages,
        "inferenceConfig": inference,
        **_output(mode),
    }


def _output(mode: OutputMode) -> dict[str, Any]:
    match mode:
        case OutputMode.TOOL:
            tool = {"name": REPLY_TOOL_NAME, "description": _PURPOSE, "inputSchema": {"json": REPLY_SCHEMA}}
            choice = {"tool": {"name": REPLY_TOOL_NAME}}
            return {"toolConfig": {"tools": [{"toolSpec": tool}], "toolChoice": choice}}
        case OutputMode.NATIVE:
            schema = {"name": REPLY_TOOL_NAME, "description": _PURPOSE, "schema": json.dumps(REPLY_SCHEMA)}
            return {"outputConfig": {"textFormat": {"type": "json_schema", "structure": {"jsonSchema": schema}}}}
        case OutputMode.TEXT:
            return {}


def _repair_turns(bad: BadReply, mode: OutputMode) -> list[dict[str, Any]]:
    # As text even where a tool was called: a toolUse turn would need a toolResult.
    said, asked = repair_turns(bad, f"by calling {REPLY_TOOL_NAME}" if mode is OutputMode.TOOL else _AS_JSON)
    return [_turn("assistant", said), _turn("user", asked)]


def _turn(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "content": [{"text": text}]}
