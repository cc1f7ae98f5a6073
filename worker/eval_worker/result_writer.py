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
class TokenPrices:
    """US dollars for a million tokens; None is unknown, and so is then every cost."""

    input_usd: float | None = None
    output_usd: float | None = None

    def cost_usd(self, usage: Usage) -> float | None:
        if self.input_usd is None or self.output_usd is None:
            return None
        return round((usage.input_tokens * self.input_usd + usage.output_tokens * self.output_usd) / 1e6, 9)


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
    model: str
    judges_digests: JudgesDigests
    now: Callable[[], datetime]
    prices: TokenPrices = TokenPrices()
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
            usage=UsageResult(
                llm_calls=evaluation.usage.llm_calls,
                input_tokens=evaluation.usage.input_tokens,
                output_tokens=evaluation.usage.output_tokens,
                cost_usd=self.prices.cost_usd(evaluation.usage),
            ),
            source_id=source and source.id,
            attempt=source and source.attempt,
            worker=source and source.worker,
            evaluated_at=self.now(),
            interaction=answer.interaction.model_dump(exclude_none=True)
            if answer and self.include_interaction
            else None,
            agentic=evaluation.agentic,
        )
