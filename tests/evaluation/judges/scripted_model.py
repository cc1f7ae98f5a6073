"""A judge model that answers what a test says, in order; the last answer is repeated."""

import asyncio
from collections.abc import Sequence

from eval_worker.evaluation.judges.model import ModelAnswer, ModelFailure, ModelReply, Usage
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


__all__ = ["ONE_CALL", "ModelFailure", "ScriptedModel", "reply"]
