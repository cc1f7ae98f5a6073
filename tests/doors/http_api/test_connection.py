"""Clients that trickle, flood or never read are cut off, and the others are served."""

import select
import socket
import time

import pytest
from tests.doors.http_api.serving import EVALUATE, Served, everything, reply_on, serving
from tests.events import event
from tests.waiting import eventually_sync

from eval_worker.doors.http_api.connection import ConnectionBounds

BOUNDS = ConnectionBounds(connections=20, head_seconds=0.4, leftover_seconds=0.4, write_seconds=0.4)
PATIENT = 20


@pytest.fixture(scope="module")
def api():
    with serving(bounds=BOUNDS, max_event_bytes=1_000) as served:
        yield served


def trickle(connection: socket.socket, piece: bytes) -> None:
    """Send a piece again and again until the server says something or hangs up."""
    deadline = time.monotonic() + PATIENT
    while time.monotonic() < deadline:
        connection.sendall(piece)
        if select.select([connection], [], [], 0.02)[0]:
            return
    raise AssertionError("was never cut off")


def trickle_on(connection: socket.socket, piece: bytes) -> None:
    """Send on after all that the server has to say."""
    while True:
        trickle(connection, piece)


def test_a_head_that_trickles_is_cut_off_with_408_however_often_a_byte_comes(api: Served):
    with api.open() as connection:
        connection.sendall(b"GET /api/v1/health HTTP/1.1\r\nHost: here\r\nX-Slow: ")
        trickle(connection, b"x")
        reply = reply_on(connection)

    assert (reply.status, reply.error) == (408, "the request's head did not come within 0.4 s")


def test_the_head_of_a_second_request_has_no_longer(api: Served):
    with api.open() as connection:
        connection.sendall(b"GET /api/v1/health HTTP/1.1\r\nHost: here\r\n\r\n")
        assert reply_on(connection).status == 200
        connection.sendall(b"GET /api/v1/health HTTP/1.1\r\nX-Slow: ")
        trickle(connection, b"x")
        assert reply_on(connection).status == 408


def test_a_connection_on_which_nothing_comes_is_closed_without_a_word(api: Served):
    with api.open() as connection:
        assert everything(connection) == ""


def test_a_body_that_goes_on_after_its_refusal_is_cut_off(api: Served):
    with api.open() as connection:
        connection.sendall(f"POST {EVALUATE} HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        chunk = b"3e8\r\n" + b"x" * 1_000 + b"\r\n"
        trickle(connection, chunk)
        assert reply_on(connection).status == 413
        with pytest.raises(OSError):
            trickle_on(connection, chunk)


def test_what_is_not_http_is_refused_in_json(api: Served):
    with api.open() as connection:
        connection.sendall(b"\x16\x03\x01 hello\r\n\r\n")
        said = everything(connection)

    assert said.startswith("HTTP/1.1 400 ")
    assert said.endswith('{"error": "Invalid HTTP request received: it can\'t be read as HTTP/1.1"}')


def test_a_body_that_is_broken_on_the_way_ends_its_connection_alone(api: Served):
    with api.open() as connection:
        connection.sendall(
            f"POST {EVALUATE} HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n".encode()
        )
        assert everything(connection).startswith("HTTP/1.1 400 ")
    assert api.post(EVALUATE, event()).status == 200


def test_a_head_without_end_is_refused(api: Served):
    with api.open() as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * 70_000)
        assert everything(connection).startswith("HTTP/1.1 400 ")


def test_a_client_that_never_reads_is_cut_off(api: Served):
    """It asks for far more than the sockets' buffers hold."""
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        connection.settimeout(PATIENT)
        connection.connect(("127.0.0.1", api.port))
        asked = b"GET /static-offline-docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: here\r\n\r\n"
        connection.sendall(asked * 10)
        eventually_sync(lambda: api.server.server_state.connections, within=PATIENT)
        eventually_sync(lambda: not api.server.server_state.connections, within=PATIENT)


def test_one_connection_too_many_is_told_to_come_back_and_the_others_are_served(api: Served):
    held = [api.open() for _ in range(BOUNDS.connections)]
    with api.open() as connection:
        said = everything(connection)
    for each in held:
        each.close()

    assert said.startswith("HTTP/1.1 503 ")
    assert said.endswith('{"error": "too many connections: try again in a moment"}')
    assert api.get("/api/v1/health").status == 200
