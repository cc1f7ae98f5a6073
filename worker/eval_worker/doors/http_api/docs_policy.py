"""What the documentation pages may load: nothing from elsewhere. Their scripts name a logo and a validator there."""

from functools import partial
from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; worker-src blob:; frame-ancestors 'none'"
)


class DocsPolicy:
    """An ASGI middleware that gives every page of HTML the policy, which browsers obey; one with its own keeps that."""

    def __init__(self, app: "ASGIApp") -> None:
        self._app = app

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Serve one request."""
        await self._app(scope, receive, partial(_send, send))


async def _send(send: "Send", message: "Message") -> None:
    if message["type"] == "http.response.start":
        headers = MutableHeaders(scope=message)
        if headers.get("content-type", "").startswith("text/html"):
            headers.setdefault("content-security-policy", POLICY)
    await send(message)
