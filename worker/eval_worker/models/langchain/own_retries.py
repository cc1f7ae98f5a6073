"""Takes a chat model's own retries away: they belong to the judge, whose deadline covers them all."""

from typing import Any

from langchain_core.language_models.chat_models import BaseChatModel

OPTION = "max_retries"


def without_own_retries(model: BaseChatModel) -> BaseChatModel:
    """Return a copy that calls its provider once; the caller's own model is left as it is.

    Most classes hand the number over to their provider's client when they are made, so that it is taken from there too:
    the clients of openai, anthropic and groq are copied by `with_options`, connections shared. A class of another make
    keeps what it does.
    """
    fields = type(model).model_fields
    copy = model.model_copy(update={OPTION: 0} if OPTION in fields else {})
    for name, value in tuple(vars(copy).items()):
        replacement = _client_without_retries(value)
        if replacement is not None:
            vars(copy)[name] = replacement
    return copy


def _client_without_retries(value: Any) -> Any | None:
    if _is_client(value):
        return value.with_options(**{OPTION: 0})
    client: Any = getattr(value, "_client", None)
    # A part of a client, such as `client.chat.completions`, is made of it alone.
    return type(value)(client.with_options(**{OPTION: 0})) if _is_client(client) else None


def _is_client(value: object) -> bool:
    return callable(getattr(value, "with_options", None)) and isinstance(getattr(value, OPTION, None), int)
