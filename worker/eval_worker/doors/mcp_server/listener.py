"""Where the server listens, and by which names it may be called."""

import socket
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from mcp.server.transport_security import TransportSecuritySettings

from eval_worker.doors.listening import listen, url_of

PATH = "/mcp"

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True)
class Listener:
    """`allowed_hosts` are further names by which clients reach it: a proxy's, or this machine's."""

    host: str
    port: int
    allowed_hosts: tuple[str, ...] = ()

    @contextmanager
    def listen(self) -> Generator[tuple[socket.socket, str]]:
        """Yield the socket and the URL that leads to it.

        Raises:
            SettingsError: the address can't be listened on.
        """
        with listen(self.host, self.port, settings="--host, --port") as listening:
            yield listening, url_of(listening) + PATH

    def security(self) -> TransportSecuritySettings:
        """A web page whose name was made to lead here shows that name in Host and Origin, and is refused."""
        names = dict.fromkeys((*_LOOPBACK, _in_url(self.host), *self.allowed_hosts))
        hosts = [host for name in names for host in (name, f"{name}:*")]
        origins = [f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")]
        return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins)


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
