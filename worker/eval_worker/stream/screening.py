"""Screening: all that asks no model (limits, decoding, prechecks, early exit, sampling), for a batch of entries."""

from collections.abc import Callable, Iterator, Sequence
from typing import ParamSpec, TypeVar

from eval_worker.assessment import AnyEvent, Assessment, Assessor
from eval_worker.errors import MalformedEventError
from eval_worker.evaluation.aggregate import Evaluation
from eval_worker.evaluation.stage import Stage
from eval_worker.event import PAYLOAD_FIELD, decode_event
from eval_worker.stream.entry import Entry
from eval_worker.stream.entry_observer import UNOBSERVED, EntryObserver
from eval_worker.stream.outcome import OutcomeWriter
from eval_worker.stream.settle import Settlement
from eval_worker.telemetry.metrics import Metrics
from eval_worker.value_object import value_object

T = TypeVar("T")
P = ParamSpec("P")

MOST_IN_A_BATCH = 64
MOST_BYTES_IN_A_BATCH = 128 * 1024  # a few milliseconds; a text of a megabyte is a batch of its own


@value_object
class Candidate:
    """An event whose free stages are done, and which waits for the judges."""

    entry: Entry
    event: AnyEvent
    assessment: Assessment

    def judges_of(self, evaluation: Evaluation) -> tuple[Stage, ...]:
        """Return the stages that asked the model."""
        return evaluation.stages[len(self.assessment.stages) :]


Screened = Settlement | Candidate | Exception
"""Done with, or to be judged; or what screening it raised, which is a bug."""

_SETTLED_OR_BUG = (Settlement, Exception)


class Screening:
    """Every batch goes through one phase after the other, which keeps each phase's code in the processor's caches.

    Entry by entry it takes a quarter longer. What one entry raises is its own, and stops no other.
    """

    def __init__(
        self,
        assessor: Assessor,
        outcomes: OutcomeWriter,
        metrics: Metrics,
        *,
        max_deliveries: int,
        max_event_bytes: int,
        observer: EntryObserver = UNOBSERVED,
    ) -> None:
        self._observer = observer
        self._assessor = assessor
        self._outcomes = outcomes
        self._metrics = metrics
        self._max_deliveries = max_deliveries
        self._max_event_bytes = max_event_bytes

    def screen(self, entries: Sequence[Entry]) -> list[Screened]:
        """Return what becomes of each, in the same order."""
        self._observer.screening()
        events = [_value_or_bug(self._event_of, entry) for entry in entries]
        assessments = [_value_or_bug(self._assess, event) for event in events]
        self._observe(assessments)
        self._observer.screened(entries, events, assessments)
        return [
            _value_or_bug(self._outcome_of, entry, event, assessment)
            for entry, event, assessment in zip(entries, events, assessments, strict=True)
        ]

    def _event_of(self, entry: Entry) -> AnyEvent | Settlement:
        runs_before = entry.deliveries - 1
        if runs_before >= self._max_deliveries:
            reason = (
                f"delivered {runs_before} times without an outcome; whatever it does to a worker, it is not run again"
            )
            return self._outcomes.dead_letter(entry, "max_deliveries", reason, deliveries=runs_before)
        try:
            return decode_event(_payload_of(entry), max_bytes=self._max_event_bytes)
        except MalformedEventError as problem:
            return self._outcomes.dead_letter(entry, "malformed_event", str(problem))

    def _assess(self, event: AnyEvent | Settlement | Exception) -> Assessment | Settlement | Exception:
        return event if isinstance(event, _SETTLED_OR_BUG) else self._assessor.begin(event)

    def _outcome_of(
        self,
        entry: Entry,
        event: AnyEvent | Settlement | Exception,
        assessment: Assessment | Settlement | Exception,
    ) -> Screened:
        if isinstance(event, _SETTLED_OR_BUG):
            return event
        if isinstance(assessment, _SETTLED_OR_BUG):
            return assessment
        if assessment.done is None:
            return Candidate(entry, event, assessment)
        return self._outcomes.result(entry, event, assessment.done)

    def _observe(self, assessments: Sequence[Assessment | Settlement | Exception]) -> None:
        early_exits = 0
        for assessment in assessments:
            if isinstance(assessment, Assessment):
                self._metrics.observe_stages(assessment.stages)
                early_exits += assessment.done is not None and assessment.done.early_exit
        if early_exits:
            self._metrics.early_exits.inc(early_exits)


def in_batches(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    """Divide entries into what is screened without a breath."""
    batch: list[Entry] = []
    size = 0
    for entry in entries:
        size += entry.size
        if batch and (size > MOST_BYTES_IN_A_BATCH or len(batch) == MOST_IN_A_BATCH):
            yield batch
            batch, size = [], entry.size
        batch.append(entry)
    if batch:
        yield batch


def _payload_of(entry: Entry) -> bytes:
    payloads = entry.values_of(PAYLOAD_FIELD)
    if len(payloads) == 1:
        return payloads[0]
    names = ", ".join(sorted({name.decode(errors="backslashreplace")[:40] for name, _ in entry.fields})[:8])
    problem = "appears more than once" if payloads else f"is missing; the entry has: {names or 'no fields'}"
    raise MalformedEventError("payload", problem)


def _value_or_bug(work: Callable[P, T], *arguments: P.args, **keywords: P.kwargs) -> T | Exception:
    try:
        return work(*arguments, **keywords)
    except Exception as bug:  # noqa: BLE001 (a bug in a precheck must cost its event, not the worker)
        return bug
