"""Lets in who shows one of the API keys."""

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from eval_worker.doors.api_keys import HEADER, ApiKeys


class RequireApiKey:
    """ASGI middleware; refuses before anything of the body is read."""

    def __init__(self, app: ASGIApp, keys: ApiKeys) -> None:
        self._app = app
        self._keys = keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        problem = self._problem(Headers(scope=scope)) if scope["type"] == "http" else None
        if problem is None:
            await self._app(scope, receive, send)
        else:
            await JSONResponse({"error": problem}, 401, {"WWW-Authenticate": "Bearer"})(scope, receive, send)

    def _problem(self, headers: Headers) -> str | None:
        return self._keys.refusal(authorization=headers.get("authorization", ""), api_key=headers.get(HEADER, ""))
