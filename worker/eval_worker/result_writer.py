"""Makes results of evaluations: what all results of one process have in common is known here."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from eval_worker.assessment import AnyEvent
from eval_worker.evaluation.aggregate import Evaluation
from eval_worker.evaluation.judges.model import Usage
from eval_worker.event import Event
from eval_worker.result import Result, StageResult, UsageResult


@dataclass(frozen=True, slots=True)
class Source:
    """Which stream entry an event was, at which delivery, and who judged it."""

    id: str
    attempt: int
    worker: str


@dataclass(frozen=True, slots=True)
class JudgesDigests:
    """What shaped a judgement: the panel's definitions for an answer, the correctness judge's for conversations."""

    answers: str
    conversations: str


@dataclass(frozen=True, slots=True)
class ResultWriter:
    """`priced` says whether the model's price is known: then what asked no model cost 0, else that is not known too."""

    model: str
    judges_digests: JudgesDigests
    now: Callable[[], datetime]
    priced: bool = False
    include_interaction: bool = False

    def write(self, event: AnyEvent, evaluation: Evaluation, source: Source | None = None) -> Result:
        answer = event if isinstance(event, Event) else None
        return Result(
            id=event.event_id,
            stages=tuple(
                StageResult.model_construct(
                    name=stage.name,
                    score=stage.score,
                    reason=stage.reason,
                    duration_ns=stage.duration_ns,
                    status=stage.status,
                    cached=stage.cached,
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
            judges_digest=self.judges_digests.answers if answer else self.judges_digests.conversations,
            judge_calls="combined" if evaluation.combined else None,
            usage=self._usage(evaluation.usage),
            source_id=source and source.id,
            attempt=source and source.attempt,
            worker=source and source.worker,
            evaluated_at=self.now(),
            interaction=answer.interaction.model_dump(exclude_none=True)
            if answer and self.include_interaction
            else None,
            agentic=evaluation.agentic,
        )

    def _usage(self, usage: Usage) -> UsageResult:
        return UsageResult(
            llm_calls=usage.llm_calls,
            input_tokens=usage.input_tokens,
            cache_read_input_tokens=usage.cache_read_input_tokens,
            cache_write_input_tokens=usage.cache_write_input_tokens,
            output_tokens=usage.output_tokens,
            cost_usd=usage.cost_usd if usage.llm_calls or self.priced else None,
        )
