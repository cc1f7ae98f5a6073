"""What spans say, by the names of OpenTelemetry's semantic conventions; what those have no name for begins with `eval.`

No text of a query, a context, an answer or a prompt is among it, nor what a provider or an exception says in words.
"""

from typing import TYPE_CHECKING

from eval_worker.evaluation.judges.model import ModelAnswer, ModelFailure, ModelReply, ModelRequest
from eval_worker.evaluation.stage import Stage

if TYPE_CHECKING:
    from opentelemetry.util.types import AttributeValue

    from eval_worker.assessment import AnyEvent
    from eval_worker.evaluation.aggregate import Evaluation

ERROR_TYPE = "error.type"
OUTCOME = "eval.outcome"
EVALUATION_RESULT = "gen_ai.evaluation.result"
MESSAGE_ID = "messaging.message.id"


def of_the_stream(stream: str, operation: str, kind: str) -> dict[str, "AttributeValue"]:
    """Say what is done with a message; `kind` is the operation's type by the conventions."""
    return {
        "messaging.system": "redis",
        "messaging.destination.name": stream,
        "messaging.operation.name": operation,
        "messaging.operation.type": kind,
    }


def of_an_event(event: "AnyEvent") -> dict[str, "AttributeValue"]:
    agent = event.agent
    given = {
        "eval.event.id": event.event_id,
        "eval.event.type": event.event_type,
        "eval.agent.name": agent and agent.name,
        "eval.agent.type": agent and agent.type,
        "eval.agent.version": agent and agent.version,
    }
    return {name: value for name, value in given.items() if value}


def of_an_evaluation(evaluation: "Evaluation") -> dict[str, "AttributeValue"]:
    usage = evaluation.usage
    given: dict[str, AttributeValue | None] = {
        "eval.verdict": evaluation.verdict.value,
        "eval.confidence": evaluation.confidence,
        "eval.early_exit": evaluation.early_exit,
        "eval.partial": evaluation.partial,
        "eval.llm_calls": usage.llm_calls,
        "eval.cost_usd": usage.cost_usd if usage.llm_calls else None,
    }
    return {name: value for name, value in given.items() if value is not None}


def of_a_stage(stage: Stage, name: str, label: str, *, reasons: bool) -> dict[str, "AttributeValue"]:
    """Return the attributes of an evaluation's result. Its reason may quote the answer: only where it is wanted."""
    given: dict[str, AttributeValue | None] = {
        "gen_ai.evaluation.name": name,
        "gen_ai.evaluation.score.value": stage.score,
        "gen_ai.evaluation.score.label": label,
        "gen_ai.evaluation.explanation": stage.reason if reasons else None,
        ERROR_TYPE: stage.failure and stage.failure.code,
    }
    return {key: value for key, value in given.items() if value is not None}


def of_a_request(request: ModelRequest, model: str, provider: str) -> dict[str, "AttributeValue"]:
    options = request.options
    attributes: dict[str, AttributeValue] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": model,
        "gen_ai.output.type": "json",
        "eval.call.asked_by": request.asked_by,
    }
    if options.temperature is not None:
        attributes["gen_ai.request.temperature"] = options.temperature
    if request.repair is not None:
        attributes["eval.call.repair"] = True
    return attributes


def of_an_answer(answer: ModelAnswer) -> dict[str, "AttributeValue"]:
    attributes: dict[str, AttributeValue] = {}
    if isinstance(answer, ModelFailure):
        attributes[ERROR_TYPE] = answer.code
    if isinstance(answer, ModelReply) and answer.finish_reason:
        attributes["gen_ai.response.finish_reasons"] = (answer.finish_reason,)
    if isinstance(answer, ModelReply) and answer.model:
        attributes["gen_ai.response.model"] = answer.model
    if isinstance(answer, ModelReply | ModelFailure) and answer.usage.llm_calls:
        usage = answer.usage
        attributes["gen_ai.usage.input_tokens"] = usage.input_tokens
        attributes["gen_ai.usage.output_tokens"] = usage.output_tokens
        if usage.cache_read_input_tokens:
            attributes["gen_ai.usage.cache_read.input_tokens"] = usage.cache_read_input_tokens
        if usage.cache_write_input_tokens:
            attributes["gen_ai.usage.cache_creation.input_tokens"] = usage.cache_write_input_tokens
    return attributes
