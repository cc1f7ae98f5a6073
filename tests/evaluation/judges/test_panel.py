"""The panel: side by side, in order, nothing left running."""

import asyncio
import time

import pytest
from tests.evaluation.judges.scripted_model import ONE_CALL, ScriptedModel, reply
from tests.evaluation.judges.test_judge import definition

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.asker import Patience
from eval_worker.evaluation.judges.judge import Judge
from eval_worker.evaluation.judges.model import ModelAnswer
from eval_worker.evaluation.judges.panel import Panel
from eval_worker.evaluation.judges.request import JudgeRequest

NAMES = ("relevance", "faithfulness", "coherence", "completeness", "instruction")
SOMETHING = Interaction("Why?", "Because.", "It is so.")


def panel(model: ScriptedModel) -> Panel:
    definitions = [definition().model_copy(update={"name": name}) for name in NAMES]
    return Panel([Judge(each, model, Patience(), time.perf_counter_ns) for each in definitions])


def test_five_judges_take_about_as_long_as_one():
    model = ScriptedModel(reply(5))
    model.latency = 0.4

    started = time.monotonic()
    report = asyncio.run(panel(model).judge(SOMETHING))

    assert time.monotonic() - started < 1
    assert [stage.name for stage in report.stages] == [f"{name}-judge" for name in NAMES]


def test_the_usage_of_all_judges_is_summed():
    report = asyncio.run(panel(ScriptedModel(reply(5))).judge(SOMETHING))

    assert (report.usage.llm_calls, report.usage.input_tokens) == (5, 5 * ONE_CALL.input_tokens)


def test_a_bug_in_one_judge_is_raised_and_the_others_are_not_left_running():
    class BuggyModel(ScriptedModel):
        async def ask(self, request: JudgeRequest) -> ModelAnswer:
            if request.judge.name == "coherence":
                raise ZeroDivisionError
            return await super().ask(request)

    async def scenario() -> list[str]:
        model = BuggyModel(reply(5))
        model.latency = 60
        with pytest.raises(ZeroDivisionError):
            await panel(model).judge(SOMETHING)
        await asyncio.sleep(0)
        return [task.get_name() for task in asyncio.all_tasks() if task is not asyncio.current_task()]

    assert asyncio.run(scenario()) == []
