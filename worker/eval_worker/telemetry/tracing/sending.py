"""Spans of events that are put on the stream; each event's trace goes along with it."""

from opentelemetry.context import Context
from opentelemetry.trace import Span, SpanKind, StatusCode, Tracer, set_span_in_context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from eval_worker.telemetry.tracing import attributes
from eval_worker.trace_context import TRACEPARENT, TRACESTATE, TraceContext

_propagator = TraceContextTextMapPropagator()


class TracedSending:
    """One event that is being sent."""

    def __init__(self, span: Span) -> None:
        self._span = span
        carrier: dict[str, str] = {}
        _propagator.inject(carrier, set_span_in_context(span, Context()))
        self.fields = tuple(part for pair in carrier.items() for part in pair)

    def sent(self, stream_id: str) -> None:
        self._span.set_attribute(attributes.MESSAGE_ID, stream_id)
        self._span.end()

    def failed(self, error: BaseException) -> None:
        self._span.set_attribute(attributes.ERROR_TYPE, type(error).__name__)
        self._span.set_status(StatusCode.ERROR)
        self._span.end()


class SendTraces:
    """A span for each event: a new trace, or a part of the one that its sender named."""

    def __init__(self, tracer: Tracer, stream: str) -> None:
        self._tracer = tracer
        self._name = f"send {stream}"
        self._attributes = attributes.of_the_stream(stream, "send", "send")

    def start(self, context: TraceContext | None = None) -> TracedSending:
        parent = Context()
        if context is not None:
            carrier = {TRACEPARENT: context.traceparent, TRACESTATE: context.tracestate}
            parent = _propagator.extract(carrier, parent)
        span = self._tracer.start_span(self._name, parent, SpanKind.PRODUCER, self._attributes)
        return TracedSending(span)
