"""Taking a port, and what is said where more than this machine is let in."""

import socket

import pytest
import structlog

from eval_worker.doors.listening import is_loopback, listen, url_of, warn_if_open_to_all
from eval_worker.errors import SettingsError


def test_a_port_that_is_taken_is_an_error_that_names_the_settings():
    with listen("127.0.0.1", 0, settings="A_PORT") as first:
        port = first.getsockname()[1]
        with pytest.raises(SettingsError, match=f"^A_PORT: 127.0.0.1:{port} can't be had .*; choose another$"):
            listen("127.0.0.1", port, settings="A_PORT").__enter__()


@pytest.mark.parametrize(("host", "shown"), [("127.0.0.1", "127.0.0.1"), ("localhost", None), ("::1", "[::1]")])
def test_the_url_leads_to_what_is_listened_on(host: str, shown: str | None):
    with listen(host, 0, settings="A_PORT") as listening:
        address = url_of(listening).removeprefix("http://")
        name, _, port = address.rpartition(":")
        assert shown in {None, name}
        socket.create_connection((name.strip("[]"), int(port)), timeout=60).close()


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_reply_does_not_wait_until_the_client_has_acknowledged_its_head(host: str):
    with listen(host, 0, settings="A_PORT") as listening, socket.create_connection(listening.getsockname()[:2], 60):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.10", "::1", "localhost"])
def test_what_only_this_machine_reaches_is_known(host: str):
    assert is_loopback(host)


@pytest.mark.parametrize(
    ("host", "keys", "warned"),
    [("0.0.0.0", (), True), ("example.org", (), True), ("::", ("k",), False), ("::1", (), False)],
)
def test_a_port_that_is_open_to_all_is_warned_of_unless_a_key_is_asked_for(
    host: str, keys: tuple[str, ...], warned: bool
):
    with structlog.testing.capture_logs() as said:
        warn_if_open_to_all(host, keys)

    assert [each["host"] for each in said] == ([host] if warned else [])
