"""The copy of a chat model that judges are answered with: without retries, one answer a call, connections of its own.

Retries belong to the judge, whose deadline covers them all. Connections belong to one event loop: langchain_openai and
langchain_anthropic share theirs among all models of a process, so that a program which calls its own in its own loop
would be handed connections of ours, and we its.
"""

import importlib
from functools import cache
from typing import Any

from langchain_core.language_models.chat_models import BaseChatModel

from eval_worker.models.calls_loop import close_at_exit

RETRIES = "max_retries"
_ANSWERS = "n"  # how many a call brings, all of which are paid for; only the first is read


def own_copy_of(model: BaseChatModel) -> BaseChatModel:
    """Return a copy that calls its provider once, for one answer; the caller's own model is left as it is.

    Most classes hand these things over to their provider's client when they are made, so that they are changed there:
    the clients of openai, anthropic and groq are copied by `with_options`. Where the model was given an HTTP client or
    a proxy, that stays. A class of another make keeps what it does.
    """
    fields = type(model).model_fields
    copy = model.model_copy(update=_once(model))
    keeps_http_client = any(getattr(model, name) is not None for name in fields if _is_about_connections(name))
    for name, value in tuple(vars(copy).items()):
        client = value if _is_client(value) else getattr(value, "_client", None)
        if _is_client(client):
            own = _own_client(client, keeps_http_client=keeps_http_client)
            # A part of a client, such as `client.chat.completions`, is made of it alone.
            vars(copy)[name] = own if client is value else type(value)(own)
    return copy


def _once(model: BaseChatModel) -> dict[str, int]:
    answers: object = getattr(model, _ANSWERS, None)
    asks_for_more = isinstance(answers, int) and answers > 1
    without_retries = {RETRIES: 0} if RETRIES in type(model).model_fields else {}
    return without_retries | ({_ANSWERS: 1} if asks_for_more else {})


def _is_about_connections(field: str) -> bool:
    return field in {"http_client", "http_async_client"} or field.endswith("_proxy")


def _is_client(value: object) -> bool:
    return callable(getattr(value, "with_options", None)) and isinstance(getattr(value, RETRIES, None), int)


def _own_client(client: Any, *, keeps_http_client: bool) -> Any:
    options: dict[str, Any] = {RETRIES: 0}
    if type(client).__name__.startswith("Async") and not keeps_http_client:
        http_client = _http_client(type(client).__module__.partition(".")[0])
        options |= {"http_client": http_client} if http_client else {}
    return client.with_options(**options)


@cache
def _http_client(package: str) -> Any | None:
    """Return the one HTTP client that all our copies use with this package; making one reads certificates."""
    make = getattr(importlib.import_module(package), "DefaultAsyncHttpxClient", None)
    if make is None:
        return None
    http_client = make()
    close_at_exit(http_client.aclose)
    return http_client
