"""What an entry's evaluation leads to: a result or a dead letter, ready to settle."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from eval_worker.dead_letter import DeadLetter
from eval_worker.evaluation.aggregate import Evaluation
from eval_worker.event import Event
from eval_worker.result import Result, StageResult, UsageResult
from eval_worker.stream.entry import Entry
from eval_worker.stream.settle import Settlement, Target

DEAD_LETTER_LABEL = "dead_letter"


@dataclass(frozen=True, slots=True)
class OutcomeWriter:
    """Knows what every outcome of this worker has in common."""

    model: str
    judges_digest: str
    worker: str
    now: Callable[[], datetime]
    include_interaction: bool = False

    def result(self, entry: Entry, event: Event, evaluation: Evaluation) -> Settlement:
        result = Result(
            id=event.event_id,
            stages=tuple(
                StageResult.model_construct(
                    name=stage.name,
                    score=stage.score,
                    reason=stage.reason,
                    duration_ns=stage.duration_ns,
                    status=stage.status,
                )
                for stage in evaluation.stages
            ),
            confidence=evaluation.confidence,
            verdict=evaluation.verdict.value,
            early_exit=evaluation.early_exit,
            partial=evaluation.partial,
            agent=event.agent,
            event_type=event.event_type,
            model=self.model,
            judges_digest=self.judges_digest,
            usage=UsageResult(
                llm_calls=evaluation.usage.llm_calls,
                input_tokens=evaluation.usage.input_tokens,
                output_tokens=evaluation.usage.output_tokens,
            ),
            source_id=entry.id,
            attempt=entry.deliveries,
            worker=self.worker,
            evaluated_at=self.now(),
            interaction=event.interaction.model_dump(exclude_none=True) if self.include_interaction else None,
        )
        return Settlement(entry, Target.RESULTS, result.to_stream_fields(), evaluation.verdict.value)

    def dead_letter(self, entry: Entry, error: str, reason: str, *, deliveries: int | None = None) -> Settlement:
        letter = DeadLetter(
            fields=entry.fields,
            reason=reason,
            error=error,
            source_id=entry.id,
            deliveries=entry.deliveries if deliveries is None else deliveries,
            failed_at=self.now(),
            worker=self.worker,
        )
        return Settlement(entry, Target.DEAD_LETTERS, letter.to_stream_fields(), DEAD_LETTER_LABEL, error)
