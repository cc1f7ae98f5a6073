"""One request for a chat completion, as the fake understood it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from eval_worker.testing.fake_provider.call import ProviderCall, judge_named_in

_INSTRUCTIONS = frozenset({"developer", "system"})


@dataclass(frozen=True, slots=True)
class ChatCall(ProviderCall):
    """What every call has, and the headers, in lower case."""

    headers: Mapping[str, str]

    @classmethod
    def parse(cls, body: Mapping[str, Any], headers: Mapping[str, str]) -> Self:
        messages: list[Mapping[str, Any]] = body["messages"]
        system = "\n".join(_text(message) for message in messages if message["role"] in _INSTRUCTIONS)
        said = [_text(message) for message in messages if message["role"] not in _INSTRUCTIONS]
        return cls(
            str(body["model"]),
            judge_named_in(system),
            system,
            "\n".join(said),
            body,
            body.get("temperature"),
            len(said),
            headers,
        )


def _text(message: Mapping[str, Any]) -> str:
    content: str | Iterable[Mapping[str, Any]] = message.get("content") or ""
    return content if isinstance(content, str) else "\n".join(str(part.get("text", "")) for part in content)
