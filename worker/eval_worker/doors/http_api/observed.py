"""Around the whole app: each request is counted, timed and logged, and answered even where the app broke."""

import asyncio
from collections.abc import Callable, Collection, Mapping
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from eval_worker.doors.http_api.replies import INTERNAL, error_reply

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = structlog.get_logger()

SECONDS = (0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60)
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
OTHER = "other"
QUIET = {"/api/v1/health", "/api/v1/ready", "/metrics", "/api/v1/overview"}
"""What probes and the live page ask for every few seconds is no news."""


class HttpMetrics:
    """Labels are bounded: a route is its template or `other`, never what somebody typed."""

    def __init__(self, registry: CollectorRegistry) -> None:
        label = ["route"]
        self.requests = Counter(
            "eval_http_requests", "Requests answered.", ["route", "method", "status"], registry=registry
        )
        self.seconds = Histogram(
            "eval_http_request_duration_seconds", "Time to answer.", label, buckets=SECONDS, registry=registry
        )
        self.body_bytes = Gauge("eval_http_body_bytes", "Bodies held for requests in flight.", registry=registry)
        self.in_flight = Gauge("eval_http_requests_in_flight", "Requests being answered.", registry=registry)

    def begin(self, paths: Mapping[str, Any]) -> None:
        """Show 0 of the 2xx and 5xx that OpenAPI's `paths` name: a first burst of errors, too, is an increase then."""
        for route, operations in paths.items():
            for method, operation in operations.items():
                for status in operation["responses"]:
                    if str(status)[0] in "25":
                        self.requests.labels(route=route, method=method.upper(), status=str(status))


class Observed:
    """An ASGI app around another one."""

    def __init__(
        self, app: "ASGIApp", metrics: HttpMetrics, templates: Collection[str], clock: Callable[[], float]
    ) -> None:
        self._app = app
        self._metrics = metrics
        self._templates = frozenset(templates)
        self._clock = clock

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, answer = self._clock(), _Answer(send)
        with self._metrics.in_flight.track_inprogress():
            try:
                await self._answer(scope, receive, answer)
            finally:
                self._note(scope, answer.status, self._clock() - started)

    async def _answer(self, scope: "Scope", receive: "Receive", answer: "_Answer") -> None:
        refuse = partial(self._refuse, scope, receive, answer)
        try:
            await self._app(scope, receive, answer.send)
        except asyncio.CancelledError:  # the server's drain is over
            await refuse(HTTPStatus.SERVICE_UNAVAILABLE, "the server has stopped before this was done: ask again")
        except Exception:
            log.exception("a request hit a bug", method=scope["method"], route=self._route(scope))
            await refuse(HTTPStatus.INTERNAL_SERVER_ERROR, INTERNAL)

    async def _refuse(
        self, scope: "Scope", receive: "Receive", answer: "_Answer", status: HTTPStatus, problem: str
    ) -> None:
        if answer.status is None:
            await error_reply(status, problem)(scope, receive, answer.send)

    def _note(self, scope: "Scope", status: int | None, seconds: float) -> None:
        route, method = self._route(scope), scope["method"]
        method = method if method in METHODS else OTHER
        self._metrics.requests.labels(route=route, method=method, status=str(status)).inc()
        self._metrics.seconds.labels(route=route).observe(seconds)
        say = log.debug if route in QUIET else log.info
        say("request", method=method, path=scope["path"][:200], status=status, ms=round(seconds * 1000, 1))

    def _route(self, scope: "Scope") -> str:
        template = getattr(scope.get("route"), "path", None)
        return template if template in self._templates else OTHER


class _Answer:
    """What went out: `status` is None until something did."""

    def __init__(self, send: "Send") -> None:
        self._send = send
        self.status: int | None = None

    async def send(self, message: "Message | Any") -> None:
        if message["type"] == "http.response.start":
            self.status = int(message["status"])  # an HTTPStatus is shown by its name
        await self._send(message)
