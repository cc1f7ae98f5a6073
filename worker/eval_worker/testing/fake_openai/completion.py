"""Chat completions in the form that a request asks for: a tool, structured output, or JSON in text."""

import json
from collections.abc import Mapping
from typing import Any

from eval_worker.testing.fake_openai.call import ChatCall
from eval_worker.testing.fake_provider.json_schema import SchemaFiller, schema_in_words
from eval_worker.testing.fake_provider.response import Response, json_response

_CHARACTERS_PER_TOKEN = 4


def judgement_response(call: ChatCall, level: int, rationale: str, *, beside: str = "") -> Response:
    """Answer with a document that fits the tool's or the output's schema; `beside` a tool's call in text."""
    tool = _tool(call)
    schema = tool["parameters"] if tool else _output_schema(call) or schema_in_words(call.judges)
    return document_response(call, SchemaFiller(schema, level, rationale).fill(), beside=beside)


def document_response(call: ChatCall, document: Mapping[str, Any], *, beside: str = "") -> Response:
    """Answer with this document, whether it fits or not, where the request wants it."""
    said, tool = json.dumps(document, ensure_ascii=False), _tool(call)
    if tool is None:
        return text_response(call, said)
    made = {"id": "call_fake", "type": "function", "function": {"name": tool["name"], "arguments": said}}
    return _response(call, {"content": beside or None, "tool_calls": [made]}, said, "tool_calls")


def text_response(call: ChatCall, text: str, finish_reason: str = "stop", refusal: str | None = None) -> Response:
    return _response(call, {"content": text, "refusal": refusal}, text, finish_reason)


def _tool(call: ChatCall) -> Mapping[str, Any] | None:
    """Return the first tool that is offered."""
    return next((tool["function"] for tool in call.body.get("tools") or ()), None)


def _output_schema(call: ChatCall) -> Mapping[str, Any] | None:
    wanted: Mapping[str, Any] | None = call.body.get("response_format")
    return wanted["json_schema"]["schema"] if wanted and wanted["type"] == "json_schema" else None


def _response(call: ChatCall, message: Mapping[str, Any], said: str, finish_reason: str) -> Response:
    read, written = _tokens(call.system + call.conversation), _tokens(said)
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish_reason, "logprobs": None}
    return json_response(
        {
            "id": "chatcmpl-fake",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": call.model_id,
            "choices": [choice],
            "usage": {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written},
        }
    )


def _tokens(text: str) -> int:
    return -(-len(text) // _CHARACTERS_PER_TOKEN)
