"""An OTLP collector over real HTTP, which keeps the spans that it is sent."""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span as WireSpan
from tests.planted_secrets import overheard
from tests.waiting import eventually_sync

KINDS = {value: name.removeprefix("SPAN_KIND_") for name, value in WireSpan.SpanKind.items()}


@dataclass(frozen=True)
class SeenSpan:
    """A span as it came over the wire; ids are in hexadecimal digits, times in nanoseconds."""

    name: str
    kind: str
    service: str
    trace_id: str
    span_id: str
    parent_id: str
    start: int
    end: int
    failed: bool
    attributes: dict[str, Any]
    events: list[tuple[str, dict[str, Any]]]
    links: list[tuple[str, str]]

    def evaluations(self) -> dict[str, dict[str, Any]]:
        """The results on it, by what was evaluated."""
        found = [values for name, values in self.events if name == "gen_ai.evaluation.result"]
        return {values["gen_ai.evaluation.name"]: values for values in found}


@dataclass
class Collector:
    """`spans` in the order in which they came. It answers with `status`, and not before `open` is set."""

    url: str = ""
    status: int = 200
    spans: list[SeenSpan] = field(default_factory=list[SeenSpan])
    open: threading.Event = field(default_factory=threading.Event)

    @property
    def environment(self) -> dict[str, str]:
        """What a process needs to trace, and to send its spans here soon."""
        return {"TRACING": "otlp", "OTEL_EXPORTER_OTLP_ENDPOINT": self.url, "OTEL_BSP_SCHEDULE_DELAY": "50"}

    def named(self, name: str) -> list[SeenSpan]:
        return [span for span in list(self.spans) if span.name == name]

    def beneath(self, parent: SeenSpan) -> list[SeenSpan]:
        children = [span for span in list(self.spans) if span.parent_id == parent.span_id]
        return sorted(children, key=lambda span: span.start)

    def wait_for(
        self, name: str, count: int = 1, *, where: Callable[[SeenSpan], bool] = lambda _: True
    ) -> list[SeenSpan]:
        def found() -> list[SeenSpan]:
            spans = [span for span in self.named(name) if where(span)]
            return spans if len(spans) >= count else []

        return eventually_sync(found)

    def take(self, body: bytes) -> None:
        request = ExportTraceServiceRequest.FromString(body)
        overheard.note("the trace collector", str(request))
        for of_resource in request.resource_spans:
            service = _values(of_resource.resource.attributes)["service.name"]
            for of_scope in of_resource.scope_spans:
                self.spans += [_seen(span, service) for span in of_scope.spans]


@contextmanager
def collecting() -> Generator[Collector]:
    collector = Collector()
    collector.open.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            collector.open.wait(30)
            if collector.status == 200 and self.path == "/v1/traces":
                collector.take(body)
            self.send_response(collector.status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the base class's name)
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    collector.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield collector
    finally:
        collector.open.set()
        server.shutdown()
        thread.join()
        server.server_close()


def _seen(span: WireSpan, service: str) -> SeenSpan:
    return SeenSpan(
        name=span.name,
        kind=KINDS[span.kind],
        service=service,
        trace_id=span.trace_id.hex(),
        span_id=span.span_id.hex(),
        parent_id=span.parent_span_id.hex(),
        start=span.start_time_unix_nano,
        end=span.end_time_unix_nano,
        failed=span.status.code == 2,
        attributes=_values(span.attributes),
        events=[(event.name, _values(event.attributes)) for event in span.events],
        links=[(link.trace_id.hex(), link.span_id.hex()) for link in span.links],
    )


def _values(pairs: Any) -> dict[str, Any]:
    return {pair.key: _value(pair.value) for pair in pairs}


def _value(value: Any) -> Any:
    kind = value.WhichOneof("value")
    return [_value(each) for each in value.array_value.values] if kind == "array_value" else getattr(value, kind)
