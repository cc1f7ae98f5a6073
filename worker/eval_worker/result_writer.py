"""Makes results of evaluations: what all results of one process have in common is known here."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from eval_worker.assessment import AnyEvent
from eval_worker.evaluation.aggregate import Evaluation
from eval_worker.evaluation.judges.model import Usage
from eval_worker.evaluation.stage import Stage
from eval_worker.event import Event
from eval_worker.result import RESULT_SCHEMA, Result
from eval_worker.value_object import value_object


@value_object
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
        return Result.model_validate(self.document(event, evaluation, source))

    def document(self, event: AnyEvent, evaluation: Evaluation, source: Source | None = None) -> dict[str, Any]:
        """Return the result as it stands on the wire: for the worker, which writes thousands a second, it is enough.

        Raises:
            ValueError: a score or the confidence is no number of 0..1, which is a bug and must not become a verdict.
        """
        answer = event if isinstance(event, Event) else None
        document: dict[str, Any] = {
            "id": event.event_id,
            "stages": [_stage(stage) for stage in evaluation.stages],
            "confidence": _unit(evaluation.confidence, "the confidence"),
            "verdict": evaluation.verdict.value,
            "early_exit": evaluation.early_exit,
            "partial": evaluation.partial,
            "agent": event.agent
            and {"name": event.agent.name, "type": event.agent.type, "version": event.agent.version},
            "event_type": event.event_type,
            "model": self.model,
            "judges_digest": self.judges_digests.answers if answer else self.judges_digests.conversations,
        }
        if evaluation.combined:
            document["judge_calls"] = "combined"
        document["usage"] = self._usage(evaluation.usage)
        document["schema"] = RESULT_SCHEMA
        if source is not None:
            document.update(source_id=source.id, attempt=source.attempt, worker=source.worker)
        document["evaluated_at"] = self.now()
        if answer is not None and self.include_interaction:
            document["interaction"] = answer.interaction.model_dump(exclude_none=True)
        if evaluation.agentic is not None:
            document["agentic"] = evaluation.agentic
        return document

    def _usage(self, usage: Usage) -> dict[str, Any]:
        document: dict[str, Any] = {"llm_calls": usage.llm_calls, "input_tokens": usage.input_tokens}
        if usage.cache_read_input_tokens:
            document["cache_read_input_tokens"] = usage.cache_read_input_tokens
        if usage.cache_write_input_tokens:
            document["cache_write_input_tokens"] = usage.cache_write_input_tokens
        document["output_tokens"] = usage.output_tokens
        document["cost_usd"] = usage.cost_usd if usage.llm_calls or self.priced else None
        return document


def _stage(stage: Stage) -> dict[str, Any]:
    document: dict[str, Any] = {
        "name": stage.name,
        "score": _unit(stage.score, stage.name),
        "reason": stage.reason,
        "duration_ns": stage.duration_ns,
        "status": stage.status,
    }
    if stage.cached:
        document["cached"] = True
    return document


def _unit(number: float | None, whose: str) -> float | None:
    if number is not None and not 0 <= number <= 1:  # nor is NaN
        raise ValueError(f"{whose} is {number!r}, and must be a number from 0 to 1")
    return number
