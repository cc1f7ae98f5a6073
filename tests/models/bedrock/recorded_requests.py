"""A server that keeps what it is sent to the letter, and answers as Converse would, or as it is told."""

import json
import ssl
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CONVERSE_RESPONSE = json.dumps(
    {
        "output": {"message": {"role": "assistant", "content": [{"text": "Good day."}]}},
        "stopReason": "end_turn",
        "usage": {"inputTokens": 11, "outputTokens": 3, "totalTokens": 14},
        "metrics": {"latencyMs": 7},
    }
).encode()


@dataclass(frozen=True)
class SentRequest:
    target: str
    headers: dict[str, str]
    body: bytes
    port: int  # of the client: one for each connection


@dataclass(frozen=True)
class Recorder:
    url: str
    requests: list[SentRequest] = field(default_factory=list[SentRequest])


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Keep silent of clients that hang up."""


@contextmanager
def recording(tls: ssl.SSLContext | None = None, answer: bytes = CONVERSE_RESPONSE) -> Generator[Recorder]:
    """Serve on 127.0.0.1. Header names are kept in lower case."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            recorder.requests.append(SentRequest(self.path, headers, body, self.client_address[1]))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_request(self, code: object = None, size: object = None) -> None:
            """Keep stderr for what matters."""

    with _Server(("127.0.0.1", 0), Handler) as server:
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        recorder = Recorder(f"{'http' if tls is None else 'https'}://127.0.0.1:{server.server_port}")
        serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        serving.start()
        try:
            yield recorder
        finally:
            server.shutdown()
            serving.join()
