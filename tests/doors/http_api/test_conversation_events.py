"""Events about whole conversations, where those about one answer are taken."""

import json
from typing import Any

import pytest
from tests.agentic.conversations import DENIED, REFUSED, RIGHT, THROTTLED, AnswerModel
from tests.doors.http_api.serving import EVALUATE, Served, serving
from tests.events import EVENTS, GOOD_ANSWER, conversations

from eval_worker.result import Result
from eval_worker.settings import Settings

SEND = "/api/v1/events"
WRONG = "The capital of France is Lyon."


@pytest.fixture(scope="module")
def api():
    with serving(results_include_interaction=True) as served:
        yield served


def without_query() -> dict[str, Any]:
    event = conversations()
    del event["datasets"][0]["conversation"][0]["query"]
    return event


def test_conversations_are_judged_and_their_figures_stand_under_agentic(api: Served):
    reply = api.post(EVALUATE, conversations("cnv-1", GOOD_ANSWER, GOOD_ANSWER, WRONG, k=3))

    result = Result.model_validate_json(reply.text)
    assert (reply.status, result.id, result.verdict, result.event_type) == (
        200,
        "cnv-1",
        "review",
        "agent_conversation",
    )
    assert [stage.name for stage in result.stages] == ["correctness-judge"] * 3
    assert result.agentic is not None
    assert round(result.agentic["aggregated_metrics"]["pass_pow_k"], 4) == 0.2963


def test_no_interaction_is_put_into_the_result_whatever_the_setting_says(api: Served):
    assert "interaction" not in api.post(EVALUATE, conversations()).document


def test_a_wrong_field_is_a_400_that_names_it(api: Served):
    reply = api.post(EVALUATE, without_query())

    assert (reply.status, reply.error) == (400, "datasets.0.conversation.0.query: is required")


def test_one_judge_alone_refuses_conversations(api: Served):
    reply = api.post(f"{EVALUATE}/judge/relevance", conversations())

    assert (reply.status, reply.error) == (
        400,
        "event_type: agent_conversation can't be used here: this takes one answer",
    )


@pytest.mark.parametrize(
    ("answer", "status", "words"),
    [
        (REFUSED, 422, "no judge could score this event: the content was refused"),
        (THROTTLED, 503, "the judge model can't be used now: throttled: too many requests"),
        (DENIED, 503, "the judge model can't be used now: access_denied: no access to the model"),
    ],
)
def test_no_verdict_is_made_up_where_an_interaction_is_not_judged(answer: str, status: int, words: str):
    with serving(model=AnswerModel(), judge_timeout_seconds=0.2) as api:
        reply = api.post(EVALUATE, conversations("cnv-1", answer))

        assert (reply.status, reply.error) == (status, words)


def test_a_refused_interaction_leaves_the_others_judged():
    with serving(model=AnswerModel()) as api:
        result = api.post(EVALUATE, conversations("cnv-1", RIGHT, RIGHT, REFUSED)).document

    assert (result["confidence"], result["verdict"], result["partial"]) == (1.0, "review", True)
    assert result["agentic"]["aggregated_metrics"]["unknown_conversations"] == 1


def test_conversations_go_onto_the_stream_unless_the_worker_would_refuse_them(settings: Settings, redis_client: Any):
    with serving(settings) as api:
        taken, refused = api.post(SEND, conversations("cnv-1")), api.post(SEND, without_query())

    ((_, fields),) = redis_client.xrange(EVENTS)
    assert (taken.status, taken.document["event_id"]) == (202, "cnv-1")
    assert json.loads(fields[b"payload"]) == conversations("cnv-1")
    assert (refused.status, refused.error) == (400, "datasets.0.conversation.0.query: is required")
