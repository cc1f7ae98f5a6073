"""The programs that the servers are made of. A test that needs one that is missing is skipped with what to install."""

import os
import shutil
from pathlib import Path

import pytest

from eval_worker.embedded import find_server


def server_binary() -> Path:
    """TEST_REDIS_SERVER, or the embedded Valkey."""
    other = os.environ.get("TEST_REDIS_SERVER")
    return Path(other) if other else find_server()


def redis_server() -> Path:
    """A server that speaks TLS, as the embedded one does not."""
    other = os.environ.get("TEST_REDIS_SERVER")
    return Path(other) if other else _installed("redis-server", "apt-get install redis-server")


def openssl() -> Path:
    return _installed("openssl", "apt-get install openssl")


def _installed(program: str, how: str) -> Path:
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"needs {program}: {how}")
    return Path(found)
