"""Converse responses as a good model, a bad one, a broken proxy or an enemy may send them."""

import json
import random
from typing import Any

from tests.fuzz.json_values import ODD_JSON, a_value, mutated
from tests.fuzz.texts import a_text

from eval_worker.evaluation.judges.reply_form import REPLY_TOOL_NAME

_KEYS = (
    *("output", "message", "content", "stopReason", "usage", "toolUse", "name", "input", "text", "rationale", "level"),
    *("inputTokens", "outputTokens", "cacheReadInputTokens", "reasoningContent", "role", "x"),
)
_STOP_REASONS = (
    *("end_turn", "tool_use", "max_tokens", "stop_sequence", "content_filtered", "guardrail_intervened", "refusal"),
    *("malformed_tool_use", "malformed_model_output", "model_context_window_exceeded", "somersault", ""),
)
_LEVELS: tuple[Any, ...] = (
    0,
    3,
    5,
    6,
    -1,
    3.0,
    2.5,
    "4",
    " 4 ",
    "٣",
    "",
    "high",
    True,
    None,
    [3],
    {"level": 3},
    10**400,
)


def a_response(rng: random.Random) -> Any:
    response: Any = {
        "output": {
            "message": {"role": "assistant", "content": [_block(rng) for _ in range(rng.choice((0, 1, 1, 1, 3)))]}
        },
        "stopReason": rng.choice(_STOP_REASONS) if rng.random() < 0.3 else rng.choice(("end_turn", "tool_use")),
        "usage": {"inputTokens": 100, "outputTokens": 10, "totalTokens": 110},
    }
    for _ in range(rng.choice((0, 0, 1, 1, 3))):
        if isinstance(response, (dict, list)):
            response = mutated(rng, response, _KEYS)
    return response


def a_body(rng: random.Random) -> str:
    """The text of an HTTP body: mostly a response, sometimes cut off, sometimes no JSON at all."""
    kind = rng.randrange(6)
    if kind == 0:
        return rng.choice(ODD_JSON)
    if kind == 1:
        return a_text(rng)
    body = json.dumps(a_response(rng))
    return body[: rng.randrange(len(body) + 1)] if kind == 2 else body


def _block(rng: random.Random) -> Any:
    kind = rng.randrange(5)
    if kind <= 1:
        name = REPLY_TOOL_NAME if rng.random() < 0.8 else rng.choice(("another", "", None))
        given = _judgement(rng) if rng.random() < 0.7 else rng.choice((None, "5", [], json.dumps(_judgement(rng))))
        return {"toolUse": {"toolUseId": "1", "name": name, "input": given}}
    if kind <= 3:
        return {"text": _said(rng)}
    return {"reasoningContent": {"reasoningText": {"text": a_text(rng), "signature": "x"}}}


def _judgement(rng: random.Random) -> Any:
    rationale = rng.choice(("fine", "", " \n", "x" * 3_000, "\ud83d", "\x00\x1b[31m", None, ["fine"], a_text(rng)))
    return {
        "rationale": rationale,
        "level": rng.choice(_LEVELS),
        **({"x": a_value(rng, _KEYS)} if rng.random() < 0.2 else {}),
    }


def _said(rng: random.Random) -> str:
    """Text with JSON in it: none, some, cut off, fenced, more than one."""
    parts = [
        rng.choice((a_text(rng), json.dumps(_judgement(rng)), rng.choice(ODD_JSON), "```json\n", "\n```", "{", "}"))
        for _ in range(rng.randrange(5))
    ]
    text = "".join(parts)
    return text[: rng.randrange(len(text) + 1)] if rng.random() < 0.3 else text
