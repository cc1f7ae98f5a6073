"""The panel: side by side, in order, nothing left running."""

import asyncio
import time
from collections.abc import Callable

import pytest
from tests.evaluation.judges.scripted_model import (
    ONE_CALL,
    ScriptedLanguageModel,
    ScriptedModel,
    combined_reply,
    reply,
)
from tests.evaluation.judges.test_judge import definition
from tests.virtual_time import in_virtual_time

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.asker import Patience
from eval_worker.evaluation.judges.combined import CombinedJudges
from eval_worker.evaluation.judges.judge import Judge
from eval_worker.evaluation.judges.model import ModelAnswer
from eval_worker.evaluation.judges.panel import Panel, PanelReport
from eval_worker.evaluation.judges.request import JudgeRequest

NAMES = ("relevance", "faithfulness", "coherence", "completeness", "instruction")
SOMETHING = Interaction("Why?", "Because.", "It is so.")


def panel(model: ScriptedModel) -> Panel:
    definitions = [definition().model_copy(update={"name": name}) for name in NAMES]
    return Panel([Judge(each, model, Patience(), time.perf_counter_ns) for each in definitions])


def test_five_judges_take_as_long_as_one():
    model = ScriptedModel(reply(5))
    model.latency = 0.4

    async def scenario(now: Callable[[], float]) -> tuple[PanelReport, float]:
        started = now()
        return await panel(model).judge(SOMETHING), now() - started

    report, seconds = in_virtual_time(scenario)

    assert seconds == pytest.approx(0.4)
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


def test_judges_with_somebody_to_ask_them_together_are_asked_in_one_go_and_one_alone_by_itself():
    model = ScriptedModel(reply(1))
    together = ScriptedLanguageModel(combined_reply(**dict.fromkeys(NAMES, 4)))
    definitions = [definition().model_copy(update={"name": name}) for name in NAMES]
    judges = [Judge(each, model, Patience(), time.perf_counter_ns) for each in definitions]
    combined = Panel(judges, CombinedJudges(together, Patience(), time.perf_counter_ns))

    report = asyncio.run(combined.judge(SOMETHING))
    alone = combined.find("coherence")
    assert alone is not None
    stage = asyncio.run(alone.judge(SOMETHING)).stage

    assert [(each.name, each.score) for each in report.stages] == [(f"{name}-judge", 0.8) for name in NAMES]
    assert (report.combined, report.usage, len(together.requests)) == (True, ONE_CALL, 1)
    assert (stage.score, len(model.requests)) == (0.2, 1)
