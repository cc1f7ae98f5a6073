"""A route whose replies no cache may keep: they hold data that others may not see, or that is soon another."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import HTTPException, Request, Response
from fastapi.routing import APIRoute

_CACHE_CONTROL, _NO_STORE = "Cache-Control", "no-store"


class PrivateRoute(APIRoute):
    """What a route says of caching itself stands. Refusals are not kept either: a 404 may be found a moment later."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_privately(request: Request) -> Response:
            try:
                response = await handle(request)
            except HTTPException as error:
                error.headers = {_CACHE_CONTROL: _NO_STORE, **(error.headers or {})}
                raise
            response.headers.setdefault(_CACHE_CONTROL, _NO_STORE)
            return response

        return handle_privately
