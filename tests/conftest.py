"""A real server for the tests, and nothing of the developer's own environment in it."""

import contextlib
import os
import random
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
import structlog
from tests.processes import Worker

from eval_worker.embedded import EmbeddedServer
from eval_worker.redis_connection import connect_sync
from eval_worker.settings import Settings, load_settings
from eval_worker.testing import FakeBedrock

if TYPE_CHECKING:
    import boto3

_OURS = ("AWS_", "REDIS_", *(name.upper() for name in Settings.model_fields))


# The default renders a traceback with every local variable, which takes seconds.
structlog.configure(processors=[structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)])


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No variable, no `.env` and no credentials file of the machine reaches a test."""
    for name in list(os.environ):
        if name.upper().startswith(_OURS):
            monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", os.devnull)
    monkeypatch.setenv("AWS_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="session")
def valkey() -> Iterator[EmbeddedServer]:
    """One server for the whole run, on a socket. TEST_REDIS_SERVER names another binary, such as a redis-server."""
    other = os.environ.get("TEST_REDIS_SERVER")
    with EmbeddedServer.on_socket(binary=Path(other) if other else None) as server:
        yield server


@pytest.fixture
def settings(valkey: EmbeddedServer, clean_environment: None) -> Settings:
    """Settings that point at an empty server."""
    if not valkey.running:  # a test that crashed it for good must not take the others along
        valkey.start()
    made = load_settings(redis_url=valkey.url, judge_model="offline")
    client = connect_sync(made)
    cast("Any", client).flushall()
    client.close()
    return made


@pytest.fixture
def redis_client(settings: Settings) -> Iterator[Any]:
    """A blocking client of the same server; Any, since the library's reply types fit no test."""
    client = connect_sync(settings)
    yield client
    client.close()


@pytest.fixture
def free_port() -> int:
    """A port that nobody listens on at the moment; low enough for a cluster's bus, which is 10,000 above."""
    for port in random.sample(range(20_000, 32_000), k=50):
        with socket.socket() as listener, contextlib.suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no free port")


@pytest.fixture
def bedrock() -> Iterator[FakeBedrock]:
    with FakeBedrock() as fake:
        yield fake


@pytest.fixture(scope="session")
def aws_session() -> "boto3.Session":
    """Credentials for the fake; making a session costs more than most tests do."""
    import boto3

    return boto3.Session(aws_access_key_id="AKIAFAKEFAKEFAKEFAKE", aws_secret_access_key="fake-secret")


@pytest.fixture
def spawn() -> Iterator[Callable[..., Worker]]:
    """Start workers that are ready; those that a test left running are ended."""
    started: list[Worker] = []

    def start(environment: dict[str, str], *program: str) -> Worker:
        worker = Worker(environment, *program)
        started.append(worker)
        worker.wait_until_ready()
        return worker

    yield start
    for worker in started:
        worker.end()
