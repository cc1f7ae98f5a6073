"""A judge model whose provider a test can break and mend while the worker runs."""

import asyncio

from tests.evaluation.judges.scripted_model import reply

from eval_worker.evaluation.judges.model import FailureKind, ModelAnswer, ModelFailure
from eval_worker.evaluation.judges.request import JudgeRequest

THROTTLED = ModelFailure(FailureKind.TRANSIENT, "throttled", "too many requests")
DENIED = ModelFailure(FailureKind.OUTAGE, "access_denied", "no access to the model: enable it in the console")


class SwitchableModel:
    """Answers `failure` while one is set; the answers in `poisoned` hold a text that always fails."""

    name = "switchable"

    def __init__(self, failure: ModelFailure | None = None, *, latency: float = 0.0) -> None:
        self.failure = failure
        self.latency = latency
        self.poisoned: dict[str, ModelFailure | Exception] = {}
        self.calls = 0
        self.in_flight = 0
        self.most_in_flight = 0

    async def ask(self, request: JudgeRequest) -> ModelAnswer:
        self.calls += 1
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            await asyncio.sleep(self.latency)
        finally:
            self.in_flight -= 1
        for text, failure in self.poisoned.items():
            if text in request.interaction.answer:
                if isinstance(failure, Exception):
                    raise failure
                return failure
        return self.failure or reply(5)

    def close(self) -> None:
        pass
