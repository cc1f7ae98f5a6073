"""A cluster of real nodes on 127.0.0.1."""

import contextlib
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from tests.servers.binaries import server_binary
from tests.servers.ports import free_port
from tests.waiting import eventually_sync

from eval_worker.embedded import HOST, EmbeddedServer

SLOTS = 16_384
PATIENCE = 30.0


class Cluster:
    """Primaries that share the slots, and as many replicas of the first ones."""

    def __init__(self, *, primaries: int = 3, replicas: int = 0, config: Mapping[str, str] | None = None) -> None:
        self._directory = Path(tempfile.mkdtemp(prefix="eval-worker-cluster-"))
        self._config = {"appendonly": "no", "cluster-enabled": "yes", "cluster-node-timeout": "1000", **(config or {})}
        self.primaries = [self._new_node(number) for number in range(primaries)]
        self.replicas = [self._new_node(primaries + number) for number in range(replicas)]

    @property
    def nodes(self) -> list[EmbeddedServer]:
        return [*self.primaries, *self.replicas]

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_exception: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start every node, make them a cluster and wait until all agree that it is one."""
        for node in self.nodes:
            node.start()
        share = SLOTS // len(self.primaries)
        for number, node in enumerate(self.primaries):
            last = SLOTS - 1 if node is self.primaries[-1] else (number + 1) * share - 1
            ask(node, "CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            ask(node, "CLUSTER", "ADDSLOTSRANGE", number * share, last)
        for node in self.nodes[1:]:
            ask(node, "CLUSTER", "MEET", HOST, self.primaries[0].port)
        eventually_sync(self._all_know_all, within=PATIENCE)
        for primary, replica in zip(self.primaries, self.replicas, strict=False):
            ask(replica, "CLUSTER", "REPLICATE", ask(primary, "CLUSTER", "MYID"))
            eventually_sync(lambda replica=replica: "master_link_status:up" in text(replica, "INFO"), within=PATIENCE)
        self.wait_until_up()

    def stop(self) -> None:
        for node in self.nodes:
            with contextlib.suppress(ProcessLookupError):
                node.kill()
        shutil.rmtree(self._directory, ignore_errors=True)

    def join(self) -> EmbeddedServer:
        """Add a primary that holds no slot yet."""
        node = self._new_node(len(self.nodes))
        self.primaries.append(node)
        node.start()
        ask(node, "CLUSTER", "MEET", HOST, self.primaries[0].port)
        eventually_sync(self._all_know_all, within=PATIENCE)
        return node

    def wait_until_up(self) -> None:
        running = [node for node in self.nodes if node.running]
        eventually_sync(lambda: all("cluster_state:ok" in text(node, "CLUSTER", "INFO") for node in running), within=30)

    def home_of(self, key: str) -> EmbeddedServer:
        """The primary that holds this key's slot, by the words of the nodes that run."""
        slot = next(ask(node, "CLUSTER", "KEYSLOT", key) for node in self.nodes if node.running)
        return next(node for node in self.nodes if node.running and _holds(node, slot))

    def _all_know_all(self) -> bool:
        expected = f"cluster_known_nodes:{len(self.nodes)}"
        return all(expected in text(node, "CLUSTER", "INFO").splitlines() for node in self.nodes)

    def _new_node(self, number: int) -> EmbeddedServer:
        directory = self._directory / str(number)
        return EmbeddedServer.on_port(free_port(), directory, binary=server_binary(), config=self._config)


def ask(node: EmbeddedServer, *command: Any) -> Any:
    """Send one command to one node, whatever the cluster thinks of it."""
    with redis.Redis(host=HOST, port=node.port or 0, protocol=2, retry=Retry(NoBackoff(), 0)) as client:
        return client.execute_command(*command)


def text(node: EmbeddedServer, *command: str) -> str:
    """Ask for one of the texts that a server has about itself."""
    reply = ask(node, *command)
    if isinstance(reply, dict):
        return "\n".join(f"{name}:{value}" for name, value in reply.items())
    return reply.decode() if isinstance(reply, bytes) else str(reply)


def _holds(node: EmbeddedServer, slot: int) -> bool:
    ours = ask(node, "CLUSTER", "MYID")
    return any(
        first <= slot <= last and primary[2] == ours for first, last, primary, *_ in ask(node, "CLUSTER", "SLOTS")
    )
