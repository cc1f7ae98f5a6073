"""A real server for the tests, and nothing of the developer's own environment in it."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import structlog
from tests.key_leaks import check_for_key_leaks
from tests.planted_secrets import AWS_KEYS, listen, overheard_capsys, overheard_files, pytest_runtest_makereport
from tests.processes import Worker
from tests.servers.access_rights import User
from tests.servers.ports import free_port
from tests.servers.suite_server import SuiteServer, suite_server

from eval_worker.settings import Settings, load_settings
from eval_worker.testing import FakeBedrock

if TYPE_CHECKING:
    import boto3

__all__ = ["overheard_capsys", "overheard_files", "pytest_runtest_makereport"]  # which pytest finds here

_OURS = ("AWS_", "OTEL_", "REDIS_", *(name.upper() for name in Settings.model_fields))


listen()
# A shell starts what runs in its background with Ctrl+C ignored, and whatever that starts inherits it.
signal.signal(signal.SIGINT, signal.default_int_handler)
# The default renders a traceback with every local variable, which takes seconds.
structlog.configure(processors=[structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)])
_configure_logs = structlog.configure


@pytest.fixture(autouse=True)
def logs_as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a command in this process makes of the logs ends with its test; no logger keeps it for later."""
    before = structlog.get_config()

    def configure(*, cache_logger_on_first_use: bool = False, **given: Any) -> None:
        _configure_logs(**given, cache_logger_on_first_use=False)

    monkeypatch.setattr(structlog, "configure", configure)
    yield
    _configure_logs(**before)


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
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SuiteServer]:
    """One server for the whole run; TEST_REDIS chooses its kind and TEST_REDIS_SERVER its binary."""
    with suite_server(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def lasting_keys() -> set[str]:
    """The keys without a time to live, beyond the three streams, that the test itself makes."""
    return set()


@pytest.fixture
def empty_server(server: SuiteServer, clean_environment: None, lasting_keys: set[str]) -> Iterator[SuiteServer]:
    server.make_ready()
    yield server
    check_for_key_leaks(server, lasting_keys)


@pytest.fixture
def settings(empty_server: SuiteServer) -> Settings:
    """The worker's settings, pointing at an empty server."""
    return load_settings(**empty_server.settings_of(User.WORKER), judge_model="offline")


@pytest.fixture
def operator_settings(empty_server: SuiteServer) -> Settings:
    """The settings of whoever looks after the streams; only where users are told apart do they differ."""
    return load_settings(**empty_server.settings_of(User.OPERATOR), judge_model="offline")


@pytest.fixture
def redis_client(empty_server: SuiteServer) -> Iterator[Any]:
    """A blocking client of the same server that may do everything; Any, since the library's reply types fit no test."""
    with empty_server.admin() as client:
        yield client


@pytest.fixture(name="free_port")
def a_free_port() -> int:
    return free_port()


@pytest.fixture
def bedrock() -> Iterator[FakeBedrock]:
    with FakeBedrock() as fake:
        yield fake


@pytest.fixture(scope="session")
def aws_session() -> "boto3.Session":
    """Credentials for the fake; making a session costs more than most tests do."""
    import boto3

    return boto3.Session(**{name.lower(): value for name, value in AWS_KEYS.items()})


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
