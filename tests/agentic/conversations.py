"""Conversations to judge, and a model whose answers a test sets by the agent's answer."""

import asyncio
from collections.abc import Mapping
from typing import Any

from tests.evaluation.judges.scripted_model import reply

from eval_worker.agentic.dataset import Batch, Dataset
from eval_worker.agentic.pipeline import ConversationPipeline
from eval_worker.evaluation.judges.asker import Patience
from eval_worker.evaluation.judges.model import FailureKind, ModelAnswer, ModelFailure
from eval_worker.evaluation.judges.request import JudgeRequest
from eval_worker.wiring.judging import build_conversation_pipeline

RIGHT, WRONG, REFUSED, THROTTLED, DENIED = "right", "wrong", "refused", "throttled", "denied"

CALL = {"tool_name": "calculator", "parameters": {"a": 5, "b": 3}, "step": 1}
CALLED = {"tools_used": [CALL], "final_answer_uses_tools": True}
EXPECTED = {"expected_tools": [CALL], "tool_sequence_matters": False}

ANSWERS: Mapping[str, ModelAnswer] = {
    RIGHT: reply(5),
    WRONG: reply(1),
    REFUSED: ModelFailure(FailureKind.PERMANENT, "refused", "the content was refused"),
    THROTTLED: ModelFailure(FailureKind.TRANSIENT, "throttled", "too many requests"),
    DENIED: ModelFailure(FailureKind.OUTAGE, "access_denied", "no access to the model"),
}


class AnswerModel:
    """Judges an answer by what it says: `right`, `wrong`, or how the model fails on it."""

    name = "by-answer"

    def __init__(self, *, latency: float = 0.0) -> None:
        self.asked: list[str] = []
        self.latency = latency
        self.in_flight = self.most_in_flight = 0

    async def ask(self, request: JudgeRequest) -> ModelAnswer:
        self.asked.append(request.interaction.answer)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        await asyncio.sleep(self.latency)
        self.in_flight -= 1
        return ANSWERS[request.interaction.answer]

    def close(self) -> None:
        pass


def batch(answer: str, qa_id: str = "q1", query: str = "How much?", **fields: Any) -> Batch:
    return Batch(qa_id=qa_id, query=query, assistant=answer, ground_truth_assistant="8", **fields)


def dataset(*answers: str, session: str = "s1", assistant: str = "a1") -> Dataset:
    conversation = [batch(answer, f"q{number}") for number, answer in enumerate(answers, 1)]
    return Dataset(session_id=session, assistant_id=assistant, conversation=conversation)


def pipeline(model: Any, *, concurrency: int = 4) -> ConversationPipeline:
    # One attempt each: what is tried again, and for how long, is the judge's own matter.
    return build_conversation_pipeline(model, Patience(keep_trying=lambda: False), concurrency=concurrency)
