"""The span of each entry, from the read to its end, with its free stages and its settling beneath it."""

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import structlog
from opentelemetry.context import Context, attach
from opentelemetry.trace import (
    Link,
    Span,
    SpanContext,
    SpanKind,
    StatusCode,
    Tracer,
    format_span_id,
    format_trace_id,
    get_current_span,
    set_span_in_context,
)
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from eval_worker.assessment import AnyEvent, Assessment
from eval_worker.evaluation.aggregate import Evaluation
from eval_worker.evaluation.stage import StageStatus
from eval_worker.stream.entry import Entry
from eval_worker.stream.names import StreamNames
from eval_worker.stream.release import Release
from eval_worker.stream.settle import Settlement
from eval_worker.telemetry.tracing import attributes
from eval_worker.telemetry.tracing.export import TraceIds
from eval_worker.telemetry.tracing.judging import StageEvents
from eval_worker.trace_context import TRACEPARENT, TRACESTATE, TraceContext, read_trace_context

MOST_REMEMBERED = 4_096  # entries that were given back and may come again
NO_PARENT = Context()
_TRACEPARENT, _TRACESTATE = TRACEPARENT.encode(), TRACESTATE.encode()
_propagator = TraceContextTextMapPropagator()


@dataclass(slots=True)
class _Life:
    """An entry that is held here. `step_ns` is when its last step was done, in nanoseconds of the epoch."""

    span: Span
    context: Context
    step_ns: int


class EntryTraces:
    """Follows entries as an `EntryObserver`. Each delivery is a span; all those of an entry are in one trace.

    That trace is the one that the entry names, or else one whose id is made of the entry, so that every worker that
    it is delivered to finds the same.
    """

    def __init__(
        self,
        tracer: Tracer,
        ids: TraceIds,
        names: StreamNames,
        stages: StageEvents,
        clock_ns: Callable[[], int] = time.time_ns,
    ) -> None:
        self._tracer = tracer
        self._ids = ids
        self._stages = stages
        self._clock_ns = clock_ns
        self._stream = names.events
        self._attributes = {
            **attributes.of_the_stream(names.events, "process", "process"),
            "messaging.consumer.group.name": names.group,
            "messaging.client.id": names.consumer,
        }
        self._settling = attributes.of_the_stream(names.events, "settle", "settle")
        self._lives: dict[str, _Life] = {}
        self._given_back: OrderedDict[str, SpanContext] = OrderedDict()
        self._screening_ns = 0

    def taken(self, entries: Sequence[Entry]) -> None:
        now = self._clock_ns()
        for entry in entries:
            span = self._start(entry, now)
            self._lives[entry.id] = _Life(span, set_span_in_context(span, NO_PARENT), now)

    def screening(self) -> None:
        self._screening_ns = self._clock_ns()

    def screened(self, entries: Sequence[Entry], events: Sequence[object], assessments: Sequence[object]) -> None:
        now = self._clock_ns()
        for entry, event, assessment in zip(entries, events, assessments, strict=True):
            life = self._lives.get(entry.id)
            if life is None or not life.span.is_recording():
                continue
            life.step_ns = now
            if isinstance(event, AnyEvent):
                life.span.set_attributes(attributes.of_an_event(event))
            if isinstance(assessment, Assessment):
                self._add_prechecks(life, assessment, now)
                if assessment.done is not None:
                    life.span.set_attributes(attributes.of_an_evaluation(assessment.done))

    def judging(self, entry: Entry, event: AnyEvent) -> None:
        """Make the entry's span the current one; the task is its own, so that nobody has to undo it."""
        del event
        life = self._lives.get(entry.id)
        if life is None:
            return
        attach(life.context)
        life.span.add_event("judging", None, self._clock_ns())
        ids = life.span.get_span_context()
        structlog.contextvars.bind_contextvars(
            trace_id=format_trace_id(ids.trace_id), span_id=format_span_id(ids.span_id)
        )

    def judged(self, entry: Entry, evaluation: Evaluation) -> None:
        life = self._lives.get(entry.id)
        if life is None:
            return
        life.step_ns = self._clock_ns()
        life.span.set_attributes(attributes.of_an_evaluation(evaluation))
        skipped = [stage.name for stage in evaluation.stages if stage.status is StageStatus.SKIPPED]
        if skipped:
            life.span.set_attribute("eval.stages.skipped", skipped)

    def failed(self, entry: Entry, bug: Exception) -> None:
        if life := self._lives.get(entry.id):
            life.step_ns = self._clock_ns()
            _mark_failed(life.span, type(bug).__name__)

    def released(self, releases: Sequence[Release]) -> None:
        for release in releases:
            if life := self._lives.get(release.entry.id):
                life.span.set_attribute("eval.release.charged", release.charged)
                self._end(release.entry.id, "released")

    def lost(self, entry_id: str) -> None:
        if life := self._lives.get(entry_id):
            _mark_failed(life.span, "lease_lost")
            self._end(entry_id, "lost")

    def settled(self, settlement: Settlement, first: bool) -> None:  # noqa: FBT001 (as the settler calls it)
        life = self._lives.pop(settlement.entry.id, None)
        self._given_back.pop(settlement.entry.id, None)
        if life is None or not life.span.is_recording():  # one that is not sampled costs as little as can be
            return
        now = self._clock_ns()
        settling = self._tracer.start_span(
            f"settle {self._stream}", life.context, SpanKind.CLIENT, self._settling, start_time=life.step_ns
        )
        settling.end(now)
        life.span.set_attribute(attributes.OUTCOME, settlement.label if first else "settled_elsewhere")
        if settlement.error is not None:
            _mark_failed(life.span, settlement.error)
        life.span.end(now)

    def close(self) -> None:
        """End what is held still: at the end of a drain it has been given back."""
        for entry_id in list(self._lives):
            self._end(entry_id, "released")

    def _start(self, entry: Entry, now: int) -> Span:
        sent = read_trace_context(entry.values_of(_TRACEPARENT), entry.values_of(_TRACESTATE))
        parent = _as_parent(sent)
        self._ids.given = None if sent else _trace_id_of(entry)
        try:
            return self._tracer.start_span(
                f"process {self._stream}",
                parent,
                SpanKind.CONSUMER,
                {
                    **self._attributes,
                    attributes.MESSAGE_ID: entry.id,
                    "messaging.message.envelope.size": entry.size,
                    "eval.attempt": entry.deliveries,
                    "eval.age_ms": max(now // 1_000_000 - int(entry.id.partition("-")[0]), 0),
                },
                self._links(entry, parent),
                now,
            )
        finally:
            self._ids.given = None

    def _links(self, entry: Entry, parent: Context) -> list[Link]:
        """Link a further delivery to the one before where that was here, else to where the event was sent."""
        before = self._given_back.pop(entry.id, None)
        if before is None and entry.deliveries > 1:
            before = get_current_span(parent).get_span_context()
        return [Link(before)] if before is not None and before.is_valid else []

    def _add_prechecks(self, life: _Life, assessment: Assessment, now: int) -> None:
        span = self._tracer.start_span("prechecks", life.context, start_time=self._screening_ns)
        for stage in assessment.stages:
            self._stages.add(span, stage, stage.name, now)
        span.end(now)

    def _end(self, entry_id: str, outcome: str) -> None:
        life = self._lives.pop(entry_id)
        life.span.set_attribute(attributes.OUTCOME, outcome)
        life.span.end(self._clock_ns())
        self._given_back[entry_id] = life.span.get_span_context()
        if len(self._given_back) > MOST_REMEMBERED:
            self._given_back.popitem(last=False)


def _as_parent(sent: TraceContext | None) -> Context:
    if sent is None:
        return NO_PARENT
    return _propagator.extract({TRACEPARENT: sent.traceparent, TRACESTATE: sent.tracestate}, NO_PARENT)


def _trace_id_of(entry: Entry) -> int:
    """Return what is the same for each delivery of an entry, and of no other: ids alone repeat from Redis to Redis."""
    digest = hashlib.blake2b(entry.id.encode(), digest_size=16)
    for name, value in entry.fields:
        digest.update(b"%d %d " % (len(name), len(value)) + name + value)
    return int.from_bytes(digest.digest(), "big") or 1


def _mark_failed(span: Span, error_type: str) -> None:
    span.set_attribute(attributes.ERROR_TYPE, error_type)
    span.set_status(StatusCode.ERROR)
