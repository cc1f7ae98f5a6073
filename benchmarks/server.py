"""The server of a run: a real one on 127.0.0.1, with an append-only file that is synchronised every second."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.servers.binaries import server_binary
from tests.servers.ports import free_port

from eval_worker.embedded import EmbeddedServer
from eval_worker.redis_connection import connect_sync
from eval_worker.settings import load_settings

# A rewrite of the append-only file in the middle of a run would be measured with one subject and not with the other.
_CONFIG = {"auto-aof-rewrite-percentage": "0"}
_POLL_SECONDS = 0.02
_LONGEST_REWRITE_SECONDS = 120.0


@contextmanager
def benchmark_server() -> Generator[EmbeddedServer]:
    """Yield a server over TCP, as a worker in production has it. Its data goes with it."""
    with (
        TemporaryDirectory(prefix="eval-worker-benchmark-") as directory,
        EmbeddedServer.on_port(free_port(), Path(directory), binary=server_binary(), config=_CONFIG) as server,
    ):
        yield server


def client_of(server: EmbeddedServer, database: int) -> Any:
    """Return a blocking client for what stands around the measurement; Any, since the reply types fit nobody."""
    return connect_sync(load_settings(redis_url=f"{server.url}/{database}", judge_model="offline"))


def rewrite_append_only_file(client: Any) -> None:
    """Have every run begin with an equally short file."""
    client.bgrewriteaof()
    deadline = time.monotonic() + _LONGEST_REWRITE_SECONDS
    while _rewriting(client):
        if time.monotonic() > deadline:
            raise TimeoutError(f"the server's append-only file is rewritten for {_LONGEST_REWRITE_SECONDS:.0f} s")
        time.sleep(_POLL_SECONDS)


def _rewriting(client: Any) -> bool:
    state = client.info("persistence")
    return bool(state["aof_rewrite_in_progress"] or state["aof_rewrite_scheduled"])
