"""Whether somebody listens to the calls of a boto3 client or stands in for it: tracing, a stub, a plugin."""

# botocore ships no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from collections.abc import Iterable
from types import FunctionType
from typing import Any

from botocore.client import BaseClient

# In the order of a call.
_EVENTS = (
    "provide-client-params",
    "before-parameter-build",
    "before-endpoint-resolution",
    "before-call",
    "request-created",
    "before-sign",
    "before-send",
    "response-received",
    "after-call",
)
_OPERATION = "bedrock-runtime.Converse"


def has_hooks(client: Any) -> bool:
    """Whether a call of it does anything that is not botocore's own; also where that can't be told."""
    method = vars(BaseClient).get("_make_api_call")
    if not isinstance(method, FunctionType) or not _is_botocores(method):
        return True
    return not all(_is_botocores(handler) for event in _EVENTS for handler in _handlers(client, event))


def _handlers(client: Any, event: str) -> Iterable[object]:
    emitter = getattr(client.meta.events, "_emitter", None)  # botocore has no public way to ask who listens
    if emitter is None:
        return (None,)
    return emitter._handlers.prefix_search(f"{event}.{_OPERATION}")  # noqa: SLF001


def _is_botocores(handler: object) -> bool:
    module: object = getattr(handler, "__module__", None)
    return isinstance(module, str) and module.partition(".")[0] in {"botocore", "boto3"}
