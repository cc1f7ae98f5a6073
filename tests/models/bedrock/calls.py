"""Calls of BedrockModel in tests: what is asked, and what came of it."""

import asyncio
from collections.abc import Callable

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.definition import JudgeDefinition, ModelOptions
from eval_worker.evaluation.judges.model import BadReply, Judgement, ModelFailure, ModelReply
from eval_worker.evaluation.judges.parse import parse_reply
from eval_worker.evaluation.judges.request import JudgeRequest
from eval_worker.models.bedrock.model import BedrockModel

MODES = ("tool", "native", "text")
MODEL_ID = "us.anthropic.claude-3-5-haiku-20241022-v1:0"

OpenModel = Callable[..., BedrockModel]


def request(name: str = "relevance", *, repair: BadReply | None = None, **options: object) -> JudgeRequest:
    definition = JudgeDefinition(
        name=name,
        question="Is it good?",
        levels={level: f"level {level}" for level in range(6)},
        model=ModelOptions.model_validate(options),
    )
    return JudgeRequest(definition, Interaction("What is AI?", "A field of computer science."), repair)


def ask(model: BedrockModel, asked: JudgeRequest | None = None) -> ModelReply | ModelFailure:
    return asyncio.run(model.ask(asked or request()))


def judged(answer: object) -> Judgement | BadReply:
    assert isinstance(answer, ModelReply), answer
    return parse_reply(answer.content)
