"""The judge model that a program hands over or names."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeGuard

from eval_worker.agentic.correctness import correctness_judges
from eval_worker.evaluation.judges.model import JudgeModel
from eval_worker.settings import LANGCHAIN_PREFIX, load_settings
from eval_worker.wiring.judge_model import build_judge_model

if TYPE_CHECKING:
    from langchain_core.language_models.chat_models import BaseChatModel


_BUILT_IN = ("offline", "bedrock")


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """How a model is opened: `params` make a chat model of its class path, the clauses stand around JSON in text."""

    params: Mapping[str, Any]
    structured_output: bool
    bos_json_clause: str
    eos_json_clause: str
    concurrency: int
    timeout_seconds: float

    @contextmanager
    def opened(self, model: "JudgeModel | BaseChatModel | str") -> Generator[JudgeModel]:
        """Yield the judge model; what was opened here is closed at the end, what was handed over is not.

        Raises:
            SettingsError: there is no such model, or no credentials for it.
            ValueError: parameters for a model that takes none, or what was handed over is no model.
        """
        if self.params and not (isinstance(model, str) and model not in _BUILT_IN):
            raise ValueError("model_params make a chat model of a class path: leave them out for any other model")
        if _is_judge_model(model):
            yield model
            return
        ours = self._built_in(model) if isinstance(model, str) and model in _BUILT_IN else self._chat_model(model)
        try:
            yield ours
        finally:
            ours.close()

    def _built_in(self, name: str) -> JudgeModel:
        settings = load_settings(
            judge_model=name,
            judge_output=None if self.structured_output else "text",
            judge_timeout_seconds=self.timeout_seconds,
            concurrency=self.concurrency,
        )
        return build_judge_model(settings, correctness_judges())

    def _chat_model(self, model: object) -> JudgeModel:
        from eval_worker.models.langchain.opening import open_chat_model  # noqa: PLC0415 (LangChain is heavy)

        named = (
            model.removeprefix(LANGCHAIN_PREFIX) if isinstance(model, str) else None
        )  # as JUDGE_MODEL has it, or bare
        chat_model: Any = open_chat_model(named, self.params) if named is not None else model

        from langchain_core.language_models.chat_models import BaseChatModel  # noqa: PLC0415 (the same)

        from eval_worker.models.langchain.model import LangChainModel  # noqa: PLC0415 (the same)

        if not isinstance(chat_model, BaseChatModel):
            raise ValueError(  # noqa: TRY004 (of one kind with all that is wrong with an argument)
                f"model is {type(model).__name__}: give a chat model of LangChain, its class path, offline or bedrock"
            )
        return LangChainModel(
            chat_model,
            structured_output=self.structured_output,
            bos_json_clause=self.bos_json_clause,
            eos_json_clause=self.eos_json_clause,
        )


def _is_judge_model(model: object) -> TypeGuard[JudgeModel]:
    return callable(getattr(model, "ask", None)) and isinstance(getattr(model, "name", None), str)
