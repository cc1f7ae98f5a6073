"""A worker whose judge model ends the process when it sees a deadly answer. Run as a program by the tests."""

import asyncio
import os

from eval_worker.daemon import leave, run_daemon
from eval_worker.evaluation.judges.definition import JudgeSet
from eval_worker.evaluation.judges.model import Judgement
from eval_worker.evaluation.judges.request import JudgeRequest
from eval_worker.settings import Settings, load_settings

SECONDS_A_CALL = 0.3


class DeadlyModel:
    name = "deadly"

    async def ask(self, request: JudgeRequest) -> Judgement:
        if "deadly" in request.interaction.answer:
            os._exit(42)
        await asyncio.sleep(SECONDS_A_CALL)
        return Judgement(1.0, "survived")

    def close(self) -> None:
        pass


def make_model(_settings: Settings, _judges: JudgeSet) -> DeadlyModel:
    return DeadlyModel()


if __name__ == "__main__":
    run_daemon(load_settings(), make_model=make_model)
    leave(0)
