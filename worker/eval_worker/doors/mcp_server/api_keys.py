"""Lets in who shows one of the API keys."""

import hmac
from collections.abc import Sequence

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

_REFUSAL = {"error": "this server needs one of its API_KEYS, in the header `Authorization: Bearer <key>`"}


class RequireApiKey:
    """ASGI middleware; refuses before anything of the body is read."""

    def __init__(self, app: ASGIApp, keys: Sequence[str]) -> None:
        self._app = app
        self._keys = tuple(key.encode() for key in keys)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or self._is_accepted(Headers(scope=scope).get("authorization", "")):
            await self._app(scope, receive, send)
            return
        await JSONResponse(_REFUSAL, 401, {"WWW-Authenticate": "Bearer"})(scope, receive, send)

    def _is_accepted(self, authorization: str) -> bool:
        scheme, _, shown = authorization.partition(" ")
        # All keys are compared, whichever fits: the time taken must not tell how close a guess was.
        fits = [hmac.compare_digest(shown.strip().encode(), key) for key in self._keys]
        return scheme.lower() == "bearer" and any(fits)
