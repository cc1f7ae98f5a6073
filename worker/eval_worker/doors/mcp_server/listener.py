"""Where the server listens, and by which names it may be called."""

import socket
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from mcp.server.transport_security import TransportSecuritySettings

from eval_worker.errors import SettingsError

PATH = "/mcp"

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_BACKLOG = 2048


@dataclass(frozen=True, slots=True)
class Listener:
    """`allowed_hosts` are further names by which clients reach it: a proxy's, or this machine's."""

    host: str
    port: int
    allowed_hosts: tuple[str, ...] = ()

    @property
    def is_local(self) -> bool:
        return self._name in _LOOPBACK

    @property
    def _name(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host

    @contextmanager
    def listen(self) -> Generator[tuple[socket.socket, str]]:
        """Yield the socket and the URL that leads to it.

        Raises:
            SettingsError: the address can't be listened on.
        """
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        try:
            listening = socket.create_server((self.host, self.port), family=family, backlog=_BACKLOG)
        except OSError as error:
            why = (error.strerror or str(error)).partition(" (")[0]
            problem = f"{self._name}:{self.port} can't be listened on ({why}): choose others"
            raise SettingsError(f"--host, --port: {problem}") from error
        with listening:
            yield listening, f"http://{self._name}:{listening.getsockname()[1]}{PATH}"

    def security(self) -> TransportSecuritySettings:
        """A web page whose name was made to lead here shows that name in Host and Origin, and is refused."""
        names = dict.fromkeys((*_LOOPBACK, self._name, *self.allowed_hosts))
        hosts = [host for name in names for host in (name, f"{name}:*")]
        origins = [f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")]
        return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins)
