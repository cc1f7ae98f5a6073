"""A primary, its replica and the sentinel that watches over both."""

import contextlib
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import redis
from tests.servers.binaries import server_binary
from tests.servers.cluster import ask, plain_client, text
from tests.servers.ports import free_port
from tests.servers.started import Started
from tests.waiting import eventually_sync

from eval_worker.embedded import HOST, EmbeddedServer, _die_with_parent
from eval_worker.redis_connection import REDIS_ERRORS

SERVICE = "mymaster"
PATIENCE = 90.0
_CONFIG = """\
port {port}
bind {host}
dir {directory}
sentinel monitor {service} {host} {primary} 1
sentinel down-after-milliseconds {service} 2500
sentinel failover-timeout {service} 10000
"""


class SentinelGroup(Started):
    """The first of the two servers starts as the primary."""

    def __init__(self) -> None:
        self._directory = Path(tempfile.mkdtemp(prefix="eval-worker-sentinel-"))
        self._port, self._nobody = free_port(), free_port()
        self.servers = [self._new_server("first"), self._new_server("second")]
        self._sentinel: subprocess.Popen[bytes] | None = None

    @property
    def redis_sentinel(self) -> str:
        """What REDIS_SENTINEL has to be; the first sentinel that is named there is not running."""
        return f"{SERVICE}@{HOST}:{self._nobody},{HOST}:{self._port}"

    def start(self) -> None:
        """Start all three and wait until the sentinel knows both servers."""
        first, second = self.servers
        first.start()
        second.start()
        ask(second, "REPLICAOF", HOST, first.port)
        eventually_sync(lambda: self.is_replica(second), within=PATIENCE)
        self._sentinel = self._start_sentinel(first)
        eventually_sync(self._knows_replica, within=PATIENCE)

    def stop(self) -> None:
        if self._sentinel is not None:
            self._sentinel.kill()
            self._sentinel.wait()
        for server in self.servers:
            server.kill()
        shutil.rmtree(self._directory, ignore_errors=True)

    def primary(self) -> EmbeddedServer:
        """The primary by the sentinel's word, which may be dead."""
        _, port = self._ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", SERVICE)
        return next(server for server in self.servers if server.port == int(port))

    def client(self) -> Any:
        """A plain client of the primary."""
        return plain_client(self.primary())

    def is_replica(self, server: EmbeddedServer) -> bool:
        """Whether this server follows the other one and is up to date; one that just changes sides may hang up."""
        try:
            said = text(server, "INFO", "replication")
        except redis.ConnectionError:
            return False
        return "role:slave" in said and "master_link_status:up" in said

    def _new_server(self, name: str) -> EmbeddedServer:
        return EmbeddedServer.on_port(
            free_port(), self._directory / name, binary=server_binary(), config={"repl-diskless-sync-delay": "0"}
        )

    def _start_sentinel(self, primary: EmbeddedServer) -> subprocess.Popen[bytes]:
        path = self._directory / "sentinel.conf"
        path.write_text(
            _CONFIG.format(port=self._port, host=HOST, directory=self._directory, service=SERVICE, primary=primary.port)
        )
        with (self._directory / "sentinel.log").open("wb") as log:
            return subprocess.Popen(
                [server_binary(), path, "--sentinel"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=_die_with_parent(),  # noqa: PLW1509  # it only makes one system call
            )

    def _knows_replica(self) -> bool:
        with contextlib.suppress(*REDIS_ERRORS):
            return bool(self._ask("SENTINEL", "REPLICAS", SERVICE))
        return False

    def _ask(self, *command: str) -> Any:
        with redis.Redis(host=HOST, port=self._port, protocol=2) as client:
            return client.execute_command(*command)
