"""The chat model that a request asks for, if it may have it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from eval_worker.errors import ConnectorError, SettingsError
from eval_worker.models.langchain.class_paths import check_class_path
from eval_worker.models.langchain.connector_params import with_api_key

if TYPE_CHECKING:
    from langchain_core.language_models.chat_models import BaseChatModel
    from pydantic import SecretStr


@dataclass(frozen=True, slots=True)
class RequestedModel:
    """The chat model, and all that it was made with; `callers_own` says that nothing in that is the server's."""

    chat_model: "BaseChatModel"
    params: Mapping[str, Any]
    callers_own: bool


def open_requested_model(
    class_path: str,
    params: Mapping[str, Any],
    *,
    also_allowed: Collection[str] = (),
    fallback_key: "SecretStr | None" = None,
) -> RequestedModel:
    """Make the chat model that a request names. Nothing is imported before its class path is found allowed.

    Args:
        class_path: the request's `connector.class_path`.
        params: the request's `connector.params`.
        also_allowed: the class paths that LANGCHAIN_CLASS_PATHS adds to the built-in ones.
        fallback_key: LLM_API_KEY, for a request without a key of its own that goes to the provider's own address.

    Raises:
        ConnectorError: the class path is not allowed, its package is not installed, a parameter is refused, or there
            is no API key; one line that shows no parameter's value.
    """
    check_class_path(class_path, also_allowed)
    try:
        from eval_worker.models.langchain.opening import load_chat_model_class, open_chat_model  # noqa: PLC0415 (heavy)
        from eval_worker.models.langchain.parameters import parameter_names  # noqa: PLC0415 (heavy)

        names = parameter_names(load_chat_model_class(class_path))
        made_with = with_api_key(class_path, params, names, fallback_key)
        chat_model = open_chat_model(class_path, made_with)
    except SettingsError as error:
        raise ConnectorError(str(error)) from error
    return RequestedModel(chat_model, made_with, all(params.get(name) == value for name, value in made_with.items()))
