"""Chat models for tests: the real one of langchain_openai at the fake, and small ones without a network."""

import asyncio
import threading
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_openai import ChatOpenAI
from tests.models.bedrock.calls import request
from tests.planted_secrets import CHAT_MODEL_KEY

from eval_worker.evaluation.judges.model import ModelFailure, ModelReply
from eval_worker.evaluation.judges.request import JudgeRequest
from eval_worker.models.langchain.model import LangChainModel
from eval_worker.testing.fake_openai import FakeOpenAI

API_KEY = CHAT_MODEL_KEY
GOOD = '{"rationale": "Good.", "level": 4}'


def chat_openai(openai: FakeOpenAI, **params: Any) -> ChatOpenAI:
    given: dict[str, Any] = {"model": "gpt-fake", "api_key": API_KEY, "base_url": openai.base_url, **params}
    return ChatOpenAI(**given)


def ask(model: LangChainModel, asked: JudgeRequest | None = None) -> ModelReply | ModelFailure:
    """In an event loop of its own, as every `asyncio.run` of a program has."""
    return asyncio.run(model.ask(asked or request()))


class SyncOnly(BaseChatModel):
    """Has no async calls of its own; waits for `gate` where there is one."""

    reply: str = GOOD
    gate: Any = None
    started: Any = None

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        if self.started:
            self.started.set()
        if self.gate:
            self.gate.wait(60)
        message = AIMessage(self.reply, response_metadata={"thread": threading.current_thread().name})
        return ChatResult(generations=[ChatGeneration(message=message)])

    @property
    def _llm_type(self) -> str:
        return "sync-only"


class Raising(SyncOnly):
    """Raises what it is given, as a provider's package would."""

    error: Any = None

    def _generate(self, *arguments: Any, **options: Any) -> ChatResult:
        raise self.error


class Picky(SyncOnly):
    """Its constructor says what it was given."""

    api_key: str

    def model_post_init(self, context: Any, /) -> None:
        raise RuntimeError(f"no service for {self.api_key}")


class Validating(SyncOnly):
    """Asks its provider whether the model is there while it is made, as ChatOllama does where it is told to."""

    validate_model_on_init: bool = False

    def model_post_init(self, context: Any, /) -> None:
        if self.validate_model_on_init:
            raise AssertionError("it would have called its provider")
