"""Whether the worker lives and is ready, and the HTTP server that says so, beside the metrics."""

import errno
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from eval_worker.errors import SettingsError

STUCK_AFTER_SECONDS = 30.0
STOP_POLL_SECONDS = 0.05


@dataclass(slots=True)
class Health:
    """Alive is a loop that moves, not a process that is there. Ready is alive with nothing in the way of new events.

    `problems` each return what is in the way, or None.
    """

    clock: Callable[[], float]
    problems: list[Callable[[], str | None]] = field(default_factory=list[Callable[[], str | None]])
    draining: bool = False
    _last_beat: float = field(init=False)

    def __post_init__(self) -> None:
        self._last_beat = self.clock()

    def beat(self) -> None:
        """Note that the run loop has moved."""
        self._last_beat = self.clock()

    @property
    def seconds_since_beat(self) -> float:
        return self.clock() - self._last_beat

    def stuck(self) -> str | None:
        if self.draining:  # no loop any more, and bounded by DRAIN_SECONDS
            return None
        seconds = self.seconds_since_beat
        return f"the run loop has not moved for {seconds:.0f} s" if seconds > STUCK_AFTER_SECONDS else None

    def not_ready(self) -> str | None:
        if self.draining:
            return "draining"
        return self.stuck() or next((problem for check in self.problems if (problem := check())), None)


class HealthServer:
    """`/metrics`, `/healthz` and `/readyz`, from a thread: a stuck event loop must still be reported."""

    def __init__(self, health: Health, registry: CollectorRegistry, host: str, port: int) -> None:
        handler = type("Handler", (_Handler,), {"health": health, "registry": registry})
        self._server = _Server((host, port), handler)
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(STOP_POLL_SECONDS,), name="health", daemon=True
        )

    @property
    def port(self) -> int:
        return self._server.server_address[1]

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def open_health_server(
    health: Health, registry: CollectorRegistry, host: str, port: int, *, any_free_port: bool
) -> HealthServer:
    """Bind to the port; with `any_free_port` a taken one gives way to whichever is free.

    Raises:
        SettingsError: the port was asked for and can't be had.
    """
    try:
        return HealthServer(health, registry, host, port)
    except OSError as error:
        if any_free_port and error.errno == errno.EADDRINUSE:
            return HealthServer(health, registry, host, 0)
        raise SettingsError(
            f"METRICS_HOST, METRICS_PORT: {host}:{port} can't be had ({error.strerror}); choose another"
        ) from error


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # With it, a second worker would bind beside the first one's port on some systems.
    allow_reuse_port = False


class _Handler(BaseHTTPRequestHandler):
    health: Health
    registry: CollectorRegistry
    timeout = 10
    protocol_version = "HTTP/1.1"
    server_version = "eval-worker"
    sys_version = ""

    def do_GET(self) -> None:
        match self.path.partition("?")[0]:
            case "/metrics":
                self._reply(HTTPStatus.OK, generate_latest(self.registry), CONTENT_TYPE_LATEST)
            case "/healthz":
                self._reply_status(self.health.stuck(), "alive")
            case "/readyz":
                self._reply_status(self.health.not_ready(), "ready")
            case _:
                body = b'{"error": "there are /metrics, /healthz and /readyz"}\n'
                self._reply(HTTPStatus.NOT_FOUND, body, "application/json")

    do_HEAD = do_GET  # noqa: N815 (the base class's name)

    def _reply_status(self, problem: str | None, otherwise: str) -> None:
        document = {"status": f"not {otherwise}", "reason": problem} if problem else {"status": otherwise}
        status = HTTPStatus.SERVICE_UNAVAILABLE if problem else HTTPStatus.OK
        self._reply(status, json.dumps(document).encode() + b"\n", "application/json")

    def _reply(self, status: HTTPStatus, body: bytes, content_type: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the base class's name)
        """Probes come every few seconds; they are not news."""
