"""Keeps what the server's environment holds for a provider's package out of calls that a request pays for itself.

The clients of openai and anthropic read more than a key there (OPENAI_ORG_ID, OPENAI_CUSTOM_HEADERS,
ANTHROPIC_AUTH_TOKEN) and send it wherever a request's `base_url` says.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from langchain_core.language_models.chat_models import BaseChatModel

_READ_THERE = ("organization", "project", "auth_token")
_HEADERS = "_custom_headers"


def forget_environment(model: BaseChatModel, given: Mapping[str, Any]) -> None:
    """Leave the model's clients, which must be its own, nothing but what was given to its constructor."""
    headers: Mapping[str, Any] = given.get("default_headers") or {}
    for client in _clients_of(model):
        for name in _READ_THERE:
            if getattr(client, name, None) is not None:
                setattr(client, name, given.get(name) or given.get(f"openai_{name}"))
        if hasattr(client, _HEADERS):
            setattr(client, _HEADERS, dict(headers))


def _clients_of(model: BaseChatModel) -> Iterator[Any]:
    for value in tuple(vars(model).values()):
        yield from (value, getattr(value, "_client", None))
