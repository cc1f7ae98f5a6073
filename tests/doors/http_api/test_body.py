"""A body is read no further than an event may be large, and not for ever."""

import json
import socket
from collections.abc import Iterator

import pytest
from tests.doors.http_api.serving import EVALUATE, Served, everything, reply_on, serving
from tests.events import event
from tests.waiting import eventually_sync

MOST = 2_000
CHUNK = b"x" * 65_536


@pytest.fixture(scope="module")
def api():
    with serving(max_event_bytes=MOST) as served:
        yield served


def padded(size: int) -> bytes:
    document = json.dumps(event()).encode()
    return document + b" " * (size - len(document))


def test_an_event_as_large_as_may_be_is_judged_and_one_byte_more_is_413(api: Served):
    assert api.post(EVALUATE, padded(MOST)).status == 200

    reply = api.post(EVALUATE, padded(MOST + 1))

    assert (reply.status, reply.error) == (413, "payload: is more than MAX_EVENT_BYTES (2000 bytes)")


def test_what_is_announced_too_large_is_refused_before_a_byte_of_it_was_sent(api: Served):
    with api.open() as connection:
        connection.sendall(head("Content-Length: 200000000"))
        assert reply_on(connection).status == 413


def test_a_chunked_body_is_counted_while_it_comes(api: Served):
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        while sent < 50 * len(CHUNK):
            sent += len(CHUNK)
            yield CHUNK

    assert api.post(EVALUATE, endless()).status == 413


def test_a_chunked_body_is_judged_as_any_other(api: Served):
    document = json.dumps(event()).encode()
    assert api.post(EVALUATE, iter([document[:50], document[50:]])).status == 200


def test_a_body_that_trickles_is_given_up_with_408():
    with serving(max_event_bytes=MOST, body_seconds=0.3) as api, api.open() as connection:
        connection.sendall(head("Content-Length: 1000") + b'{"event')
        reply = reply_on(connection)

    assert reply.status == 408
    assert reply.error.startswith("payload: only 7 bytes of it came within")


def test_a_compressed_body_is_refused_with_415(api: Served):
    reply = api.post(EVALUATE, event(), Content_Encoding="gzip")

    assert (reply.status, reply.error) == (415, "payload: Content-Encoding 'gzip' is not read here")


def test_bodies_that_wait_together_for_more_than_there_is_room_are_429():
    size = 33 * 1024 * 1024
    with serving(max_event_bytes=size) as api:
        held = [begun(api, size) for _ in range(2)]
        eventually_sync(lambda: api.metric("eval_http_body_bytes") == 2 * (size - 1))
        reply = api.post(EVALUATE, b" " * size)
        for connection in held:
            connection.close()

    assert (reply.status, reply.error) == (429, "the server is full: too much is waiting to be judged")
    assert reply.headers["retry-after"] == "1"


def begun(api: Served, size: int) -> socket.socket:
    """A request of which all but the last byte was taken."""
    connection = api.open()
    connection.sendall(head(f"Content-Length: {size}") + b" " * (size - 1))
    return connection


def head(*headers: str) -> bytes:
    return "\r\n".join([f"POST {EVALUATE} HTTP/1.1", "Host: here", *headers, "", ""]).encode()


def test_the_connection_serves_on_after_a_refusal(api: Served):
    with api.open() as connection:
        for _ in range(2):
            connection.sendall(head(f"Content-Length: {MOST + 1}") + b" " * (MOST + 1))
            assert reply_on(connection).status == 413
        connection.sendall(b"GET /api/v1/health HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
        assert '"status":"ok"' in everything(connection)


def test_a_client_that_closes_after_one_request_hears_why_it_was_refused(api: Served):
    """What is closed while a body lies unread is reset, and the answer may be lost with it."""
    for _ in range(5):
        with api.open() as connection:
            connection.sendall(head("Content-Length: 4000000", "Connection: close") + b" " * 4_000_000)
            assert reply_on(connection).status == 413
