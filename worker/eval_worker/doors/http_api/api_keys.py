"""Whoever has to show a key shows one of API_KEYS."""

import hmac
from collections.abc import Collection
from http import HTTPStatus

from fastapi import HTTPException, Request

BEARER = "bearer"
HEADER = "X-API-Key"
HOW = f"Authorization: Bearer … or {HEADER}: …"


class ApiKeys:
    """A FastAPI dependency. Without any accepted key, everybody is served."""

    def __init__(self, accepted: Collection[str]) -> None:
        self._accepted = tuple(key.encode() for key in accepted)

    def __call__(self, request: Request) -> None:
        """Let the request pass.

        Raises:
            HTTPException: 401; the key that was shown is not repeated.
        """
        if not self._accepted:
            return
        shown = _shown(request)
        if not shown:
            raise _refusal(f"no API key: send one as {HOW}")
        matches = [hmac.compare_digest(one, key) for one in shown for key in self._accepted]
        if not any(matches):  # of a whole list: how long it takes tells nothing of which one fits
            raise _refusal("the API key is none of those accepted here")


def _shown(request: Request) -> list[bytes]:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    candidates = (token if scheme.lower() == BEARER else "", request.headers.get(HEADER, ""))
    return [key.strip().encode("latin-1") for key in candidates if key.strip()]  # as the bytes came


def _refusal(problem: str) -> HTTPException:
    return HTTPException(HTTPStatus.UNAUTHORIZED, problem, {"WWW-Authenticate": "Bearer"})
