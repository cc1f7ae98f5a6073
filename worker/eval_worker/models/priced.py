"""A judge model that says of each answer what it cost."""

from dataclasses import replace
from typing import TYPE_CHECKING

from eval_worker.evaluation.judges.model import (
    WITH_USAGE,
    JudgeModel,
    LanguageModel,
    ModelAnswer,
    ModelFailure,
    ModelReply,
)

if TYPE_CHECKING:
    from eval_worker.evaluation.judges.model import ModelRequest
    from eval_worker.evaluation.judges.request import JudgeRequest
    from eval_worker.models.prices import PriceList


class PricedModel:
    """Prices what the provider counted, by the model that was asked: a judge may have one of its own."""

    def __init__(self, model: JudgeModel, prices: "PriceList") -> None:
        self._model = model
        self._prices = prices

    @property
    def name(self) -> str:
        return self._model.name

    async def ask(self, request: "JudgeRequest") -> ModelAnswer:
        answer = await self._model.ask(request)
        return _priced(answer, request, self.name, self._prices) if isinstance(answer, WITH_USAGE) else answer

    def close(self) -> None:
        self._model.close()


class PricedLanguageModel(LanguageModel):
    """The same for a model that may be asked by several judges at once."""

    def __init__(self, model: LanguageModel, prices: "PriceList") -> None:
        self._model = model
        self._prices = prices

    @property
    def name(self) -> str:
        return self._model.name

    async def ask(self, request: "ModelRequest") -> ModelAnswer:
        answer = await self._model.ask(request)
        return _priced(answer, request, self.name, self._prices) if isinstance(answer, WITH_USAGE) else answer

    def close(self) -> None:
        self._model.close()


def priced(model: JudgeModel, prices: "PriceList") -> PricedModel | PricedLanguageModel:
    return PricedLanguageModel(model, prices) if isinstance(model, LanguageModel) else PricedModel(model, prices)


def _priced(
    answer: ModelReply | ModelFailure, request: "ModelRequest", default_model: str, prices: "PriceList"
) -> ModelAnswer:
    if not answer.usage.llm_calls:
        return answer
    model_id = request.options.model_id or default_model
    costs = {model_id: prices.cost_usd(model_id, answer.usage)}
    return replace(answer, usage=replace(answer.usage, costs=costs))
