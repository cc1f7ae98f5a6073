"""A worker like any other, but for one text that ends its process. Run as a program."""

import os

from tests.chaos.interactions import DEADLY

from eval_worker.daemon import leave, run_daemon
from eval_worker.evaluation.judges.definition import JudgeSet
from eval_worker.evaluation.judges.model import JudgeModel, ModelAnswer
from eval_worker.evaluation.judges.request import JudgeRequest
from eval_worker.settings import Settings, load_settings
from eval_worker.wiring.judge_model import build_judge_model

EXIT_CODE = 42


class ModelWithAWeakness:
    def __init__(self, model: JudgeModel) -> None:
        self._model = model
        self.name = model.name

    async def ask(self, request: JudgeRequest) -> ModelAnswer:
        if DEADLY in request.interaction.answer:
            os._exit(EXIT_CODE)
        return await self._model.ask(request)

    def close(self) -> None:
        self._model.close()


def make_model(settings: Settings, judges: JudgeSet) -> ModelWithAWeakness:
    return ModelWithAWeakness(build_judge_model(settings, judges))


if __name__ == "__main__":
    run_daemon(load_settings(), make_model=make_model)
    leave(0)
