"""A way to Redis on which the replies to some commands are lost: it does what it was asked, and nobody hears of it."""

import socket
import socketserver
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import cast


@contextmanager
def losing_replies(socket_path: str, *, to: tuple[bytes, ...]) -> Generator[int]:
    """Listen on the port that is given, and hang up instead of replying to what is sent with one of these words."""
    with _Way(socket_path, to) as way:
        threading.Thread(target=way.serve_forever, args=(0.01,)).start()
        yield way.server_address[1]
        way.shutdown()


class _Way(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def __init__(self, socket_path: str, lost: tuple[bytes, ...]) -> None:
        super().__init__(("127.0.0.1", 0), _OneConnection)
        self.socket_path = socket_path
        self.lost = lost


class _OneConnection(socketserver.BaseRequestHandler):
    """One request at a time, as the client has no other under way on a connection."""

    def handle(self) -> None:
        way = cast("_Way", self.server)
        with socket.socket(socket.AF_UNIX) as redis:
            redis.connect(way.socket_path)
            while sent := self.request.recv(1_000_000):
                redis.sendall(sent)
                reply = redis.recv(1_000_000)
                if any(word in sent for word in way.lost) and not reply.startswith(b"-NOSCRIPT"):
                    return
                self.request.sendall(reply)
