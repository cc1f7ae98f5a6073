"""A server that is reached over TLS by users of few rights; its administrator comes through a socket."""

from pathlib import Path
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from tests.servers.access_rights import PASSWORD, User, make_users
from tests.servers.binaries import redis_server
from tests.servers.certificates import make_certificates
from tests.servers.ports import free_port
from tests.servers.started import Started

from eval_worker.embedded import HOST, EmbeddedServer


class TlsServer(Started):
    """One user for each part, as docs/security.md describes them."""

    def __init__(self, directory: Path) -> None:
        self._port = free_port()
        self._certificates = make_certificates(directory)
        tls = {
            "tls-port": str(self._port),
            "tls-cert-file": str(self._certificates.certificate),
            "tls-key-file": str(self._certificates.key),
            "tls-ca-cert-file": str(self._certificates.authority),
            "tls-auth-clients": "no",
        }
        self.server = EmbeddedServer.on_socket(binary=redis_server(), config=tls)

    def start(self) -> None:
        self.server.start()
        with self.admin() as admin:
            make_users(admin)

    def stop(self) -> None:
        self.server.stop()

    def admin(self) -> Any:
        path = str(self.server.socket_path)
        return redis.Redis(unix_socket_path=path, protocol=2, retry=Retry(NoBackoff(), 0))

    def settings_of(self, user: User) -> dict[str, Any]:
        """The settings with which this user gets here."""
        return {
            "redis_addr": f"{HOST}:{self._port}",
            "redis_tls": True,
            "redis_ca_file": str(self._certificates.authority),
            "redis_username": user.value,
            "redis_password": PASSWORD,
        }
