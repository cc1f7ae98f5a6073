"""A judge with a cache: what was paid for once is not paid for again, and nothing else is taken for it."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import pytest
from tests.evaluation.judges.scripted_model import ScriptedModel, reply
from tests.evaluation.judges.test_judge import definition
from tests.waiting import eventually

from eval_worker.evaluation.interaction import Interaction
from eval_worker.evaluation.judges.asker import Patience
from eval_worker.evaluation.judges.cache import CachedCombinedAsker, CachedJudge, judgement_key
from eval_worker.evaluation.judges.definition import JudgeDefinition
from eval_worker.evaluation.judges.judge import Judge, JudgedStage
from eval_worker.evaluation.judges.model import FailureKind, Judgement, ModelFailure, Usage
from eval_worker.evaluation.stage import Stage, StageStatus
from eval_worker.judgements.memory_cache import MemoryJudgementCache

SOMETHING = Interaction("Why?", "Because.", "It is so.")
REFUSED = ModelFailure(FailureKind.PERMANENT, "refused", "the model refused to judge this")


class Remembering:
    """Judges over one cache; each may have its own model, judge or way of asking."""

    def __init__(self) -> None:
        self.cache = MemoryJudgementCache(60, time.monotonic)

    def judge(self, scripted: ScriptedModel, *, model: str = "claude", **judge: Any) -> CachedJudge:
        asking = Judge(definition().model_copy(update=judge), scripted, Patience(), time.perf_counter_ns)
        return CachedJudge(asking, self.cache, asked_how=model, clock_ns=time.perf_counter_ns)


def test_the_second_judgement_of_the_same_text_makes_no_call_and_says_so():
    model = ScriptedModel(reply(4, "mostly"), reply(0))

    async def scenario() -> list[JudgedStage]:
        judge = Remembering().judge(model)
        return [await judge.judge(SOMETHING), await judge.judge(SOMETHING)]

    first, second = asyncio.run(scenario())

    assert len(model.requests) == 1
    assert (first.stage.score, first.stage.cached, first.usage.llm_calls) == (0.8, False, 1)
    assert (second.stage.score, second.stage.reason, second.stage.cached) == (0.8, "mostly", True)
    assert second.usage == Usage()


@pytest.mark.parametrize(
    "other",
    [
        replace(SOMETHING, user_query="Why not?"),
        replace(SOMETHING, answer="Because!"),
        replace(SOMETHING, context="It is not so."),
        replace(SOMETHING, reference="So."),
        Interaction(SOMETHING.user_query + SOMETHING.answer, "", SOMETHING.context),
    ],
)
def test_another_text_is_asked_about(other: Interaction):
    model = ScriptedModel(reply(4), reply(1))

    async def scenario() -> JudgedStage:
        judge = Remembering().judge(model)
        await judge.judge(SOMETHING)
        return await judge.judge(other)

    assert asyncio.run(scenario()).stage.score == 0.2


def test_another_judge_or_model_is_asked():
    async def scenario() -> list[float | None]:
        remembering = Remembering()
        judges = [
            remembering.judge(ScriptedModel(reply(1))),
            remembering.judge(ScriptedModel(reply(2)), question="Is it short?"),
            remembering.judge(ScriptedModel(reply(3)), model="another"),
        ]
        return [(await judge.judge(SOMETHING)).stage.score for judge in judges]

    assert asyncio.run(scenario()) == [0.2, 0.4, 0.6]


def test_a_judge_that_failed_is_asked_again():
    model = ScriptedModel(REFUSED, reply(5))

    async def scenario() -> list[JudgedStage]:
        judge = Remembering().judge(model)
        return [await judge.judge(SOMETHING), await judge.judge(SOMETHING)]

    first, second = asyncio.run(scenario())
    assert (first.stage.status, second.stage.score, second.stage.cached) == (StageStatus.ERROR, 1.0, False)


def test_a_judge_that_does_not_apply_leaves_nothing_behind():
    async def scenario() -> tuple[JudgedStage, JudgedStage]:
        judge = Remembering().judge(ScriptedModel(reply(5)), requires_context=True)
        return await judge.judge(Interaction("Why?", "Because.")), await judge.judge(SOMETHING)

    without, with_context = asyncio.run(scenario())
    assert without.stage.status is StageStatus.NOT_APPLICABLE
    assert with_context.stage.score == 1.0


def test_of_many_that_want_the_same_judgement_at_once_one_asks():
    model = ScriptedModel(reply(4))
    model.latency = 0.05

    async def scenario() -> list[JudgedStage]:
        judge = Remembering().judge(model)
        return await asyncio.gather(*(judge.judge(SOMETHING) for _ in range(20)))

    judged = asyncio.run(scenario())
    assert len(model.requests) == 1
    assert {each.stage.score for each in judged} == {0.8}


@pytest.mark.parametrize("cancelled", [True, False])
def test_where_the_one_who_asks_is_cut_off_another_one_asks(cancelled: bool):
    model = ScriptedModel(reply(3) if cancelled else RuntimeError("a bug"), reply(3))
    model.latency = 0.05

    async def scenario() -> JudgedStage:
        judge = Remembering().judge(model)
        asking, waiting = (asyncio.create_task(judge.judge(SOMETHING)) for _ in range(2))
        await eventually(lambda: model.requests)
        if cancelled:
            asking.cancel()
        await asyncio.wait([asking])
        assert asking.cancelled() or asking.exception()
        return await waiting

    judged = asyncio.run(scenario())
    assert (judged.stage.score, judged.stage.cached, len(model.requests)) == (0.6, False, 2)


def test_a_judgement_is_forgotten_after_its_time_and_the_oldest_where_there_are_too_many():
    now = 0.0

    async def scenario() -> list[Judgement | None]:
        nonlocal now
        cache = MemoryJudgementCache(60, lambda: now, most_kept=2)
        for key in ("a", "b", "c"):
            assert await cache.claim(key) is None
            cache.keep(key, Judgement(0.4, key))
        found = [await cache.claim(key) for key in ("b", "c", "a")]
        now = 60.0
        return [*found, await cache.claim("c")]

    assert asyncio.run(scenario()) == [Judgement(0.4, "b"), Judgement(0.4, "c"), None, None]


def test_a_key_tells_any_text_apart_also_one_that_no_utf_8_can_hold():
    texts = [Interaction("a", "b"), Interaction("ab", ""), Interaction("", "ab"), Interaction("a", "\ud800")]
    keys = {judgement_key("how", text) for text in texts} | {judgement_key("otherwise", texts[0])}

    assert len(keys) == 5
    assert all(len(key) == 32 for key in keys)


def test_in_a_combined_call_only_those_are_asked_of_whom_nothing_is_known():
    class Combined:
        asked: ClassVar[list[list[str]]] = []

        async def judge(self, interaction: Interaction, judges: Sequence[JudgeDefinition]) -> list[JudgedStage]:
            assert interaction is SOMETHING
            self.asked.append([judge.name for judge in judges])
            return [JudgedStage(Stage(judge.stage_name, 0.6, "so", 1), Usage(1)) for judge in judges]

    one, two, three = (definition().model_copy(update={"name": name}) for name in ("one", "two", "three"))

    async def scenario() -> list[tuple[str, bool]]:
        cache = MemoryJudgementCache(60, time.monotonic)
        asker = CachedCombinedAsker(Combined(), cache, asked_how="combined", clock_ns=time.perf_counter_ns)
        await asker.judge(SOMETHING, [two])
        judged = await asker.judge(SOMETHING, [one, two, three])
        return [(each.stage.name, each.stage.cached) for each in judged]

    assert asyncio.run(scenario()) == [("one-judge", False), ("two-judge", True), ("three-judge", False)]
    assert Combined.asked == [["two"], ["one", "three"]]
