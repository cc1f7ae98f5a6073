"""Spans on their way to the collector, which may be slow, refuse them or be away: none of that reaches the worker."""

import logging
import threading
from collections.abc import Callable, Sequence

import structlog
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanLimits, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator

from eval_worker import __version__
from eval_worker.redaction import Redact

log = structlog.get_logger()

LONGEST_VALUE = 1_000  # characters of an attribute: ids and names are as long as their senders made them
LONGEST_PROBLEM = 300  # characters
UNREACHABLE_FLUSH_SECONDS = 0.3  # a collector that can't be reached gets no more time than this for the last spans


class SpanLosses:
    """Counts the spans that nobody will see, and says so once until the collector takes some again."""

    def __init__(self, redact: Redact) -> None:
        self.problem = _LastWords(redact)
        self.count = 0
        self.observer: Callable[[int], None] = lambda _spans: None
        self.failing = False
        self._full = False

    def refused(self, spans: int) -> None:
        """Take note of spans that the collector did not take."""
        self._lost(spans)
        if not self.failing:
            self.failing = True
            why = self.problem.said or "it gave no reason"
            log.warning("the trace collector does not take our spans; they are lost until it does", problem=why)

    def taken(self) -> None:
        if self.failing:
            log.info("the trace collector takes our spans again", lost=self.count)
        self.failing = self._full = False
        self.problem.said = ""

    def overflowed(self) -> None:
        """Take note of the oldest span in the queue giving way to a new one."""
        self._lost(1)
        if not self._full:
            self._full = True
            log.warning("more spans than the collector takes; some are lost (OTEL_TRACES_SAMPLER traces a share)")

    def _lost(self, spans: int) -> None:
        self.count += spans
        self.observer(spans)


class _LastWords(logging.Handler):
    """Keeps why spans did not go out since some last did: with every batch, and every retry, it is said again.

    Of a connection that fails a warning gives the reason, and the error after it only that trying has ended.
    """

    def __init__(self, redact: Redact) -> None:
        super().__init__(logging.WARNING)
        self.said = ""
        self._redact = redact

    def emit(self, record: logging.LogRecord) -> None:
        if not self.said or record.levelno == logging.WARNING:
            self.said = self._redact(record.getMessage())[:LONGEST_PROBLEM]


class WatchedExporter(SpanExporter):
    """Knows how many spans it was given, and what became of them."""

    def __init__(self, exporter: SpanExporter, losses: SpanLosses) -> None:
        self._exporter = exporter
        self._losses = losses
        self.given = 0

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        self.given += len(spans)
        result = self._exporter.export(spans)
        if result is SpanExportResult.SUCCESS:
            self._losses.taken()
        else:
            self._losses.refused(len(spans))
        return result

    def shutdown(self) -> None:
        self._exporter.shutdown()


class BoundedBatches(BatchSpanProcessor):
    """Sends in a thread of its own, from a queue of bounded size; where that is full, the oldest spans give way."""

    def __init__(self, exporter: WatchedExporter, losses: SpanLosses, *, queue_size: int) -> None:
        super().__init__(exporter, max_queue_size=queue_size, max_export_batch_size=min(queue_size, 512))
        self._watched = exporter
        self._losses = losses
        self._queue_size = queue_size
        self._ended = 0
        self._dropped = 0

    def on_end(self, span: ReadableSpan) -> None:
        if span.context and span.context.trace_flags.sampled:
            self._ended += 1
            if self._ended - self._watched.given - self._dropped > self._queue_size:
                self._dropped += 1
                self._losses.overflowed()
        super().on_end(span)


class TraceIds(RandomIdGenerator):
    """Random, but for a trace whose id is `given` for the moment."""

    given: int | None = None

    def generate_trace_id(self) -> int:
        return super().generate_trace_id() if self.given is None else self.given


class SpanExport:
    """A tracer, and the way of its spans to the collector. Where to and how is OpenTelemetry's own environment."""

    def __init__(self, service: str, *, queue_size: int, redact: Redact) -> None:
        self.losses = SpanLosses(redact)
        for name in ("opentelemetry.exporter", "opentelemetry.sdk._shared_internal"):
            talkative = logging.getLogger(name)
            talkative.propagate = False
            talkative.handlers = [self.losses.problem]
        logging.getLogger("opentelemetry.attributes").setLevel(logging.ERROR)  # warns of each value that it cuts
        self.ids = TraceIds()
        exporter = WatchedExporter(OTLPSpanExporter(), self.losses)
        self._provider = TracerProvider(
            resource=_resource(service),
            id_generator=self.ids,
            shutdown_on_exit=False,
            span_limits=SpanLimits(max_attribute_length=LONGEST_VALUE),
        )
        self._provider.add_span_processor(BoundedBatches(exporter, self.losses, queue_size=queue_size))
        self.tracer = self._provider.get_tracer("eval_worker", __version__)

    def close(self, seconds: float) -> None:
        """Send what is left, for so many seconds at most, and not for long where the collector is away."""
        flushing = threading.Thread(target=self._provider.shutdown, name="last spans", daemon=True)
        flushing.start()
        flushing.join(min(max(seconds, 0.0), UNREACHABLE_FLUSH_SECONDS))
        if not self.losses.problem.said:
            flushing.join(max(seconds - UNREACHABLE_FLUSH_SECONDS, 0.0))


def _resource(service: str) -> Resource:
    """Say who we are; OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES say it better."""
    given = Resource.create()
    named = not str(given.attributes.get(SERVICE_NAME, "unknown_service")).startswith("unknown_service")
    ours = Resource({SERVICE_VERSION: __version__})
    return ours.merge(given) if named else ours.merge(given).merge(Resource({SERVICE_NAME: service}))
