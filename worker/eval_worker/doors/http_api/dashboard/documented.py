"""What the OpenAPI document says of the page's routes."""

from typing import Any

from eval_worker.doors.http_api.documented import EVALUATED, errors, json_body, ok

_LETTER: dict[str, Any] = {
    "id": "1700000000000-0",
    "event_id": "evt-001",
    "reason": "interaction.answer: is required",
    "error": "malformed",
    "deliveries": "1",
    "failed_at": "2026-01-01T00:00:00Z",
    "source_id": "1699999999999-0",
    "worker": "host-1",
    "size": 93,
}
_COUNTED = {"pass": 1, "review": 0, "fail": 0, "skipped": 0}
_MEANS = {"results": 1, "verdicts": _COUNTED, "mean_confidence": 0.99}
_TIMELINE = {
    "start_ms": 1_700_000_000_000,
    "width_ms": 1_000,
    "verdicts": {verdict: [count] for verdict, count in _COUNTED.items()},
    "mean_confidence": [0.99],
}
_AGENT = {"agent": "my-agent", "version": "1.0.0"}
_EXAMPLES: dict[str, Any] = {
    "Overview": {
        "entries": 1,
        "looked_at": 1,
        "loading": False,
        "figures": {
            **_MEANS,
            "last_minute": 1,
            "early_exits": 0,
            "partial": 0,
            "cost": {"known_usd": 0.004, "unknown": 0, "llm_calls": 5, "input_tokens": 3120, "output_tokens": 410},
            "timeline": _TIMELINE,
            "agents": [{**_AGENT, **_MEANS, "timeline": _TIMELINE}],
            "more_agents": 0,
            "stages": [
                {"name": "relevance-judge", "scored": 1, "unscored": 0, "mean": 0.97, "bins": [0] * 9 + [1]},
            ],
        },
        "rows": [
            {
                "id": "1700000000000-0",
                "at_ms": 1_700_000_000_000,
                "event_id": "evt-001",
                **_AGENT,
                "verdict": "pass",
                "confidence": 0.99,
                "early_exit": False,
                "partial": False,
                "cost_usd": 0.004,
                "weakest": {"name": "relevance-judge", "score": 0.97, "reason": "it speaks of what was asked"},
            }
        ],
        "agents": [{"agent": "my-agent", "versions": ["1.0.0"]}],
        "backlog": None,
        "read_only": None,
    },
    "Result": EVALUATED,
    "LettersReply": {"letters": [_LETTER], "total": 1, "complete": True},
    "WholeLetterReply": {**_LETTER, "payload": '{"event_id": "evt-001"}', "cut": False},
    "ReplayedReply": {"replayed": {"1700000000000-0": "1700000000001-0"}, "refused": []},
    "PurgedReply": {"purged": 1},
}
_STRANGER = "Without API_KEYS: the server was called by a name that is not known to be its own."


def look(model: type[Any], summary: str) -> dict[str, Any]:
    """What goes with a route that only reads."""
    gone = "No Redis is configured, or there is no such entry any more."
    away = "Redis can't be used now."
    return {
        "methods": ["GET"],
        "summary": summary,
        "response_model": model,
        "responses": {
            **ok(model, "As asked.", _EXAMPLES[model.__name__]),
            **errors(400, 401, 403, 404, 500, 503, s403=_STRANGER, s404=gone, s503=away),
        },
    }


def act_on_letters(model: type[Any], summary: str) -> dict[str, Any]:
    """What goes with a route that changes something."""
    refused = f"{_STRANGER} Without API_KEYS nothing is changed at all. Or the Redis user lacks a right."
    none = "No Redis is configured."
    away = "Redis can't be used now."
    unsure = "The connection broke: it may or may not have been done. Trying again does nothing twice."
    statuses = (400, 401, 403, 404, 408, 413, 415, 429, 500, 503, 504)
    return {
        "methods": ["POST"],
        "summary": summary,
        "response_model": model,
        "responses": {
            **ok(model, "It is done.", _EXAMPLES[model.__name__]),
            **errors(*statuses, s403=refused, s404=none, s503=away, s504=unsure),
        },
        "openapi_extra": json_body(["LetterIds"], {}),
    }
