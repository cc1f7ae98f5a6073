"""Whoever has to show a key shows one of API_KEYS."""

from http import HTTPStatus

from fastapi import HTTPException, Request

from eval_worker.doors.api_keys import HEADER, ApiKeys


class RequireApiKey:
    """A FastAPI dependency."""

    def __init__(self, keys: ApiKeys) -> None:
        self._keys = keys

    def __call__(self, request: Request) -> None:
        """Let the request pass.

        Raises:
            HTTPException: 401.
        """
        headers = request.headers
        problem = self._keys.refusal(authorization=headers.get("authorization", ""), api_key=headers.get(HEADER, ""))
        if problem is not None:
            raise HTTPException(HTTPStatus.UNAUTHORIZED, problem, {"WWW-Authenticate": "Bearer"})
