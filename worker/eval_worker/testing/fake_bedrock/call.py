"""One Converse request, as the fake understood it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

# How our prompts open: "You are the faithfulness judge of a panel …".
_JUDGE = re.compile(r"\bthe ([a-z][a-z0-9_-]*) judge\b")


@dataclass(frozen=True, slots=True)
class Call:
    """`judge` is the name that the system prompt gives itself, None if it gives none. `body` is the whole request."""

    model_id: str
    judge: str | None
    system: str
    conversation: str
    body: Mapping[str, Any]

    @classmethod
    def parse(cls, model_id: str, body: Mapping[str, Any]) -> Self:
        system = "\n".join(_texts(body.get("system", [])))
        found = _JUDGE.search(system)
        said = (line for message in body.get("messages", []) for line in _texts(message.get("content", [])))
        return cls(model_id, found[1] if found else None, system, "\n".join(said), body)

    @property
    def temperature(self) -> float | None:
        return self.body.get("inferenceConfig", {}).get("temperature")

    @property
    def turns(self) -> int:
        return len(self.body.get("messages", []))


def _texts(blocks: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    return (block["text"] for block in blocks if "text" in block)
