"""One call of a model, as a fake understood it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# How our prompts open: "You are the faithfulness judge of a panel …".
_JUDGE = re.compile(r"\bthe ([a-z][a-z0-9_-]*) judge\b")


@dataclass(frozen=True, slots=True)
class ProviderCall:
    """`judge` is the name that the system prompt gives itself, None if it gives none. `body` is the whole request.

    `turns` counts the messages of the conversation, without the system prompt.
    """

    model_id: str
    judge: str | None
    system: str
    conversation: str
    body: Mapping[str, Any]
    temperature: float | None
    turns: int


def judge_named_in(system: str) -> str | None:
    found = _JUDGE.search(system)
    return found[1] if found else None
