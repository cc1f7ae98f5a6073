"""What spans say of a judge that was asked again, late, with others, or not at all, and of an entry that came again."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.evaluation.judges.scripted_model import ScriptedLanguageModel, ScriptedModel, combined_reply, reply
from tests.events import EVENTS, conversations, event, results, send
from tests.failures.switchable_model import THROTTLED, SwitchableModel
from tests.stream.working import with_settings, working
from tests.telemetry.collector import Collector, SeenSpan
from tests.waiting import eventually

from eval_worker.evaluation.judges.model import JudgeModel, ModelReply
from eval_worker.settings import Settings, load_settings
from eval_worker.stream.entry import Entry
from eval_worker.stream.settle import Settlement, Target
from eval_worker.telemetry.tracing.tracing import Tracing
from eval_worker.wiring.streams import stream_names
from eval_worker.wiring.tracing import open_tracing

PROCESS, CHAT = f"process {EVENTS}", "chat scripted"
JUDGES = ("relevance", "faithfulness", "coherence", "completeness", "instruction")
UNUSABLE = ModelReply("no JSON", reply(5).usage)

Work = Callable[..., None]


@pytest.fixture
def work(settings: Settings, redis_client: Any, collector: Collector, monkeypatch: pytest.MonkeyPatch) -> Work:
    """Run a traced worker until there are so many results, and until its spans are at the collector."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)

    async def scenario(changed: Settings, model: JudgeModel, tracing: Tracing, until: Callable[[], bool]) -> None:
        async with working(changed, model, tracing=tracing):
            await eventually(until)

    def run(model: JudgeModel, *, count: int = 1, until: Callable[[], bool] | None = None, **changes: object) -> None:
        changed = with_settings(settings, tracing="otlp", judge_model="bedrock", **changes)
        tracing = open_tracing(changed, "worker of a test")
        assert tracing is not None
        try:
            asyncio.run(scenario(changed, model, tracing, until or (lambda: len(results(redis_client)) == count)))
        finally:
            tracing.close(10)

    return run


def calls_of(collector: Collector, judge: str) -> list[SeenSpan]:
    (judging,) = collector.named(f"judge {judge}")
    return collector.beneath(judging)


def test_a_further_delivery_is_a_second_span_of_the_same_trace_linked_to_the_first(
    redis_client: Any, work: Work, collector: Collector
):
    model = ScriptedModel(reply(5), by_judge={"relevance": [replace(THROTTLED, retry_after=0.3), reply(5)]})
    send(redis_client, event())

    work(model, judge_timeout_seconds=0.2)

    first, second = collector.named(PROCESS)
    assert (first.attributes["eval.outcome"], first.attributes["eval.release.charged"]) == ("released", True)
    assert (first.attributes["eval.attempt"], second.attributes["eval.attempt"]) == (1, 2)
    assert (first.parent_id, second.parent_id) == ("", "")
    assert second.trace_id == first.trace_id
    assert second.links == [(first.trace_id, first.span_id)]
    assert second.attributes["eval.outcome"] == "pass"


def test_another_worker_finds_the_trace_of_an_entry_that_names_none(
    redis_client: Any, work: Work, collector: Collector
):
    send(redis_client, event())
    model = SwitchableModel(latency=60)
    work(model, until=lambda: model.calls == 5, drain_seconds=0.5)

    work(ScriptedModel(reply(5)))

    first, second = collector.named(PROCESS)
    assert (first.attributes["eval.outcome"], second.attributes["eval.outcome"]) == ("released", "pass")
    assert second.trace_id == first.trace_id
    assert first.attributes["messaging.client.id"] != second.attributes["messaging.client.id"]


def test_a_judgement_from_the_cache_has_a_judge_and_no_call(redis_client: Any, work: Work, collector: Collector):
    send(redis_client, event("first"))
    send(redis_client, event("again"))

    work(ScriptedLanguageModel(reply(5)), count=2, concurrency=1)

    first, again = sorted(collector.named("judge coherence"), key=lambda span: span.start)
    assert ([call.name for call in collector.beneath(first)], "eval.judge.cached" in first.attributes) == (
        [CHAT],
        False,
    )
    assert (collector.beneath(again), again.attributes["eval.judge.cached"]) == ([], True)
    assert again.evaluations()["coherence"]["gen_ai.evaluation.score.value"] == 1.0


def test_judges_that_share_a_call_share_a_span_with_a_result_for_each(
    redis_client: Any, work: Work, collector: Collector
):
    levels: dict[str, object] = dict.fromkeys(JUDGES, 5)
    send(redis_client, event())

    work(ScriptedLanguageModel(combined_reply(**{**levels, "relevance": 1})), judge_calls="combined")

    (judging,) = collector.named("judge combined")
    (process,) = collector.named(PROCESS)
    assert judging.parent_id == process.span_id
    assert [call.name for call in collector.beneath(judging)] == [CHAT]
    assert tuple(judging.attributes["eval.judges"]) == JUDGES
    labels = {name: said["gen_ai.evaluation.score.label"] for name, said in judging.evaluations().items()}
    assert labels == {**dict.fromkeys(JUDGES, "pass"), "relevance": "fail"}


def test_judges_that_were_not_asked_have_no_span_and_are_named(redis_client: Any, work: Work, collector: Collector):
    send(redis_client, event())

    work(ScriptedModel(reply(5)), judge_waves="relevance,faithfulness,coherence,completeness")

    (process,) = collector.named(PROCESS)
    assert process.attributes["eval.stages.skipped"] == ["instruction-judge"]
    assert not collector.named("judge instruction")


def test_a_call_that_is_made_again_since_the_first_is_late_says_so(redis_client: Any, work: Work, collector: Collector):
    send(redis_client, event())

    work(ScriptedLanguageModel(reply(5), latency=[5.0] * 5 + [0.0]), hedge_after_seconds=0.05)

    calls = calls_of(collector, "relevance")
    assert [call.attributes.get("eval.call.hedge", False) for call in calls] == [False, True]
    assert [call.attributes["eval.call.number"] for call in calls] == [1, 2]
    assert calls[1].end < calls[0].end


def test_a_repair_says_so_and_a_call_that_is_cut_off_has_ended(redis_client: Any, work: Work, collector: Collector):
    send(redis_client, event())

    work(ScriptedLanguageModel(*[UNUSABLE] * 5, reply(5)))

    first, repair = calls_of(collector, "relevance")
    assert ("eval.call.repair" in first.attributes, repair.attributes["eval.call.repair"]) == (False, True)


def test_reasons_are_told_where_they_are_wanted(redis_client: Any, work: Work, collector: Collector):
    send(redis_client, event())

    work(ScriptedModel(reply(5, "it names the capital")), tracing_include_reasons=True)

    (judging,) = collector.named("judge relevance")
    assert judging.evaluations()["relevance"]["gen_ai.evaluation.explanation"] == "it names the capital"


def test_each_interaction_of_a_conversation_has_its_judge(redis_client: Any, work: Work, collector: Collector):
    send(redis_client, conversations("cnv", "Paris", "Paris it is"))

    work(ScriptedLanguageModel(reply(5)))

    (process,) = collector.named(PROCESS)
    beneath = [span.name for span in collector.beneath(process)]
    assert beneath.count("judge correctness") == 2
    assert process.attributes["eval.event.type"] == "agent_conversation"


def test_a_bug_is_named_by_its_type_alone(redis_client: Any, work: Work, collector: Collector):
    model = SwitchableModel()
    model.poisoned["trips"] = RuntimeError("with a text of the event")
    send(redis_client, event("bad", answer="It trips over this, as the capital of France is Paris."))
    send(redis_client, event("good"))

    work(model)

    failed = [span for span in collector.named(PROCESS) if span.failed]
    assert failed
    assert {span.attributes["error.type"] for span in failed} == {"RuntimeError"}
    assert {span.attributes["eval.outcome"] for span in failed} == {"released"}
    assert "with a text of the event" not in str(collector.spans)


def test_an_entry_that_another_worker_took_over_or_settled_says_so(
    collector: Collector, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
    tracing = open_tracing(load_settings(tracing="otlp"), "worker of a test")
    assert tracing is not None
    traces = tracing.entries(stream_names(load_settings())[0])
    entries = [Entry(f"{number}-0", ((b"payload", b"{}"),), 1) for number in (1, 2, 3)]

    traces.taken(entries)
    traces.lost("1-0")
    traces.settled(Settlement(entries[1], Target.RESULTS, (), "pass"), False)
    traces.settled(Settlement(entries[0], Target.RESULTS, (), "pass"), True)  # lost here, and so no longer ours to end
    tracing.close(10)

    said = {span.attributes["messaging.message.id"]: span.attributes for span in collector.named(PROCESS)}
    assert {entry_id: each["eval.outcome"] for entry_id, each in said.items()} == {
        "1-0": "lost",
        "2-0": "settled_elsewhere",
        "3-0": "released",
    }
    assert said["1-0"]["error.type"] == "lease_lost"
