"""Where the servers of a run are: a port for Redis, the fake Bedrock as a process."""

import contextlib
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from random import Random

from eval_worker.testing import RemoteFakeBedrock

CALL_SECONDS = "0.2"


def free_port() -> int:
    """Below those that outgoing connections get, as the server must find it free again after its death."""
    for port in Random().sample(range(20_000, 32_000), k=50):
        with socket.socket() as listener, contextlib.suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("no free port on 127.0.0.1")


@contextmanager
def fake_bedrock() -> Generator[RemoteFakeBedrock]:
    """In a process of its own: it answers thousands of calls while this one waits for others."""
    command = [sys.executable, "-m", "eval_worker.testing.fake_bedrock", "--port", "0", "--latency", CALL_SECONDS]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield RemoteFakeBedrock(process.stdout.readline().strip())
        finally:
            process.terminate()
