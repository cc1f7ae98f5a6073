"""Calls to the fake as a judge makes them, and what they were answered."""

import json
from typing import Any


def converse(
    client: Any, *, asked: str = "Is it good?", name: str = "relevance", model: str = "m", **options: Any
) -> dict[str, Any]:
    return client.converse(
        modelId=model,
        system=[{"text": f"You are the {name} judge of a panel."}],
        messages=[{"role": "user", "content": [{"text": asked}]}],
        **options,
    )


def content(response: dict[str, Any]) -> dict[str, Any]:
    return response["output"]["message"]["content"][0]


def level(response: dict[str, Any]) -> int:
    return json.loads(content(response)["text"])["level"]
