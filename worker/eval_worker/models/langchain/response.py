"""How a chat model's message is read: why it ended before what it says."""

import json
import re
from collections.abc import Mapping
from typing import Any, cast

from langchain_core.messages import AIMessage

from eval_worker.evaluation.judges.model import FailureKind, ModelFailure, ModelReply, Usage
from eval_worker.models.provider_failures import bad_response

CUT_OFF = "it was cut off by the token limit; be much briefer"
MALFORMED = "it was malformed"

# Where the providers' classes leave why a reply ended, in lower case.
_REASON_KEYS = ("finish_reason", "stop_reason", "done_reason", "stopReason")
_MODEL_KEYS = ("model_name", "model", "model_id")
_REFUSALS = frozenset(
    {
        "blocklist",
        "content_filter",
        "content_filtered",
        "guardrail_intervened",
        "prohibited_content",
        "recitation",
        "refusal",
        "safety",
        "spii",
    }
)
_TOO_LONG = frozenset({"model_context_window_exceeded"})
_UNUSABLE = {
    **dict.fromkeys(("length", "max_output_tokens", "max_tokens", "model_length"), CUT_OFF),
    **dict.fromkeys(("malformed_function_call", "malformed_model_output", "malformed_tool_use"), MALFORMED),
}
_MOST_TOKENS = 2**31  # of one call; what claims to be more is no count
_REASONING = re.compile(r"\s*<(think|thinking|reasoning)>(?:.*?</\1>|.*)", re.DOTALL | re.IGNORECASE)

Object = Mapping[str, Any]


def read_structured(answer: object, tool: str) -> ModelReply | ModelFailure:
    """Read what `with_structured_output(…, include_raw=True)` gives: `{"raw", "parsed", "parsing_error"}`.

    `tool` is the name of the schema, which is a tool's where tools are used.
    """
    given: Object = cast("Object", answer) if isinstance(answer, Mapping) else {"raw": None}
    message: object = given.get("raw")
    if not isinstance(message, AIMessage):
        return bad_response("structured output without the message that it was read from")
    if failed := _unless_it_ended_badly(message):
        return failed
    return _reply(_structured(message, given.get("parsed"), tool), message)


def read_text(answer: object) -> ModelReply | ModelFailure:
    """Read a message that should hold JSON between two clauses.

    The clauses help a model to keep to the form. What stands outside of them is read as well: a reply may quote an
    object between clauses from the answer that it judges, and its own must not be overlooked then.
    """
    if not isinstance(answer, AIMessage):
        return bad_response(f"a {type(answer).__name__} is no message of a chat model")
    text = _without_reasoning(_text(answer)).strip()
    return _unless_it_ended_badly(answer) or _reply(text, answer)


def usage_of(message: AIMessage) -> Usage:
    """Return what the provider counted; what is read from a cache is part of LangChain's input tokens."""
    counted: Object = message.usage_metadata or {}
    details: object = counted.get("input_token_details")
    cached: Object = cast("Object", details) if isinstance(details, Mapping) else {}
    return Usage(
        1,
        token_count(counted.get("input_tokens")),
        token_count(counted.get("output_tokens")),
        token_count(cached.get("cache_read")),
        token_count(cached.get("cache_creation")),
    )


def token_count(tokens: object) -> int:
    """Return a count as it is; one that is none must not cost a judgement, and is left out of the sum."""
    return tokens if type(tokens) is int and 0 <= tokens < _MOST_TOKENS else 0


def _unless_it_ended_badly(message: AIMessage) -> ModelReply | ModelFailure | None:
    reason, usage = _end_reason(message), usage_of(message)
    if reason in _REFUSALS or _refusal(message):
        refused = f"the model or a filter refused to judge this ({reason or 'refusal'})"
        return ModelFailure(FailureKind.PERMANENT, "refused", refused, usage=usage)
    if reason in _TOO_LONG:
        too_long = f"the event is too long for the model ({reason})"
        return ModelFailure(FailureKind.PERMANENT, "too_long", too_long, usage=usage)
    if reason in _UNUSABLE:
        return _reply(_text(message), message, problem=_UNUSABLE[reason])
    return None


def _reply(content: Object | str, message: AIMessage, problem: str | None = None) -> ModelReply:
    metadata: Object = message.response_metadata
    named = (metadata.get(key) for key in _MODEL_KEYS)
    model = next((name for name in named if name and isinstance(name, str)), None)
    return ModelReply(content, usage_of(message), problem, finish_reason=_end_reason(message) or None, model=model)


def _end_reason(message: AIMessage) -> str:
    metadata: Object = message.response_metadata
    told: list[Any] = [metadata.get(key) for key in _REASON_KEYS]
    for nested, key in (("incomplete_details", "reason"), ("prompt_feedback", "block_reason")):
        details: Any = metadata.get(nested)
        if isinstance(details, Mapping):
            told.append(cast("Object", details).get(key))
    return next((str(reason).rpartition(".")[2].lower() for reason in told if reason), "")


def _refusal(message: AIMessage) -> bool:
    extra: Object = message.additional_kwargs
    blocks = cast("list[object]", message.content) if isinstance(message.content, list) else []
    return bool(extra.get("refusal")) or any(
        isinstance(block, Mapping) and cast("Object", block).get("type") == "refusal" for block in blocks
    )


def _structured(message: AIMessage, parsed: object, tool: str) -> Object | str:
    """Return the tool's arguments, or the text, which our own parser reads.

    Calls that differ are left to be read as text, and so found unusable.
    """
    given: list[Object] = [call["args"] for call in message.tool_calls if call["name"] == tool]
    if given and all(other == given[0] for other in given):
        return given[0]
    broken = [str(call.get("args") or "") for call in message.invalid_tool_calls]
    text = "\n".join([_text(message), *(json.dumps(args, default=str) for args in given), *broken]).strip()
    if not text and isinstance(parsed, Mapping):
        return cast("Object", parsed)
    return text


def _without_reasoning(text: str) -> str:
    """Leave out what a reasoning model wrote before its reply; further on such a tag is a part of the reply."""
    reasoning = _REASONING.match(text)
    return text[reasoning.end() :] if reasoning else text


def _text(message: AIMessage) -> str:
    """Return the text blocks joined; those of reasoning are none."""
    return str(message.text)
