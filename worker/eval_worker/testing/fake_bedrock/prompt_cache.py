"""The fake's prompt cache: what stands before a cache point of the system prompt is written once, and then read."""

import json
from collections.abc import Callable
from dataclasses import replace

from eval_worker.testing.fake_bedrock.call import Call
from eval_worker.testing.fake_bedrock.converse import tokens

FLOOR_TOKENS = 1_024
KEPT_SECONDS = 300.0


class PromptCache:
    """Prefixes by what they hold: model, tools and system prompt. Each use keeps it for five minutes more."""

    def __init__(self, clock: Callable[[], float], floor_tokens: int = FLOOR_TOKENS) -> None:
        self._clock = clock
        self._floor_tokens = floor_tokens
        self._kept_until: dict[str, float] = {}

    def counted(self, call: Call) -> Call:
        """Return the call with what it reads and writes. Below the floor a cache point does nothing, as on Bedrock."""
        size = tokens(call.system)
        if not call.has_cache_point or size < self._floor_tokens:
            return call
        if self._kept_until.get(_prefix(call), 0.0) > self._clock():
            return replace(call, cache_read=size)
        return replace(call, cache_write=size)

    def keep(self, call: Call) -> None:
        """Take note of a call that was answered: only now can others read what it wrote."""
        if call.cache_read or call.cache_write:
            self._kept_until[_prefix(call)] = self._clock() + KEPT_SECONDS


def _prefix(call: Call) -> str:
    return json.dumps([call.model_id, call.body.get("toolConfig"), call.system])
