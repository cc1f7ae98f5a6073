"""One call of a model, as a fake understood it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# How our prompts open: "You are the faithfulness judge of a panel …"; or where each judge's rubric begins, if several
# are asked at once.
_JUDGE = re.compile(r"\bthe ([a-z][a-z0-9_-]*) judge\b")
_RUBRIC = re.compile(r'^<judge name="([a-z][a-z0-9_-]*)">$', re.MULTILINE)

COMBINED = "combined"  # the judge of a call that asks several


@dataclass(frozen=True, slots=True)
class ProviderCall:
    """`judge` is the name that the system prompt gives itself, None if it gives none. `body` is the whole request.

    A call that asks several judges at once has the judge `combined`, and their names in `judges`.
    `turns` counts the messages of the conversation, without the system prompt.
    """

    model_id: str
    judge: str | None
    system: str
    conversation: str
    body: Mapping[str, Any]
    temperature: float | None
    turns: int

    @property
    def has_cache_point(self) -> bool:
        """Whether the provider is asked to cache the system prompt, where it has to be asked."""
        return False

    @property
    def judges(self) -> tuple[str, ...]:
        return judges_combined_in(self.system)


def judges_combined_in(system: str) -> tuple[str, ...]:
    return tuple(_RUBRIC.findall(system)) if "<judge name=" in system else ()


def judge_named_in(system: str) -> str | None:
    if judges_combined_in(system):
        return COMBINED
    found = _JUDGE.search(system)
    return found[1] if found else None
