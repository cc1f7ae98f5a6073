"""The handler through AWS's own runtime client, over the Runtime API."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.doors.agentic_run.run_requests import (
    API_KEY,
    CAPITAL,
    FALLBACK_KEY,
    REFUSED,
    WRONG,
    chat_openai,
    conversation,
    request,
)
from tests.doors.aws_lambda.http_events import payload_v1, payload_v2
from tests.doors.aws_lambda.runtime_api import Function, running_function

from eval_worker.testing.fake_openai import FakeOpenAI, Refused, Reply
from eval_worker.testing.fake_provider.condition import text


@pytest.fixture(scope="module")
def openai() -> Iterator[FakeOpenAI]:
    with FakeOpenAI() as fake:
        yield fake


@pytest.fixture(scope="module")
def function(tmp_path_factory: pytest.TempPathFactory, openai: FakeOpenAI) -> Iterator[Function]:
    with running_function(tmp_path_factory.mktemp("function"), {"LLM_API_KEY": FALLBACK_KEY}) as running:
        running.invoke(request(connector=chat_openai(openai.base_url)))  # its imports take seconds, which are no test's
        yield running


def test_the_documented_example_gives_the_documented_shape(function: Function, openai: FakeOpenAI):
    openai.script(Reply(level=1), when=text("Quito"))
    datasets = [*request()["datasets"], conversation("lost", CAPITAL, WRONG)]
    config = {"threshold": 0.7, "tool_threshold": 0.75, "k": 3, "verbose": False}

    outcome = function.invoke(
        payload_v2(request(connector=chat_openai(openai.base_url), datasets=datasets, config=config))
    )

    assert (outcome.error, outcome.returned["statusCode"]) == (None, 200)
    assert outcome.returned["headers"]["Content-Type"] == "application/json"
    assert list(outcome.body) == ["success", "per_conversation_metrics", "aggregated_metrics", "per_question_metrics"]
    check_conversation(outcome.body["per_conversation_metrics"][0])
    lost, figures = outcome.body["per_conversation_metrics"][2], outcome.body["aggregated_metrics"]
    assert (lost["is_fully_correct"], lost["correct_indices"]) == (False, [0])
    assert (figures["total_conversations"], figures["fully_correct_conversations"], figures["k"]) == (3, 2, 3)
    assert [round(figures[name], 4) for name in ("conversation_success_rate", "pass_at_k", "pass_pow_k")] == [
        0.6667,
        0.963,
        0.2963,
    ]
    assert figures["interpretation"] == "inconsistent"


def check_conversation(metric: dict[str, Any]) -> None:
    assert metric["session_id"] == "trip"
    assert (metric["total_interactions"], metric["correct_interactions"], metric["is_fully_correct"]) == (2, 2, True)
    assert (metric["threshold"], metric["correctness_scores"], metric["correct_indices"]) == (0.7, [1.0, 1.0], [0, 1])
    tools, nothing = metric["tool_correctness_scores"]
    assert nothing is None
    assert {name: tools[name] for name in tools if not isinstance(tools[name], str | list)} | {} == {
        "tool_selection_correct": 1.0,
        "parameter_accuracy": 1.0,
        "sequence_correct": 1.0,
        "result_utilization": 1.0,
        "overall_correctness": 1.0,
        "is_correct": True,
        "selection_precision": 1.0,
        "selection_recall": 1.0,
        "selection_f1": 1.0,
    }
    assert isinstance(tools["reasoning"], str)


@pytest.mark.parametrize(("document", "error", "detail"), REFUSED)
def test_each_row_of_the_error_table_has_its_words(function: Function, document: Any, error: str, detail: str):
    outcome = function.invoke(payload_v2(document))

    assert outcome.returned["statusCode"] == 400
    assert (outcome.body["success"], outcome.body["error"]) == (False, error)
    assert outcome.body.get("detail", "").startswith(detail)


def test_the_last_row_too(function: Function, openai: FakeOpenAI):
    openai.script(Refused(401, "Incorrect API key provided: {key}.", "invalid_api_key"), times=2)

    outcome = function.invoke(
        payload_v2(request(connector=chat_openai(openai.base_url), datasets=[conversation("a", CAPITAL)]))
    )

    assert (outcome.returned["statusCode"], outcome.body["error"]) == (400, "Agentic evaluation failed")


def test_a_request_without_a_key_is_judged_with_the_functions(function: Function, openai: FakeOpenAI):
    openai.calm()

    outcome = function.invoke(payload_v2(request(connector=chat_openai(openai.base_url, api_key=None))))

    assert outcome.returned["statusCode"] == 200
    assert openai.requests()[-1].headers["authorization"] == f"Bearer {FALLBACK_KEY}"


@pytest.mark.parametrize(
    "event",
    [
        payload_v2(request(), encoded=True),
        payload_v2(request(), stage="prod", path="/prod/run"),
        payload_v1(request()),
        payload_v1(request(), encoded=True),
        {"body": json.dumps(request())},
    ],
)
def test_each_kind_of_http_event_is_answered_in_http(function: Function, event: Any):
    outcome = function.invoke(event)

    assert (outcome.returned["statusCode"], outcome.returned["isBase64Encoded"]) == (200, False)
    assert outcome.body["aggregated_metrics"]["fully_correct_conversations"] == 2


def test_who_invokes_the_function_directly_gets_the_document_itself(function: Function):
    assert function.invoke(request()).returned["aggregated_metrics"]["total_conversations"] == 2
    assert function.invoke({}).returned == {"success": False, "error": "No connector configuration provided"}
    assert function.invoke([1]).returned == {"success": False, "error": "body: must be a JSON object"}


def test_the_answer_comes_before_lambda_ends_the_function(function: Function, openai: FakeOpenAI):
    openai.calm()
    openai.latency(60, when=text("warm"))

    outcome = function.invoke(payload_v2(request(connector=chat_openai(openai.base_url))), seconds=4)
    openai.calm()

    figures = outcome.body["aggregated_metrics"]
    assert (figures["total_conversations"], figures["unknown_conversations"]) == (1, 1)


def test_the_log_has_a_line_for_each_invocation_and_no_secret_and_nothing_that_was_judged(
    function: Function, openai: FakeOpenAI
):
    function.invoke(payload_v2(request(connector=chat_openai(openai.base_url))))
    function.invoke(payload_v2(request(config={"verbose": True})))
    lines, judged = function.logged("invocation"), function.logged("judged")

    assert (lines[-2]["status"], lines[-2]["model"], lines[-2]["conversations"]) == (
        200,
        "langchain:ChatOpenAI/fake",
        2,
    )
    assert lines[-1]["request_id"].startswith("request-")
    assert [line["qa_id"] for line in judged[-3:]] == ["temperature", "capital", "capital"]
    assert all(secret not in function.log for secret in (API_KEY, FALLBACK_KEY, "Quito", "19 degrees"))


def test_wrong_settings_are_named_in_the_log_and_the_caller_is_told_to_look_there(
    tmp_path_factory: pytest.TempPathFactory,
):
    with running_function(tmp_path_factory.mktemp("wrong"), {"CONCURRENCY": "none"}) as wrong:
        outcome = wrong.invoke(payload_v2(request()))

        assert (outcome.returned["statusCode"], outcome.body["error"]) == (500, "Agentic evaluation failed")
        assert wrong.logged("the settings are wrong")[0]["problem"] == "CONCURRENCY: must be a whole number, not 'none'"
