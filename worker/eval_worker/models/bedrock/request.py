"""What is asked of Bedrock: a request in the form of Converse."""

import json
from enum import StrEnum
from typing import Any

from eval_worker.evaluation.judges.model import BadReply, ModelRequest
from eval_worker.evaluation.judges.reply_form import ReplyForm
from eval_worker.models.repair import repair_turns


class OutputMode(StrEnum):
    """How the model is made to give its reply by the schema."""

    TOOL = "tool"  # a tool that it must call
    NATIVE = "native"  # Bedrock's structured output
    TEXT = "text"  # asked for in words only, which every model understands


def converse_request(request: ModelRequest, model_id: str, mode: OutputMode, nonce: str) -> dict[str, Any]:
    """Return the parameters of `converse`."""
    prompt, form, options = request.prompt(nonce), request.form, request.options
    system = [prompt.system, _in_words(form)] if mode is OutputMode.TEXT else [prompt.system]
    inference: dict[str, Any] = {"maxTokens": options.max_tokens}
    if options.temperature is not None:
        inference["temperature"] = options.temperature
    messages = [_turn("user", prompt.user)]
    if request.repair:
        messages += _repair_turns(request.repair, form, mode)
    return {
        "modelId": model_id,
        "system": [{"text": text} for text in system],
        "messages": messages,
        "inferenceConfig": inference,
        **_output(form, mode),
    }


def _output(form: ReplyForm, mode: OutputMode) -> dict[str, Any]:
    match mode:
        case OutputMode.TOOL:
            tool = {"name": form.tool, "description": form.purpose, "inputSchema": {"json": form.schema}}
            return {"toolConfig": {"tools": [{"toolSpec": tool}], "toolChoice": {"tool": {"name": form.tool}}}}
        case OutputMode.NATIVE:
            schema = {"name": form.tool, "description": form.purpose, "schema": json.dumps(form.schema)}
            return {"outputConfig": {"textFormat": {"type": "json_schema", "structure": {"jsonSchema": schema}}}}
        case OutputMode.TEXT:
            return {}


def _repair_turns(bad: BadReply, form: ReplyForm, mode: OutputMode) -> list[dict[str, Any]]:
    # As text even where a tool was called: a toolUse turn would need a toolResult.
    said, asked = repair_turns(bad, f"by calling {form.tool}" if mode is OutputMode.TOOL else _in_words(form))
    return [_turn("assistant", said), _turn("user", asked)]


def _in_words(form: ReplyForm) -> str:
    return f"Reply with one JSON object and nothing else: {form.example}. {form.order}"


def _turn(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "content": [{"text": text}]}
