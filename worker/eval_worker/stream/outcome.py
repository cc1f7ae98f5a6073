"""What an entry's evaluation leads to: a result or a dead letter, ready to settle."""

from dataclasses import dataclass

import structlog

from eval_worker.assessment import AnyEvent
from eval_worker.dead_letter import DeadLetter
from eval_worker.evaluation.aggregate import Evaluation
from eval_worker.result import stream_fields
from eval_worker.result_writer import ResultWriter, Source
from eval_worker.stream.entry import Entry
from eval_worker.stream.settle import Judged, Settlement, Target

log = structlog.get_logger()

DEAD_LETTER_LABEL = "dead_letter"


@dataclass(frozen=True, slots=True)
class OutcomeWriter:
    """Knows what every outcome of this worker has in common."""

    results: ResultWriter
    worker: str
    prefix: str = ""  # of the source ids: the number of the partition, which makes them unique over all

    def result(self, entry: Entry, event: AnyEvent, evaluation: Evaluation) -> Settlement:
        source = Source(self.prefix + entry.id, entry.deliveries, self.worker)
        document = self.results.document(event, evaluation, source)
        judged = Judged(event.agent and event.agent.name, evaluation.confidence, document["partial"])
        return Settlement(entry, Target.RESULTS, stream_fields(document), document["verdict"], judged=judged)

    def dead_letter(self, entry: Entry, error: str, reason: str, *, deliveries: int | None = None) -> Settlement:
        log.warning("dead letter", source_id=self.prefix + entry.id, error=error, reason=reason)
        letter = DeadLetter(
            fields=entry.fields,
            reason=reason,
            error=error,
            source_id=self.prefix + entry.id,
            deliveries=entry.deliveries if deliveries is None else deliveries,
            failed_at=self.results.now(),
            worker=self.worker,
        )
        return Settlement(entry, Target.DEAD_LETTERS, letter.to_stream_fields(), DEAD_LETTER_LABEL, error)
