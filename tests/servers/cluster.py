"""A cluster of real nodes on 127.0.0.1."""

import contextlib
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.crc import key_slot
from redis.retry import Retry
from tests.servers.binaries import server_binary
from tests.servers.ports import free_port
from tests.servers.started import Started
from tests.waiting import eventually_sync

from eval_worker.embedded import HOST, EmbeddedServer

PRIMARIES = 3
SLOTS = 16_384
PATIENCE = 90.0


class Cluster(Started):
    """Three primaries that share the slots and, where it is asked for, a replica of the one that holds a key."""

    def __init__(self, *, replica_for: str | None = None, config: Mapping[str, str] | None = None) -> None:
        self._replica_for = replica_for
        self._directory = Path(tempfile.mkdtemp(prefix="eval-worker-cluster-"))
        self._config = {"appendonly": "no", "cluster-enabled": "yes", "cluster-node-timeout": "1000", **(config or {})}
        self.nodes = [self._new_node(number) for number in range(PRIMARIES if replica_for is None else PRIMARIES + 1)]

    def start(self) -> None:
        """Start every node, make them a cluster and wait until all agree that it is one."""
        for node in self.nodes:
            node.start()
        for number, (first, last) in enumerate(_shares()):
            ask(self.nodes[number], "CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            ask(self.nodes[number], "CLUSTER", "ADDSLOTSRANGE", first, last)
        for node in self.nodes[1:]:
            self._meet(node)
        eventually_sync(self._all_know_all, within=PATIENCE)
        if self._replica_for is not None:
            replica = self.nodes[-1]
            ask(replica, "CLUSTER", "REPLICATE", ask(self.home_of(self._replica_for), "CLUSTER", "MYID"))
            eventually_sync(lambda: "master_link_status:up" in text(replica, "INFO", "replication"), within=PATIENCE)
        self.wait_until_up()

    def stop(self) -> None:
        for node in self.nodes:
            with contextlib.suppress(ProcessLookupError):
                node.kill()
        shutil.rmtree(self._directory, ignore_errors=True)

    def join(self) -> EmbeddedServer:
        """Add a primary that holds no slot yet."""
        node = self._new_node(len(self.nodes))
        self.nodes.append(node)
        node.start()
        self._meet(node)
        eventually_sync(self._all_know_all, within=PATIENCE)
        self.wait_until_up()
        return node

    def wait_until_up(self) -> None:
        eventually_sync(
            lambda: all("cluster_state:ok" in text(node, "CLUSTER", "INFO") for node in self._running()),
            within=PATIENCE,
        )

    def home_of(self, key: str) -> EmbeddedServer:
        """The primary that holds this key's slot, by its own words."""
        for node in self._running():
            if _holds(node, key_slot(key.encode())):
                return node
        raise redis.ConnectionError(f"no node that runs holds {key}")

    def is_anywhere(self, key: str) -> bool:
        return any(_holds(node, key_slot(key.encode())) for node in self._running())

    def client_at(self, key: str) -> Any:
        """A plain client of the node where the key is now."""
        return plain_client(self.home_of(key))

    def _running(self) -> list[EmbeddedServer]:
        return [node for node in self.nodes if node.running]

    def _meet(self, node: EmbeddedServer) -> None:
        ask(node, "CLUSTER", "MEET", HOST, self.nodes[0].port)

    def _all_know_all(self) -> bool:
        expected = f"cluster_known_nodes:{len(self.nodes)}"
        return all(expected in text(node, "CLUSTER", "INFO").splitlines() for node in self.nodes)

    def _new_node(self, number: int) -> EmbeddedServer:
        directory = self._directory / str(number)
        return EmbeddedServer.on_port(free_port(), directory, binary=server_binary(), config=self._config)


def ask(node: EmbeddedServer, *command: Any) -> Any:
    """Send one command to one node, whatever the cluster thinks of it."""
    with plain_client(node) as client:
        return client.execute_command(*command)


def plain_client(node: EmbeddedServer) -> Any:
    return redis.Redis(host=HOST, port=node.port or 0, protocol=2, retry=Retry(NoBackoff(), 0))


def text(node: EmbeddedServer, *command: str) -> str:
    """Ask for one of the texts that a server has about itself."""
    reply = ask(node, *command)
    if isinstance(reply, dict):
        return "\n".join(f"{name}:{value}" for name, value in reply.items())
    return reply.decode() if isinstance(reply, bytes) else str(reply)


def _shares() -> list[tuple[int, int]]:
    """The first and last slot of each primary."""
    size = SLOTS // PRIMARIES
    return [(at * size, SLOTS - 1 if at == PRIMARIES - 1 else (at + 1) * size - 1) for at in range(PRIMARIES)]


def _holds(node: EmbeddedServer, slot: int) -> bool:
    ours = ask(node, "CLUSTER", "MYID")
    return any(
        first <= slot <= last and primary[2] == ours for first, last, primary, *_ in ask(node, "CLUSTER", "SLOTS")
    )
