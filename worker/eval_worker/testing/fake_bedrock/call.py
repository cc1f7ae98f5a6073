"""One Converse request, as the fake understood it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from eval_worker.testing.fake_provider.call import ProviderCall, judge_named_in


@dataclass(frozen=True, slots=True)
class Call(ProviderCall):
    """What every call has, from a Converse request; and how many of its tokens the prompt cache reads and writes."""

    cache_read: int = 0
    cache_write: int = 0

    @classmethod
    def parse(cls, model_id: str, body: Mapping[str, Any]) -> Self:
        system = "\n".join(_texts(body.get("system", [])))
        messages = body.get("messages", [])
        said = (line for message in messages for line in _texts(message.get("content", [])))
        temperature = body.get("inferenceConfig", {}).get("temperature")
        return cls(model_id, judge_named_in(system), system, "\n".join(said), body, temperature, len(messages))

    @property
    def has_cache_point(self) -> bool:
        return any("cachePoint" in block for block in self.body.get("system", []))


def _texts(blocks: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    return (block["text"] for block in blocks if "text" in block)
