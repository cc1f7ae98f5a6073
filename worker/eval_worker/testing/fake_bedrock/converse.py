"""Converse responses in the form that a request asks for: a forced tool, structured output, or JSON in text."""

import json
from collections.abc import Mapping
from typing import Any

from eval_worker.testing.fake_bedrock.call import Call
from eval_worker.testing.fake_provider.json_schema import SchemaFiller, schema_in_words
from eval_worker.testing.fake_provider.response import Response, json_response

_TOOL_USE_ID = "tooluse_fake"
_CHARACTERS_PER_TOKEN = 4


def tokens(text: str) -> int:
    """Return what the fake counts a text as: a token for every four characters begun."""
    return -(-len(text) // _CHARACTERS_PER_TOKEN)


def judgement_response(call: Call, level: float, rationale: str) -> Response:
    """Answer with a document that fits the tool's or the output's schema."""
    tool = forced_tool(call)
    schema = tool["inputSchema"]["json"] if tool else _output_schema(call) or schema_in_words(call.judges)
    document = SchemaFiller(schema, level, rationale).fill()
    return structured_response(call, document)


def structured_response(
    call: Call, document: Mapping[str, Any], stop_reason: str | None = None, *, beside: str = ""
) -> Response:
    """Answer with this document, whether it fits or not, where the request wants it; `beside` a tool's call in text."""
    tool = forced_tool(call)
    if tool is None:
        return text_response(call, json.dumps(document, ensure_ascii=False), stop_reason or "end_turn")
    block = {"toolUse": {"toolUseId": _TOOL_USE_ID, "name": tool["name"], "input": document}}
    said = [{"text": beside}] if beside else []
    return _response(call, [*said, block], json.dumps(document), stop_reason or "tool_use")


def text_response(call: Call, text: str, stop_reason: str = "end_turn") -> Response:
    return _response(call, [{"text": text}] if text else [], text, stop_reason)


def forced_tool(call: Call) -> Mapping[str, Any] | None:
    """Return the tool that the request forces, or else the first it offers."""
    configuration = call.body.get("toolConfig", {})
    specifications = [tool["toolSpec"] for tool in configuration.get("tools", []) if "toolSpec" in tool]
    name = configuration.get("toolChoice", {}).get("tool", {}).get("name")
    chosen = [specification for specification in specifications if specification["name"] == name]
    return next(iter(chosen or specifications), None)


def _output_schema(call: Call) -> Mapping[str, Any] | None:
    text_format = call.body.get("outputConfig", {}).get("textFormat")
    return json.loads(text_format["structure"]["jsonSchema"]["schema"]) if text_format else None


def _response(call: Call, content: list[dict[str, Any]], said: str, stop_reason: str) -> Response:
    read, written = tokens(call.system) + tokens(call.conversation), tokens(said)
    return json_response(
        {
            "output": {"message": {"role": "assistant", "content": content}},
            "stopReason": stop_reason,
            "usage": {
                "inputTokens": read - call.cache_read - call.cache_write,
                "outputTokens": written,
                "totalTokens": read + written,
                "cacheReadInputTokens": call.cache_read,
                "cacheWriteInputTokens": call.cache_write,
            },
            "metrics": {"latencyMs": 1},
        }
    )
