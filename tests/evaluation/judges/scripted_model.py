"""A judge model that answers what a test says, in order; the last answer is repeated."""

import asyncio
from collections.abc import Sequence
from typing import Any

from eval_worker.evaluation.judges.model import (
    LanguageModel,
    ModelAnswer,
    ModelFailure,
    ModelReply,
    ModelRequest,
    Usage,
)
from eval_worker.evaluation.judges.request import JudgeRequest

ONE_CALL = Usage(llm_calls=1, input_tokens=100, output_tokens=10)


def reply(level: int, rationale: str = "because") -> ModelReply:
    return ModelReply({"rationale": rationale, "level": level}, ONE_CALL)


class ScriptedModel:
    name = "scripted"

    def __init__(
        self, *answers: ModelAnswer | Exception, by_judge: dict[str, Sequence[ModelAnswer]] | None = None
    ) -> None:
        self._answers = list(answers)
        self._by_judge = {name: list(script) for name, script in (by_judge or {}).items()}
        self.requests: list[JudgeRequest] = []
        self.latency = 0.0

    async def ask(self, request: JudgeRequest) -> ModelAnswer:
        self.requests.append(request)
        if self.latency:
            await asyncio.sleep(self.latency)
        script = self._by_judge.get(request.judge.name, self._answers)
        answer = script.pop(0) if len(script) > 1 else script[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self) -> None:
        pass


class ScriptedLanguageModel(LanguageModel):
    """The same, whatever the request is about; each answer takes `latency` seconds."""

    def __init__(self, *answers: ModelAnswer | Exception, latency: Sequence[float] = (0.0,)) -> None:
        self._answers = list(answers)
        self._latencies = list(latency)
        self.requests: list[ModelRequest] = []

    @property
    def name(self) -> str:
        return "scripted"

    async def ask(self, request: ModelRequest) -> ModelAnswer:
        self.requests.append(request)
        await asyncio.sleep(_next(self._latencies))
        answer = _next(self._answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self) -> None:
        pass


def _next(script: list[Any]) -> Any:
    return script.pop(0) if len(script) > 1 else script[0]


def combined_reply(**levels: object) -> ModelReply:
    """A reply with each judge's level under its name."""
    content = {judge: {"rationale": f"{judge} says why", "level": level} for judge, level in levels.items()}
    return ModelReply(content, ONE_CALL)


__all__ = ["ONE_CALL", "ModelFailure", "ScriptedLanguageModel", "ScriptedModel", "combined_reply", "reply"]
