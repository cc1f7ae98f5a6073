"""Requests over connections that are kept, to servers that say what each test has them say."""

import asyncio
import socket
import ssl
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from botocore import exceptions as boto
from tests.servers.certificates import make_certificates
from tests.waiting import eventually

from eval_worker.models.bedrock.connections import BedrockConnections, HttpReply

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Server:
    """Says the next of these for each request; None is to close the connection instead."""

    def __init__(self, *says: bytes | None, closes_behind: bool = False) -> None:
        self.requests: list[bytes] = []
        self.connections = 0
        self.lost = asyncio.Event()
        self._says = list(says)
        self._closes_behind = closes_behind

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while self._says:
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
                self.requests.append(head + await reader.readexactly(length))
                said = self._says.pop(0)
                if said is None:
                    return
                writer.write(said)
                await writer.drain()
                if self._closes_behind:
                    return
            await reader.read()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.lost.set()


@asynccontextmanager
async def listening(serve: Handler, tls: ssl.SSLContext | None = None) -> AsyncGenerator[str]:
    """Serve on 127.0.0.1 until all clients have gone."""
    served: set[asyncio.Task[None]] = set()

    async def to_the_end(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await serve(reader, writer)
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    server = await asyncio.start_server(
        lambda reader, writer: served.add(asyncio.create_task(to_the_end(reader, writer))), "127.0.0.1", 0, ssl=tls
    )
    port = server.sockets[0].getsockname()[1]
    async with server:
        yield f"{'https' if tls else 'http'}://127.0.0.1:{port}"
        await asyncio.gather(*served)


@asynccontextmanager
async def connected(
    origin: str, *, tls: ssl.SSLContext | None = None, connect_seconds: float = 60, silence_seconds: float = 60
) -> AsyncGenerator[BedrockConnections]:
    connections = BedrockConnections(origin, tls=tls, connect_seconds=connect_seconds, silence_seconds=silence_seconds)
    try:
        yield connections
    finally:
        connections.close()


async def ask(connections: BedrockConnections, body: bytes = b"{}") -> HttpReply:
    return await connections.post("/model/m/converse", {"Host": "here", "X-One": "1"}, body)


def replies(server: Server, times: int = 1) -> list[HttpReply]:
    """Ask the server so often, one after the other."""

    async def talk() -> list[HttpReply]:
        async with listening(server.serve) as origin, connected(origin) as connections:
            return [await ask(connections) for _ in range(times)]

    return asyncio.run(talk())


def test_a_request_goes_out_with_its_headers_and_its_length():
    server = Server(OK)

    (reply,) = replies(server)

    assert server.requests == [
        b"POST /model/m/converse HTTP/1.1\r\nHost: here\r\nX-One: 1\r\nContent-Length: 2\r\n\r\n{}"
    ]
    assert (reply.status_code, reply.headers, reply.content) == (200, {"content-length": "2"}, b"{}")


def test_one_connection_is_kept_for_all_that_are_asked_in_turn():
    server = Server(OK, OK, OK)

    replies(server, times=3)

    assert server.connections == 1


@pytest.mark.parametrize(
    ("said", "content"),
    [
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", b"abcde"),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na", b"a"),
        (b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na", b"a"),
        (b"HTTP/1.1 204 No Content\r\n\r\n", b""),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", b""),
    ],
    ids=["chunked", "continue", "hints", "no content", "empty"],
)
def test_a_response_of_any_form_is_read_to_its_end(said: bytes, content: bytes):
    server = Server(said, OK)

    first, second = replies(server, times=2)

    assert (first.content, second.content) == (content, b"{}")
    assert server.connections == 1


@pytest.mark.parametrize("version", [b"1.0", b"1.1"])
def test_a_response_without_a_length_ends_with_its_connection(version: bytes):
    server = Server(b"HTTP/" + version + b" 200 OK\r\n\r\nabc", OK, closes_behind=True)

    first, second = replies(server, times=2)

    assert (first.content, second.content) == (b"abc", b"{}")
    assert server.connections == 2


def test_a_connection_that_the_server_will_close_is_not_used_again():
    server = Server(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}", OK)

    replies(server, times=2)

    assert server.connections == 2


def test_a_connection_that_was_closed_while_nobody_asked_is_not_used_again():
    async def talk() -> int:
        server = Server(OK, OK, closes_behind=True)
        async with listening(server.serve) as origin, connected(origin) as connections:
            await ask(connections)
            await server.lost.wait()
            await eventually(lambda: connections.idle == 0)
            await ask(connections)
        return server.connections

    assert asyncio.run(asyncio.wait_for(talk(), 60)) == 2


def test_a_connection_is_not_used_again_if_the_loop_was_too_busy_to_see_it_closed():
    async def talk() -> HttpReply:
        with socket.create_server(("127.0.0.1", 0)) as server:
            served = threading.Thread(target=answer_twice, args=[server], daemon=True)
            served.start()
            async with connected(f"http://127.0.0.1:{server.getsockname()[1]}") as connections:
                await ask(connections)
                assert connections.idle == 1
                assert first_closed.wait(60)  # meanwhile the loop stands still
                return await ask(connections)

    def answer_twice(server: socket.socket) -> None:
        for _ in range(2):
            client, _address = server.accept()
            with client:
                client.recv(65536)
                client.sendall(OK)
            first_closed.set()

    first_closed = threading.Event()
    assert asyncio.run(talk()).content == b"{}"


@pytest.mark.parametrize(
    "more", [b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother", b"HTTP/1.1 200 OK\r\nContent-Le", b"garbage"]
)
def test_what_nobody_asked_for_is_never_taken_for_the_next_answer(more: bytes):
    server = Server(OK + more, OK)

    first, second = replies(server, times=2)

    assert (first.content, second.content) == (b"{}", b"{}")
    assert server.connections == 2


@pytest.mark.parametrize(
    "said",
    [
        None,
        b"HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        b"HTTP/1.1 200 OK\r\nContent-",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
    ],
    ids=["nothing", "half a body", "half a chunk", "half a head", "no HTTP", "two lengths", "another protocol"],
)
def test_no_response_is_made_of_a_part_of_one(said: bytes | None):
    with pytest.raises(boto.ConnectionClosedError):
        replies(Server(said, closes_behind=True))


def test_silence_is_given_up():
    async def wait() -> None:
        server = Server(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{")
        async with listening(server.serve) as origin, connected(origin, silence_seconds=0.1) as connections:
            await ask(connections)

    with pytest.raises(boto.ReadTimeoutError):
        asyncio.run(asyncio.wait_for(wait(), 60))


def test_silence_on_a_connection_that_was_used_before_is_given_up_as_well():
    async def wait() -> float:
        server = Server(OK, b"HTTP/1.1 200 OK\r\n")
        async with listening(server.serve) as origin, connected(origin, silence_seconds=0.4) as connections:
            await ask(connections)
            await asyncio.sleep(0.2)  # so that the watch over the first exchange ends within the second
            began = asyncio.get_running_loop().time()
            with pytest.raises(boto.ReadTimeoutError):
                await ask(connections)
            assert server.connections == 1
            return asyncio.get_running_loop().time() - began

    assert asyncio.run(asyncio.wait_for(wait(), 60)) >= 0.39


def test_a_response_that_comes_slowly_is_waited_for():
    async def slowly(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"{}")
        for byte in OK:
            writer.write(bytes([byte]))
            await asyncio.sleep(0.06)

    async def wait() -> HttpReply:
        async with listening(slowly) as origin, connected(origin, silence_seconds=2) as connections:
            return await ask(connections)

    assert asyncio.run(wait()).content == b"{}"


def test_a_call_that_is_given_up_closes_its_connection():
    async def give_up() -> None:
        server = Server(b"", OK)
        async with listening(server.serve) as origin, connected(origin) as connections:
            asking = asyncio.create_task(ask(connections))
            await eventually(lambda: len(server.requests) == 1)
            asking.cancel()
            await asyncio.wait_for(server.lost.wait(), 60)
            assert (await ask(connections)).content == b"{}"
        assert server.connections == 2

    asyncio.run(give_up())


def test_where_nothing_listens_there_is_no_connection():
    async def find_nobody() -> None:
        async with listening(Server().serve) as origin:
            pass
        async with connected(origin) as connections:
            await ask(connections)

    with pytest.raises(boto.EndpointConnectionError):
        asyncio.run(find_nobody())


def test_a_name_that_nobody_knows_is_no_endpoint():
    async def look_up() -> None:
        async with connected("http://bedrock.invalid") as connections:
            await ask(connections)

    with pytest.raises(boto.EndpointConnectionError):
        asyncio.run(look_up())


def test_a_connection_that_does_not_come_to_stand_is_given_up():
    async def connect() -> None:
        async def says_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read()

        async with listening(says_nothing) as plain:
            origin = plain.replace("http:", "https:")
            tls = ssl.create_default_context()
            async with connected(origin, tls=tls, connect_seconds=0.1) as connections:
                await ask(connections)

    with pytest.raises(boto.ConnectTimeoutError):
        asyncio.run(asyncio.wait_for(connect(), 60))


def test_a_response_over_tls_is_read_and_its_connection_kept(tmp_path: Path):
    made = make_certificates(tmp_path)
    presented = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    presented.load_cert_chain(made.certificate, made.key)
    server = Server(OK, OK)

    async def talk() -> list[HttpReply]:
        trusting = ssl.create_default_context(cafile=made.authority)
        async with listening(server.serve, presented) as origin, connected(origin, tls=trusting) as connections:
            return [await ask(connections) for _ in range(2)]

    assert [reply.content for reply in asyncio.run(talk())] == [b"{}", b"{}"]
    assert server.connections == 1
