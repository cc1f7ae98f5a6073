"""What the suite runs on: one server for the whole run, of the kind that TEST_REDIS asks for."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from tests.planted_secrets import REDIS_URL_PASSWORD, REDIS_URL_PASSWORD_ENCODED, note_files
from tests.servers.access_rights import User, make_users
from tests.servers.binaries import server_binary
from tests.servers.cluster import Cluster, ask
from tests.servers.kinds import EVENTS, KIND, STREAMS_IN_ONE_SLOT, Kind
from tests.servers.tls import TlsServer

from eval_worker.embedded import HOST, EmbeddedServer
from eval_worker.redis_connection import connect_sync
from eval_worker.settings import load_settings


class SuiteServer(Protocol):
    """A server of any kind."""

    def settings_of(self, user: User) -> dict[str, Any]:
        """The settings that lead here; only where users are told apart do they differ."""
        ...

    def admin(self) -> Any:
        """A blocking client that may do everything."""
        ...

    def tell(self, *command: Any) -> None:
        """Send a command to every node."""
        ...

    def make_ready(self) -> None:
        """Be as if newly started, whatever the last test did."""
        ...


class SingleServer:
    def __init__(self, server: EmbeddedServer) -> None:
        self._server = server

    def settings_of(self, user: User) -> dict[str, Any]:
        return {"redis_url": f"unix://:{REDIS_URL_PASSWORD_ENCODED}@{self._server.socket_path}"}

    def admin(self) -> Any:
        return connect_sync(load_settings(**self.settings_of(User.OPERATOR)))

    def tell(self, *command: Any) -> None:
        with self.admin() as admin:
            admin.execute_command(*command)

    def make_ready(self) -> None:
        if not self._server.running:  # a test that crashed it for good must not take the others along
            self._server.start()
        with self.admin() as admin:
            admin.flushall()


class ClusterAdmin(redis.RedisCluster):
    """Configures every node, as the same call would configure a single server."""

    def config_set(self, name: Any, value: Any, *args: Any, **kwargs: Any) -> Any:
        return self.execute_command("CONFIG SET", name, value, *args, **kwargs, target_nodes=self.ALL_NODES)


class ClusterOfThree:
    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    def settings_of(self, user: User) -> dict[str, Any]:
        # Any node will do to begin with: this one has none of the three streams.
        away = next(node for node in self._cluster.nodes if node is not self._cluster.home_of(EVENTS))
        return {"redis_addr": away.addr, "redis_cluster": True, **STREAMS_IN_ONE_SLOT}

    def admin(self) -> Any:
        place = self._cluster.nodes[0]
        return ClusterAdmin(host=HOST, port=place.port or 0, protocol=2, retry=Retry(NoBackoff(), 0))

    def tell(self, *command: Any) -> None:
        for node in self._cluster.nodes:
            ask(node, *command)

    def make_ready(self) -> None:
        with self.admin() as admin:
            admin.flushall()


class ServerOfFewRights:
    def __init__(self, server: TlsServer) -> None:
        self._server = server

    def settings_of(self, user: User) -> dict[str, Any]:
        return self._server.settings_of(user)

    def admin(self) -> Any:
        return self._server.admin()

    def tell(self, *command: Any) -> None:
        with self.admin() as admin:
            admin.execute_command(*command)

    def make_ready(self) -> None:
        with self.admin() as admin:
            admin.flushall()
            make_users(admin)


@contextmanager
def suite_server(directory: Path) -> Generator[SuiteServer]:
    """Run the server that was asked for."""
    match KIND:
        case Kind.SINGLE:
            with EmbeddedServer.on_socket(binary=server_binary(), password=REDIS_URL_PASSWORD) as server:
                yield SingleServer(server)
                note_files(server.data_dir)
        case Kind.CLUSTER:
            with Cluster() as cluster:
                yield ClusterOfThree(cluster)
        case Kind.TLS:
            with TlsServer(directory) as server:
                yield ServerOfFewRights(server)
