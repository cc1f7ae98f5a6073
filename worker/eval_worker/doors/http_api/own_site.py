"""Without keys, no website that somebody on this machine looks at may spend its budget or read its results."""

from http import HTTPStatus

from fastapi import HTTPException, Request


class RefuseOtherSites:
    """A FastAPI dependency. A browser names the site whose script is asking in Origin; other clients send none."""

    def __init__(self, *, has_keys: bool) -> None:
        self._has_keys = has_keys  # which a site of others does not know

    def __call__(self, request: Request) -> None:
        """Let the request pass.

        Raises:
            HTTPException: 403.
        """
        origin = request.headers.get("origin")
        if self._has_keys or origin is None or _place(origin) == request.headers.get("host", "").strip().lower():
            return
        problem = f"a page of {origin[:100]!r} may not ask this server: set API_KEYS and send one"
        raise HTTPException(HTTPStatus.FORBIDDEN, problem)


def _place(origin: str) -> str:
    return origin.strip().lower().rpartition("//")[2]
