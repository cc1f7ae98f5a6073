"""HTTP/1.1 to one endpoint: a request goes out in one piece, on a connection that is kept for the next.

Responses are read by httptools, the parser of Node.js. botocore would have a thread wait for each, and hundreds of them
take turns at the interpreter: an exchange here costs a fifth of that.
"""

import asyncio
import select
import socket
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextvars import Context
from dataclasses import dataclass
from typing import cast
from urllib.parse import urlsplit

import httptools
from botocore import exceptions as boto

_FIRST_FINAL = 200
_LARGE = 1 << 20  # bytes; so much may not be sent yet when the server has answered
_PORTS = {"http": 80, "https": 443}
_NEXT_ADDRESS_AFTER_SECONDS = 0.25  # RFC 8305: where a name has an IPv6 address that leads nowhere
_SAY_WHERE_IT_ENDS = frozenset({"content-length", "transfer-encoding"})


@dataclass(frozen=True, slots=True)
class HttpReply:
    """What came back, by the names of botocore; those of headers are in lower case."""

    status_code: int
    headers: Mapping[str, str]
    content: bytes


class BedrockConnections:
    """As many as there are exchanges at once, kept until the server closes them. All is of one event loop."""

    def __init__(
        self, origin: str, *, tls: ssl.SSLContext | None, connect_seconds: float, silence_seconds: float
    ) -> None:
        """Connect to nothing yet. `origin` is as in `https://host:port`.

        A connection is to stand within `connect_seconds`, TLS included, and be silent for `silence_seconds` at most.
        """
        address = urlsplit(origin)
        self.origin = origin
        self._host, self._port = address.hostname or "", address.port or _PORTS[address.scheme]
        self._tls = tls
        self._connect_seconds = connect_seconds
        self._silence_seconds = silence_seconds
        self._left_behind: list[_Connection] = []
        self._idle: dict[_Connection, None] = {}  # in order: the last one used is the next, so that the others can end

    @property
    def idle(self) -> int:
        return len(self._idle)

    async def post(self, path: str, headers: Mapping[str, str], body: bytes) -> HttpReply:
        """Send this, with its length. The connection of a call that is cancelled is closed.

        Raises:
            ConnectTimeoutError, EndpointConnectionError, SSLError, ReadTimeoutError, ConnectionClosedError: there was
                no response, or a part of one. They are botocore's own.
        """
        connection = self._kept() or await self._connect()
        try:
            return await connection.exchange(_head(path, headers, len(body)) + body)
        finally:
            if connection.is_reusable:
                self._idle[connection] = None
            else:
                connection.close()

    def close(self) -> None:
        """Close those that are idle; the others go with the calls that they are used by."""
        for connection in self._taken():
            connection.close()

    def _kept(self) -> "_Connection | None":
        for connection in self._taken():
            if connection.is_reusable and not connection.has_something_to_read:
                return connection
            connection.close()
        return None

    def _taken(self) -> "Iterator[_Connection]":
        """Take the idle ones, one by one. Those of another loop are of the process that this one was forked off from.

        They are kept for ever: to close one, or only to forget it, would do so for that process as well.
        """
        loop = asyncio.get_running_loop()
        while self._idle:
            connection, _ = self._idle.popitem()
            if connection.loop is loop:
                yield connection
            else:
                self._left_behind.append(connection)

    async def _connect(self) -> "_Connection":
        loop = asyncio.get_running_loop()
        opening = loop.create_connection(
            lambda: _Connection(self.origin, self._silence_seconds, self._forget),
            self._host,
            self._port,
            ssl=self._tls,
            happy_eyeballs_delay=_NEXT_ADDRESS_AFTER_SECONDS,
        )
        try:
            async with asyncio.timeout(self._connect_seconds):
                # In no call's context: it outlives the call, and would keep all that is in there.
                _transport, connection = await loop.create_task(opening, context=Context())
        except TimeoutError as error:
            raise boto.ConnectTimeoutError(endpoint_url=self.origin, error=error) from error
        except ssl.SSLError as error:
            raise boto.SSLError(endpoint_url=self.origin, error=error) from error
        except OSError as error:
            raise boto.EndpointConnectionError(endpoint_url=self.origin, error=error) from error
        return connection

    def _forget(self, connection: "_Connection") -> None:
        self._idle.pop(connection, None)


def _head(path: str, headers: Mapping[str, str], length: int) -> bytes:
    lines = "".join([f"{name}: {value}\r\n" for name, value in headers.items()])
    return f"POST {path} HTTP/1.1\r\n{lines}Content-Length: {length}\r\n\r\n".encode("latin-1")


class _Connection(asyncio.Protocol):
    """One exchange after the other. Interim responses (100 to 199) are passed over."""

    def __init__(self, origin: str, silence_seconds: float, on_lost: "Callable[[_Connection], None]") -> None:
        self.origin = origin
        self._silence_seconds = silence_seconds
        self._on_lost = on_lost
        self.loop = asyncio.get_running_loop()
        self._parser = httptools.HttpResponseParser(self)
        self._reply: asyncio.Future[HttpReply] | None = None
        self._stays_open = False
        self._is_large = False
        self._context = Context()
        self._watch: asyncio.TimerHandle | None = None  # goes on from one exchange to the next: most are quickly over
        self._begin()

    async def exchange(self, request: bytes) -> HttpReply:
        self._reply = self.loop.create_future()
        self._stays_open = False
        self._is_large = len(request) > _LARGE
        self._last_heard = self.loop.time()
        if self._watch is None:
            self._watch_for(self._silence_seconds)
        self._transport.write(request)
        return await self._reply

    @property
    def is_reusable(self) -> bool:
        """Whether the last exchange went to its end on both sides. What TLS has not sent yet can't be told."""
        if not self._stays_open or self._is_large or self._transport.is_closing():
            return False
        return self._transport.get_write_buffer_size() == 0

    @property
    def has_something_to_read(self) -> bool:
        """Whether the loop has not yet seen that the server closed it, or said what nobody asked for."""
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        return bool(poll.poll(0))

    def close(self) -> None:
        self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._socket: socket.socket = transport.get_extra_info("socket")
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)

    def data_received(self, data: bytes) -> None:
        self._last_heard = self.loop.time()
        if self._reply is None or self._reply.done():
            self.close()  # nobody asked: whoever asks next must not take it for an answer
            return
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            self._fail(boto.ConnectionClosedError(endpoint_url=self.origin, error=error))

    def connection_lost(self, exc: Exception | None) -> None:
        self._on_lost(self)
        if self._watch is not None:
            self._watch.cancel()
        if exc is None and self._is_headed and _SAY_WHERE_IT_ENDS.isdisjoint(self._headers):
            self._finish()
        self._fail(boto.ConnectionClosedError(endpoint_url=self.origin, error=exc))

    def on_message_begin(self) -> None:
        self._stays_open = False  # nor where it comes right behind an answer

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        self._is_headed = True
        self._status = self._parser.get_status_code()
        self._is_kept_alive = self._parser.should_keep_alive()

    def on_body(self, body: bytes) -> None:
        self._body.append(body)

    def on_message_complete(self) -> None:
        if self._status >= _FIRST_FINAL:
            self._stays_open = self._finish() and self._is_kept_alive
        self._begin()

    def _begin(self) -> None:
        self._headers: dict[str, str] = {}
        self._body: list[bytes] = []
        self._is_headed = False

    def _finish(self) -> bool:
        """Answer what was asked; returns whether anything was."""
        if self._reply is None or self._reply.done():
            return False
        self._reply.set_result(HttpReply(self._status, self._headers, b"".join(self._body)))
        return True

    def _fail(self, error: Exception) -> None:
        if self._reply is not None and not self._reply.done():
            self._reply.set_exception(error)
        self.close()

    def _watch_for(self, seconds: float) -> None:
        self._watch = self.loop.call_later(seconds, self._look_for_silence, context=self._context)

    def _look_for_silence(self) -> None:
        left = self._last_heard + self._silence_seconds - self.loop.time()
        if self._reply is None or self._reply.done():
            self._watch = None
        elif left > 0:
            self._watch_for(left)
        else:
            self._fail(boto.ReadTimeoutError(endpoint_url=self.origin))
