"""Events about whole conversations, on the stream like any other."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from prometheus_client import generate_latest
from tests.agentic.conversations import CALLED, DENIED, EXPECTED, REFUSED, RIGHT, THROTTLED, WRONG, AnswerModel
from tests.events import dead_letters, event, results, send
from tests.stream.working import with_settings, working
from tests.waiting import eventually

from eval_worker.evaluation.judges.model import ModelAnswer
from eval_worker.evaluation.judges.request import JudgeRequest
from eval_worker.settings import Settings


def conversation(*answers: str, session: str = "s1") -> dict[str, Any]:
    turns = [
        {"qa_id": f"q{number}", "query": "How much?", "assistant": answer, "ground_truth_assistant": "8"}
        for number, answer in enumerate(answers, 1)
    ]
    return {"session_id": session, "assistant_id": "a1", "conversation": turns}


def conversations(*datasets: dict[str, Any], event_id: str = "conv-1", **config: Any) -> dict[str, Any]:
    document: dict[str, Any] = {"event_id": event_id, "event_type": "agent_conversation", "datasets": list(datasets)}
    return document | {"agent": {"name": "my-agent"}} | ({"config": config} if config else {})


def judge(settings: Settings, redis_client: Any, *documents: dict[str, Any], model: Any = None) -> list[dict[str, Any]]:
    """Send these, judge them all, and return the results."""
    for document in documents:
        send(redis_client, document)

    async def scenario() -> None:
        async with working(settings, model or AnswerModel()):
            await eventually(lambda: len(results(redis_client)) + len(dead_letters(redis_client)) == len(documents))

    asyncio.run(scenario())
    return results(redis_client)


def test_the_result_has_the_success_rate_as_confidence_and_the_documented_response(
    settings: Settings, redis_client: Any
):
    document = conversations(conversation(RIGHT, RIGHT, session="s1"), conversation(RIGHT, WRONG, session="s2"))
    (result,) = judge(settings, redis_client, document)
    assert (result["id"], result["event_type"], result["agent"]["name"]) == ("conv-1", "agent_conversation", "my-agent")
    assert (result["confidence"], result["verdict"], result["partial"]) == (0.5, "fail", False)
    assert [stage["name"] for stage in result["stages"]] == ["correctness-judge"] * 4
    assert result["usage"]["llm_calls"] == 4
    agentic = result["agentic"]
    assert agentic["success"] is True
    assert [each["session_id"] for each in agentic["per_conversation_metrics"]] == ["s1", "s2"]
    assert agentic["aggregated_metrics"] | {"fully_correct_conversations": 1, "k": 3} == agentic["aggregated_metrics"]
    assert agentic["aggregated_metrics"]["pass_at_k"] == pytest.approx(0.875)


def test_its_digest_is_the_correctness_judges_and_not_the_panels(settings: Settings, redis_client: Any):
    panel_model = AnyAnswer()
    first, second = judge(settings, redis_client, event("evt-1"), conversations(conversation(RIGHT)), model=panel_model)
    assert first["judges_digest"] != second["judges_digest"]


def test_tools_are_compared_by_the_requests_threshold(settings: Settings, redis_client: Any):
    dataset = conversation(RIGHT)
    dataset["conversation"][0] |= {"agentic": CALLED, "ground_truth_agentic": {**EXPECTED, "expected_tools": []}}
    (result,) = judge(settings, redis_client, conversations(dataset, require_tools=True, tool_threshold=0.9))
    (metric,) = result["agentic"]["per_conversation_metrics"]
    assert metric["tool_correctness_scores"][0]["is_correct"] is False
    assert result["confidence"] == 0.0


def test_a_refused_interaction_makes_a_partial_result_that_does_not_pass(settings: Settings, redis_client: Any):
    datasets = [*[conversation(RIGHT)] * 9, conversation(REFUSED)]
    (result,) = judge(settings, redis_client, conversations(*datasets))
    assert (result["confidence"], result["partial"], result["verdict"]) == (1.0, True, "review")
    assert result["agentic"]["aggregated_metrics"]["unknown_conversations"] == 1


def test_conversations_of_which_nothing_is_known_are_a_dead_letter(settings: Settings, redis_client: Any):
    assert judge(settings, redis_client, conversations(conversation(RIGHT, REFUSED))) == []
    (letter,) = dead_letters(redis_client)
    assert letter["error"] == b"unjudged"
    assert b"the content was refused" in letter["reason"]


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ({"datasets": []}, b"datasets: must not be empty"),
        ({"datasets": [{**conversation(RIGHT), "conversation": []}]}, b"datasets.0.conversation: must not be empty"),
        ({"config": {"k": 0}}, b"config.k: must be at least 1"),
        ({"config": {"tool_weights": {"selektion": 1}}}, b"config.tool_weights.selektion: is no key that is known"),
        ({"config": {"tool_weights": {"a\nb": 1}}}, b"config.tool_weights.a\\nb: is no key that is known"),
        ({"event_id": " "}, b"event_id: must not be empty"),
        ({"event_type": "agent_conversations"}, b"event_type: must be 'agent_response' or 'agent_error' or 'agent_con"),
    ],
)
def test_one_that_is_wrong_is_a_dead_letter_that_names_the_field(
    settings: Settings, redis_client: Any, document: dict[str, Any], reason: bytes
):
    assert judge(settings, redis_client, conversations(conversation(RIGHT)) | document) == []
    assert reason in dead_letters(redis_client)[0]["reason"]


def test_an_outage_amid_a_conversation_writes_nothing_and_is_waited_out(settings: Settings, redis_client: Any):
    model = Mending(DENIED)
    send(redis_client, conversations(conversation(RIGHT, RIGHT, "later")))

    async def scenario() -> None:
        async with working(settings, model) as parts:
            await eventually(parts.health.not_ready)
            assert results(redis_client) == dead_letters(redis_client) == []
            model.mended = True
            await eventually(lambda: results(redis_client))

    asyncio.run(scenario())
    (result,) = results(redis_client)
    assert (result["verdict"], result["attempt"], result["partial"]) == ("pass", 1, False)


def test_an_interaction_that_always_times_out_is_unknown_at_the_last_delivery(settings: Settings, redis_client: Any):
    short = with_settings(settings, max_deliveries=2, judge_timeout_seconds=1.0, lease_seconds=3.0)
    model = Mending(THROTTLED)
    send(redis_client, conversations(conversation("later", *[RIGHT] * 20), conversation(RIGHT), conversation(RIGHT)))
    send(redis_client, event("evt-good"))

    async def scenario() -> None:
        async with working(short, model):
            await eventually(lambda: len(results(redis_client)) == 2)

    asyncio.run(scenario())
    found = next(each for each in results(redis_client) if each["id"] == "conv-1")
    assert (found["confidence"], found["partial"], found["verdict"]) == (1.0, True, "review")
    scores = found["agentic"]["per_conversation_metrics"][0]["correctness_scores"]
    assert scores == [None, *[1.0] * 20]


def test_stages_of_conversations_are_one_series_in_the_metrics(settings: Settings, redis_client: Any):
    send(redis_client, conversations(conversation(*[RIGHT] * 30)))

    async def scenario() -> str:
        async with working(settings, AnswerModel()) as parts:
            await eventually(lambda: results(redis_client))
            return generate_latest(parts.metrics.registry).decode()

    shown = asyncio.run(scenario())
    assert 'eval_stage_score_count{stage="correctness-judge"} 30.0' in shown


class AnyAnswer(AnswerModel):
    """Judges what is no conversation, too: all of it is right."""

    async def ask(self, request: JudgeRequest) -> ModelAnswer:
        return await super().ask(request if request.judge.name == "correctness" else _about(request, RIGHT))


class Mending(AnyAnswer):
    """Fails on the answer `later` until it is mended."""

    def __init__(self, failure: str) -> None:
        super().__init__()
        self.failure = failure
        self.mended = False

    async def ask(self, request: JudgeRequest) -> ModelAnswer:
        if request.interaction.answer == "later":
            return await super().ask(_about(request, RIGHT if self.mended else self.failure))
        return await super().ask(request)


def _about(request: JudgeRequest, answer: str) -> JudgeRequest:
    return replace(request, interaction=replace(request.interaction, answer=answer))
