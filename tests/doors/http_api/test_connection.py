"""Clients that trickle, flood or never read are cut off, and the others are served."""

import select
import socket
import time

import pytest
from tests.doors.http_api.serving import EVALUATE, Served, everything, reply_on, serving
from tests.events import event
from tests.waiting import eventually_sync, once_in_a_few_tries

from eval_worker.doors.http_api.connection import ConnectionBounds

BOUNDS = ConnectionBounds(head_seconds=0.4, leftover_seconds=0.4, write_seconds=0.4)
PATIENT = 60


@pytest.fixture(scope="module")
def api():
    """Nothing is late here, however slow the machine."""
    with serving(bounds=ConnectionBounds(connections=20), max_event_bytes=1_000) as served:
        yield served


@pytest.fixture(scope="module")
def impatient_api():
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


def test_a_head_that_trickles_is_cut_off_with_408_however_often_a_byte_comes(impatient_api: Served):
    with impatient_api.open() as connection:
        connection.sendall(b"GET /api/v1/health HTTP/1.1\r\nHost: here\r\nX-Slow: ")
        trickle(connection, b"x")
        reply = reply_on(connection)

    assert (reply.status, reply.error) == (408, "the request's head did not come within 0.4 s")


def test_the_head_of_a_second_request_has_no_longer(impatient_api: Served):
    def statuses() -> tuple[int, int]:
        with impatient_api.open() as connection:
            connection.sendall(b"GET /api/v1/health HTTP/1.1\r\nHost: here\r\n\r\n")
            first = reply_on(connection).status
            connection.sendall(b"GET /api/v1/health HTTP/1.1\r\nX-Slow: ")
            trickle(connection, b"x")
            return first, reply_on(connection).status

    assert once_in_a_few_tries(lambda: statuses() == (200, 408))


def test_a_connection_on_which_nothing_comes_is_closed_without_a_word(impatient_api: Served):
    with impatient_api.open() as connection:
        assert everything(connection) == ""


def test_a_body_that_goes_on_after_its_refusal_is_cut_off(impatient_api: Served):
    chunk = b"3e8\r\n" + b"x" * 1_000 + b"\r\n"

    def status() -> int:
        with impatient_api.open() as connection:
            connection.sendall(f"POST {EVALUATE} HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
            trickle(connection, chunk)
            refused = reply_on(connection).status
            with pytest.raises(OSError):
                trickle_on(connection, chunk)
        return refused

    assert once_in_a_few_tries(lambda: status() == 413)


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


def test_a_client_that_never_reads_is_cut_off(impatient_api: Served):
    """It asks for far more than the sockets' buffers hold."""
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        connection.settimeout(PATIENT)
        connection.connect(("127.0.0.1", impatient_api.port))
        state = impatient_api.server.server_state
        seen = state.total_requests
        asked = b"GET /static-offline-docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: here\r\n\r\n"
        connection.sendall(asked * 10)
        eventually_sync(lambda: state.total_requests > seen and not state.connections)


def test_one_connection_too_many_is_told_to_come_back_and_the_others_are_served(api: Served):
    held = [api.open() for _ in range(20)]
    with api.open() as connection:
        said = everything(connection)
    for each in held:
        each.close()

    assert said.startswith("HTTP/1.1 503 ")
    assert said.endswith('{"error": "too many connections: try again in a moment"}')
    assert api.get("/api/v1/health").status == 200
