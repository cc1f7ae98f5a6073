"""Whether the worker lives and is ready, and the HTTP server that says so, beside the metrics."""

import errno
import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from eval_worker.errors import SettingsError

STUCK_AFTER_SECONDS = 30.0
STOP_POLL_SECONDS = 0.05


Check = Callable[[], str | None]
"""Returns what is in the way, or None."""


@dataclass(slots=True)
class Pulse:
    """One loop's; `where` says in front of a sentence which loop it is."""

    clock: Callable[[], float]
    where: str = ""
    last_beat: float = field(init=False)

    def __post_init__(self) -> None:
        self.beat()

    def beat(self) -> None:
        """Note that the loop has moved."""
        self.last_beat = self.clock()

    def stuck(self) -> str | None:
        seconds = self.clock() - self.last_beat
        return f"{self.where}the run loop has not moved for {seconds:.0f} s" if seconds > STUCK_AFTER_SECONDS else None


@dataclass(slots=True)
class Health:
    """Alive are loops that move, not a process that is there. Ready is alive with nothing in the way of new events.

    `problems` are in the way of all of them. `lanes` each stand in the way of one stream's: with one of them working
    there is something to do, and a worker that counted as not ready could neither be rolled out nor helped by a
    restart while a node is away.
    """

    clock: Callable[[], float]
    problems: list[Check] = field(default_factory=list[Check])
    lanes: list[Check] = field(default_factory=list[Check])
    pulses: list[Pulse] = field(default_factory=list[Pulse])
    draining: bool = False

    def new_pulse(self, where: str = "") -> Pulse:
        """Watch one more loop, as of now."""
        pulse = Pulse(self.clock, where)
        self.pulses.append(pulse)
        return pulse

    @property
    def seconds_since_beat(self) -> float:
        """Of the loop that has not moved for longest."""
        return self.clock() - min(pulse.last_beat for pulse in self.pulses)

    def stuck(self) -> str | None:
        if self.draining:  # no loop any more, and bounded by DRAIN_SECONDS
            return None
        return next((problem for pulse in self.pulses if (problem := pulse.stuck())), None)

    def not_ready(self) -> str | None:
        if self.draining:
            return "draining"
        problem = self.stuck() or next((problem for check in self.problems if (problem := check())), None)
        in_trouble = self.lanes_in_trouble()
        return problem or ("; ".join(in_trouble) if in_trouble and len(in_trouble) == len(self.lanes) else None)

    def lanes_in_trouble(self) -> list[str]:
        return [problem for check in self.lanes if (problem := check())]


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
                self._reply_status(self.health.not_ready(), "ready", self.health.lanes_in_trouble())
            case _:
                body = b'{"error": "there are /metrics, /healthz and /readyz"}\n'
                self._reply(HTTPStatus.NOT_FOUND, body, "application/json")

    do_HEAD = do_GET  # noqa: N815 (the base class's name)

    def _reply_status(self, problem: str | None, otherwise: str, in_part: Sequence[str] = ()) -> None:
        document = {"status": f"not {otherwise}", "reason": problem} if problem else {"status": otherwise}
        if in_part and not problem:
            document["but"] = "; ".join(in_part)
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
