"""Without keys, only those who name this server by an address or a name that it has are told what it knows.

A page of strangers can have its own name lead to this machine's address, and then read what is served here as if it
were its own (DNS rebinding). The browser still says by which name it came.
"""

import ipaddress
from http import HTTPStatus

from fastapi import HTTPException, Request


class RequireKnownHost:
    """A FastAPI dependency. `api_host` is where the server was told to listen."""

    def __init__(self, api_host: str, *, has_keys: bool) -> None:
        self._api_host = api_host.lower()
        self._has_keys = has_keys

    def __call__(self, request: Request) -> None:
        """Let the request pass.

        Raises:
            HTTPException: 403.
        """
        host = _name(request.headers.get("host", ""))
        if self._has_keys or host == self._api_host or _is_nobodys_else(host):
            return
        raise HTTPException(
            HTTPStatus.FORBIDDEN,
            f"the host {host[:100]!r} is not known here: use localhost or an IP address, name it as API_HOST, or set "
            "API_KEYS",
        )


def _name(host: str) -> str:
    """Without the port."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] if ":" in host else host


def _is_nobodys_else(host: str) -> bool:
    """An IP address leads nowhere else, and a name without a dot belongs to nobody on the internet."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith(".localhost")
    return True
