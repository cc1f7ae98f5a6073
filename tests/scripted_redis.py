"""A server on 127.0.0.1 that answers whatever it is sent with one line of the test's own."""

import socket
import threading
from types import TracebackType
from typing import Self


class ScriptedRedis:
    """`{sent}` in the reply stands for the words it was sent, quoted as Redis quotes them; no reply hangs up."""

    def __init__(self, reply: str) -> None:
        self._reply = reply
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve, daemon=True)

    @property
    def port(self) -> int:
        return self._listener.getsockname()[1]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: object, _traceback: TracebackType | None) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:  # closed
                return
            with connection:
                self._answer(connection)

    def _answer(self, connection: socket.socket) -> None:
        try:
            while (sent := connection.recv(65_536)) and self._reply:
                words = sent.decode(errors="replace").split("\r\n")[2::2]
                quoted = " ".join(f"'{word}'" for word in words)
                connection.sendall(f"{self._reply.format(sent=quoted)}\r\n".encode())
        except OSError:  # the client left first
            return
