import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from tests.servers.access_rights import User
from tests.servers.binaries import server_binary
from tests.servers.certificates import make_certificates
from tests.servers.tls import TlsServer
from tests.waiting import eventually, eventually_sync

from eval_worker.embedded import EmbeddedServer
from eval_worker.errors import RedisUnavailableError, SettingsError
from eval_worker.redis_connection import (
    address,
    check_one_slot,
    connect,
    connect_sync,
    explain,
    ping_or_explain,
    ping_or_explain_sync,
)
from eval_worker.settings import Settings, load_settings

NOT_THERE = r"^no Redis at 127\.0\.0\.1:\d+ \(connection refused\): start one "


def ping(settings: Settings) -> None:
    async def connect_and_ping():
        client = connect(settings)
        try:
            await ping_or_explain(client, settings)
        finally:
            await client.aclose()

    asyncio.run(connect_and_ping())


def why_not(settings: Settings) -> str:
    """Both clients have to say the same."""
    with pytest.raises(RedisUnavailableError) as asynchronous:
        ping(settings)
    with pytest.raises(RedisUnavailableError) as blocking:
        ping_or_explain_sync(connect_sync(settings), settings)
    assert str(asynchronous.value) == str(blocking.value)
    return str(blocking.value)


@pytest.fixture(scope="module")
def guarded_server() -> Iterator[EmbeddedServer]:
    with EmbeddedServer.on_socket(password="p@ss: 'wörd\"") as server:
        yield server


def test_a_server_that_answers_needs_no_explanation(settings: Settings):
    ping(settings)
    ping_or_explain_sync(connect_sync(settings), settings)


def test_repeated_field_names_and_bytes_survive_reading(settings: Settings, redis_client: Any):
    entry = redis_client.execute_command("XADD", "eval-events", "*", "a", "1", "a", "2", "b", b"\xff")
    redis_client.xgroup_create("eval-events", "eval-group", "0")
    expected = [[b"eval-events", [[entry, [b"a", b"1", b"a", b"2", b"b", b"\xff"]]]]]

    async def read():
        client = connect(settings, block_seconds=1)
        try:
            assert await client.xread({"eval-events": "0"}) == expected
            assert await client.xreadgroup("eval-group", "me", {"eval-events": ">"}) == expected
            assert await client.xreadgroup("eval-group", "me", {"eval-events": ">"}) == []
        finally:
            await client.aclose()

    asyncio.run(read())
    assert redis_client.xread({"eval-events": "0"}) == expected


def test_a_long_block_outlives_the_usual_reply_timeout(settings: Settings):
    client = connect(settings, block_seconds=30)
    assert client.get_connection_kwargs()["socket_timeout"] > 30


def test_a_command_whose_reply_is_lost_is_never_sent_again(settings: Settings, redis_client: Any):
    for client in (connect(settings), connect_sync(settings)):
        assert client.connection_pool.connection_kwargs["retry"].get_retries() == 0


def test_no_server_is_said_with_the_ways_out():
    settings = load_settings(redis_addr="localhost:1")
    assert why_not(settings) == (
        "no Redis at localhost:1 (connection refused): start one (eval-worker run --embedded brings its own), "
        "or set REDIS_ADDR or REDIS_URL"
    )


def test_a_server_that_went_away_is_said_as_one_that_was_never_there(tmp_path: Path, free_port: int):
    """A client that renews a connection that it has hides the system's own error behind what it found there."""

    async def after_it_was_killed() -> None:
        with EmbeddedServer.on_port(free_port, tmp_path, binary=server_binary()) as server:
            settings = load_settings(redis_addr=server.addr)
            client, blocking = connect(settings), connect_sync(settings)
            await ping_or_explain(client, settings)
            ping_or_explain_sync(blocking, settings)
            server.kill()
            (connection,) = client.connection_pool._available_connections
            reader: Any = connection._reader
            await eventually(reader.at_eof)
            with pytest.raises(RedisUnavailableError, match=NOT_THERE):
                await ping_or_explain(client, settings)
            with pytest.raises(RedisUnavailableError, match=NOT_THERE):
                ping_or_explain_sync(blocking, settings)
            await client.aclose()

    asyncio.run(after_it_was_killed())


def test_a_server_that_is_killed_while_it_is_asked_is_not_told_to_speak_tls(tmp_path: Path, free_port: int):
    async def killed_while_it_is_asked() -> str:
        with EmbeddedServer.on_port(free_port, tmp_path, binary=server_binary()) as server:
            settings = load_settings(redis_addr=server.addr)
            client, looking = connect(settings, block_seconds=60), connect_sync(settings)
            read: Any = client.xread
            reading = asyncio.create_task(read({"nothing": "$"}, block=60_000))
            await eventually(lambda: any(each["cmd"] == "xread" for each in looking.client_list()))
            server.kill()
            with pytest.raises(redis.ConnectionError) as hung_up:
                await reading
            await client.aclose()
            return str(explain(hung_up.value, settings))

    message = asyncio.run(killed_while_it_is_asked())
    assert message.endswith("closed the connection: see whether it was stopped or restarted")


def test_a_missing_socket_is_said():
    assert "no Redis at unix:///nowhere.sock (no such socket)" in why_not(
        load_settings(redis_url="unix:///nowhere.sock")
    )


@pytest.mark.parametrize("password", [None, "wrong"])
def test_a_wrong_password_is_said_and_never_shown(guarded_server: EmbeddedServer, password: str | None):
    message = why_not(load_settings(redis_url=guarded_server.url, redis_password=password))
    assert "refused the user or password: check REDIS_USERNAME and REDIS_PASSWORD" in message
    assert "wrong" not in message


def test_the_right_password_opens(guarded_server: EmbeddedServer):
    ping(load_settings(redis_url=guarded_server.url, redis_password="p@ss: 'wörd\""))


def test_a_user_without_rights_is_told_so():
    with EmbeddedServer.on_socket(binary=server_binary()) as server:
        with connect_sync(load_settings(redis_url=server.url)) as admin:
            admin.execute_command("ACL", "SETUSER", "reader", "on", ">pw", "~*", "+client", "-ping")
        limited = load_settings(redis_url=server.url, redis_username="reader", redis_password="pw")
        assert "check REDIS_USERNAME and its rights" in why_not(limited)


def test_over_tls_the_certificate_is_verified_and_what_does_not_fit_is_said(tmp_path: Path):
    other = make_certificates(tmp_path / "other")
    with TlsServer(tmp_path / "server") as server:
        right = server.settings_of(User.WORKER)
        ping(load_settings(**right))
        stranger = load_settings(**{**right, "redis_ca_file": str(other.authority)})
        assert "check REDIS_TLS and REDIS_CA_FILE" in why_not(stranger)
        plain = load_settings(**{**right, "redis_tls": False, "redis_ca_file": None})
        assert "if it wants TLS, set REDIS_TLS=true" in why_not(plain)
        unknown = load_settings(**{**right, "redis_password": "wrong"})
        assert "check REDIS_USERNAME and REDIS_PASSWORD" in why_not(unknown)


def test_a_connection_that_was_left_has_dropped_its_socket_though_the_server_says_no_goodbye(tmp_path: Path):
    async def leave_while_it_hangs(server: TlsServer) -> int:
        client = connect(load_settings(**server.settings_of(User.WORKER)))
        connection: Any = await client.connection_pool.get_connection()
        tcp_socket: Any = connection._writer.get_extra_info("socket")
        assert server.server.pid is not None
        os.kill(server.server.pid, signal.SIGSTOP)
        try:
            await connection.disconnect(nowait=True)
            await asyncio.sleep(0)  # the turn of the event loop in which it closes what is to be closed
            return tcp_socket.fileno()
        finally:
            os.kill(server.server.pid, signal.SIGCONT)

    with TlsServer(tmp_path / "server") as server:
        assert asyncio.run(leave_while_it_hangs(server)) == -1


@pytest.mark.parametrize(
    ("flags", "problem"),
    [
        ({"redis_url": "http://localhost"}, "REDIS_URL: must start with redis://"),
        ({"redis_url": "redis://:pa#ss/word@h:1"}, "REDIS_URL: must look like"),
        ({"redis_url": "redis:///0"}, "REDIS_URL: names no host"),
        ({"redis_url": "redis://h?protocol=3"}, "REDIS_URL: the option 'protocol'"),
        ({"redis_url": "unix://"}, "REDIS_URL: unix:// needs the path"),
        ({"redis_url": "unix:///a.sock", "redis_cluster": True}, "REDIS_URL: a cluster"),
        ({"redis_sentinel": "mymaster"}, "REDIS_SENTINEL: must be like"),
        ({"redis_sentinel": "m@host:x"}, "REDIS_SENTINEL: must be like"),
        ({"redis_sentinel": "m@h:1", "redis_cluster": True}, "exclude each other"),
        ({"redis_tls": True, "redis_ca_file": "/no/such.pem"}, "REDIS_CA_FILE: there is no file /no/such.pem"),
    ],
)
def test_a_wrong_setting_is_named_and_no_password_shown(flags: dict[str, Any], problem: str):
    for make in (connect, connect_sync):
        with pytest.raises(SettingsError, match="REDIS") as refusal:
            make(load_settings(**flags))
        assert problem in str(refusal.value)
        assert "pa#ss" not in str(refusal.value)


@pytest.mark.parametrize(
    ("flags", "shown"),
    [
        ({}, "localhost:6379"),
        ({"redis_addr": "10.0.0.1:7000"}, "10.0.0.1:7000"),
        ({"redis_url": "rediss://me:secret@redis.example"}, "redis.example:6379"),
        ({"redis_url": "unix:///run/r.sock?db=2"}, "unix:///run/r.sock"),
        ({"redis_sentinel": "m@a:1,b"}, "m@a:1,b"),
    ],
)
def test_the_address_is_shown_without_a_password(flags: dict[str, Any], shown: str):
    assert address(load_settings(**flags)) == shown


def test_what_the_url_says_wins_over_the_single_settings():
    settings = load_settings(redis_url="redis://me:secret@h:1/3", redis_username="other", redis_password="other")
    options = connect_sync(settings).get_connection_kwargs()
    assert (options["username"], options["password"], options["db"]) == ("me", "secret", 3)


def test_a_rediss_url_checks_the_certificate_against_our_ca_file(tmp_path: Path):
    ca_file = tmp_path / "ca.pem"
    ca_file.touch()
    options = connect_sync(load_settings(redis_url="rediss://h", redis_ca_file=str(ca_file))).get_connection_kwargs()
    assert options["ssl_ca_certs"] == str(ca_file)
    assert options["ssl_cert_reqs"] == "required"


@pytest.mark.parametrize(
    ("stream", "result", "dead", "suggestion"),
    [
        ("eval-events", "eval-results", "eval-dead-letters", "{eval-events}:results"),
        ("{a}events", "eval-results", "eval-dead-letters", "{a}:dead-letters"),
    ],
)
def test_a_cluster_is_refused_when_a_script_could_not_reach_all_streams(
    stream: str, result: str, dead: str, suggestion: str
):
    names = {
        "redis_stream_name": stream,
        "redis_result_stream": result,
        "redis_dead_letter_stream": dead,
    }
    with pytest.raises(SettingsError) as refusal:
        check_one_slot(load_settings(redis_cluster=True, **names))
    assert suggestion in str(refusal.value)
    check_one_slot(load_settings(redis_cluster=False, **names))


def test_the_names_that_are_suggested_for_a_cluster_work():
    check_one_slot(
        load_settings(
            redis_cluster=True,
            redis_result_stream="{eval-events}:results",
            redis_dead_letter_stream="{eval-events}:dead-letters",
        )
    )


def test_a_one_node_cluster_is_served(tmp_path: Path, free_port: int):
    with EmbeddedServer.on_port(free_port, tmp_path, config={"cluster-enabled": "yes"}) as server:
        plain: Any = redis.Redis(host="127.0.0.1", port=free_port)
        plain.execute_command("CLUSTER", "ADDSLOTSRANGE", 0, 16_383)
        eventually_sync(lambda: b"cluster_state:ok" in plain.execute_command("CLUSTER", "INFO"))
        plain.close()
        settings: Settings = load_settings(redis_addr=server.addr, redis_cluster=True)

        async def read():
            client = connect(settings)
            try:
                await ping_or_explain(client, settings)
                entry = await client.execute_command("XADD", "eval-events", "*", "a", "1", "a", "2")
                assert await client.xread({"eval-events": "0"}) == [
                    [b"eval-events", [[entry, [b"a", b"1", b"a", b"2"]]]]
                ]
            finally:
                await client.aclose()

        asyncio.run(read())
        client = connect_sync(settings)
        ping_or_explain_sync(client, settings)
        client.close()
