"""Whose API key a request's chat model is called with: its own, or the server's where that can go nowhere else.

A request must not carry the server's key to a server of its own choosing.
"""

import re
from collections.abc import Collection, Mapping
from typing import Any

from pydantic import SecretStr

from eval_worker.errors import ConnectorError

_KEY = "api_key"
# Parameters that shape a reply and can't change where a call goes, nor what goes along with it.
_HARMLESS = frozenset(
    {
        "frequency_penalty",
        "logprobs",
        "max_completion_tokens",
        "max_output_tokens",
        "max_retries",
        "max_tokens",
        "model",
        "model_name",
        "n",
        "num_ctx",
        "num_predict",
        "presence_penalty",
        "reasoning_effort",
        "request_timeout",
        "seed",
        "stop",
        "stop_sequences",
        "streaming",
        "temperature",
        "timeout",
        "top_k",
        "top_p",
        "verbose",
    }
)
_BASE_URLS = frozenset({"anthropic_api_url", "api_base", "base_url", "endpoint", "groq_api_base", "openai_api_base"})
# Strict, so that no two readers of URLs can take it for different hosts.
_LOOPBACK = re.compile(r"https?://(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d{1,5})?(/[A-Za-z0-9._/-]*)?")


def with_api_key(
    class_path: str, params: Mapping[str, Any], parameter_names: Collection[str], fallback: SecretStr | None
) -> dict[str, Any]:
    """Return the parameters with a key in them: the request's own, else the server's fallback.

    Without either, a provider's package would take the key that it finds in the server's environment, so that none is
    called then. A class that takes no key, such as Ollama's, is made without.

    Args:
        class_path: the class that the request names, for the message.
        params: the request's parameters.
        parameter_names: all that the class takes, from `parameters.parameter_names`.
        fallback: LLM_API_KEY.

    Raises:
        ConnectorError: no key is there to call with, or the fallback would be sent where the request says.
    """
    key_names = {name for name in parameter_names if name == _KEY or name.endswith("_api_key")}
    if not key_names:  # every request is asked for an api_key, whichever class it names
        return {name: value for name, value in params.items() if name != _KEY}
    given = {
        name: value for name, value in params.items() if not (name in key_names and (value is None or value == ""))
    }
    if key_names & given.keys():
        return given
    if fallback is None:
        raise ConnectorError(f"connector.params.api_key is required: {class_path} is called with a key of your own")
    for name, value in given.items():
        if name not in _HARMLESS and not _is_loopback(name, value):
            raise ConnectorError(
                f"connector.params.api_key is required beside {name[:100]!r}: the server's own key goes to the "
                "provider's own address only"
            )
    return {**given, _preferred(key_names): fallback.get_secret_value()}


def _is_loopback(name: str, value: object) -> bool:
    return name in _BASE_URLS and isinstance(value, str) and _LOOPBACK.fullmatch(value) is not None


def _preferred(key_names: Collection[str]) -> str:
    return _KEY if _KEY in key_names else min(key_names)
