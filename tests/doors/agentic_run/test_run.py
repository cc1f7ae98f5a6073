"""From a request to its figures, by chat models over real HTTP; and whose failure it is where there are none."""

import asyncio
import importlib
import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from pydantic import SecretStr
from structlog.testing import capture_logs
from tests.doors.agentic_run.run_requests import (
    API_KEY,
    CAPITAL,
    FALLBACK_KEY,
    QUIZ,
    REFUSED,
    TRIP,
    WRONG,
    body,
    chat_openai,
    conversation,
    request,
)

from eval_worker.doors.agentic_run.connector import Connectors
from eval_worker.doors.agentic_run.refusal import RunRefusedError
from eval_worker.doors.agentic_run.run import AgenticRuns
from eval_worker.models.offline import OfflineModel
from eval_worker.settings import load_settings
from eval_worker.testing.fake_openai import FakeOpenAI, Refused, Reply, Text, throttled
from eval_worker.testing.fake_provider.condition import text

Document = dict[str, Any]


@pytest.fixture(scope="module")
def shared_openai() -> Iterator[FakeOpenAI]:
    importlib.import_module("langchain_openai")  # takes seconds, which are no test's
    with FakeOpenAI() as fake:
        yield fake


@pytest.fixture
def openai(shared_openai: FakeOpenAI) -> FakeOpenAI:
    shared_openai.calm()
    return shared_openai


def runs(judge_timeout_seconds: float = 20, **flags: Any) -> AgenticRuns:
    settings = load_settings(**flags)
    own_model = OfflineModel()
    return AgenticRuns(
        Connectors(settings, lambda: own_model),
        concurrency=4,
        judge_timeout_seconds=judge_timeout_seconds,
        secrets=settings.secrets,
    )


def answer(document: Document, *, seconds: float = math.inf, **flags: Any) -> Document:
    """The response to a request, whichever it is."""
    judging = runs(**flags)
    try:
        return asyncio.run(judging.run(*judging.read(body(document)), seconds=seconds)).report.as_response()
    except RunRefusedError as refusal:
        return {**refusal.as_response(), "status": int(refusal.status), "retry_after": refusal.retry_after}


def aggregated(document: Document, **given: Any) -> Document:
    response = answer(document, **given)
    assert response["success"], response
    return response["aggregated_metrics"]


@pytest.mark.parametrize(("document", "error", "detail"), REFUSED)
def test_each_row_of_the_error_table_has_its_words(document: Document, error: str, detail: str):
    response = answer(document)

    assert (response["success"], response["error"], response["status"]) == (False, error, 400)
    assert response.get("detail", "").startswith(detail)


def test_the_offline_model_needs_no_parameters():
    figures = aggregated(request(datasets=[TRIP, QUIZ, conversation("lost", CAPITAL, WRONG)]))

    assert (figures["total_conversations"], figures["fully_correct_conversations"]) == (3, 2)
    assert (round(figures["pass_at_k"], 4), round(figures["pass_pow_k"], 4)) == (0.963, 0.2963)
    assert figures["interpretation"] == "inconsistent"


@pytest.mark.parametrize("structured", [False, True])
def test_a_chat_model_judges_with_and_without_structured_output(openai: FakeOpenAI, *, structured: bool):
    before = openai.counters().calls
    config = {"use_structured_output": structured}

    response = answer(request(connector=chat_openai(openai.base_url), config=config))

    assert [metric["correctness_scores"] for metric in response["per_conversation_metrics"]] == [[1.0, 1.0], [1.0]]
    assert openai.counters().calls - before == 3
    assert openai.requests()[-1].headers["authorization"] == f"Bearer {API_KEY}"
    assert ("tools" in openai.requests()[-1].body or "response_format" in openai.requests()[-1].body) == structured


def test_tools_count_only_where_the_request_requires_them():
    careless = {**TRIP["conversation"][0], "agentic": {"tools_used": []}}
    datasets = [conversation("careless", careless)]

    assert aggregated(request(datasets=datasets))["fully_correct_conversations"] == 1
    assert aggregated(request(datasets=datasets, config={"require_tools": True}))["fully_correct_conversations"] == 0


@pytest.mark.parametrize(
    "class_path", ["os.system", "subprocess.Popen", "planted.Model", " offline", "OFFLINE", "offline."]
)
def test_what_is_not_allowed_is_named_and_not_imported(
    class_path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "planted.py").write_text("raise SystemExit('imported')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)

    response = answer(request(connector={"class_path": class_path, "params": {"args": "true"}}))

    assert response["error"] == "Failed to create LLM connector"
    assert repr(class_path) in response["detail"]
    assert "langchain_openai.chat_models.ChatOpenAI" in response["detail"]
    assert "planted" not in sys.modules


def test_the_operator_allows_more_class_paths_and_they_must_be_chat_models():
    connector = {"class_path": "collections.OrderedDict", "params": {}}

    response = answer(request(connector=connector), langchain_class_paths="collections.OrderedDict")

    assert response["error"] == "Failed to create LLM connector"
    assert "is not a chat model" in response["detail"]


def test_bedrock_may_be_named_where_it_is_the_servers_own_model():
    connector = {"class_path": "bedrock"}

    assert aggregated(request(connector=connector), judge_model="bedrock")["total_conversations"] == 2
    refused = answer(request(connector=connector), judge_model="offline")
    assert refused["detail"] == "class_path 'bedrock' is not allowed here: this server's JUDGE_MODEL is another one"


@pytest.mark.parametrize(
    ("params", "detail"),
    [
        ({"temprature": 0.0}, "temperature"),
        ({"temperature": "hot"}, "temperature"),
        ({"api_key": ["sk-of-somebody-0123456789abcdef"]}, "api_key"),
        ({"http_client": {"proxy": "x"}}, "http_client"),
    ],
)
def test_wrong_parameters_are_named_without_their_values(openai: FakeOpenAI, params: Document, detail: str):
    response = answer(request(connector=chat_openai(openai.base_url, **params)))

    assert (response["error"], response["status"]) == ("Failed to create LLM connector", 400)
    assert detail in response["detail"]
    assert API_KEY not in str(response)
    assert "sk-of-somebody" not in str(response)


def test_without_a_key_nothing_is_called_also_where_the_environment_has_one(
    openai: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-machine")
    before = openai.counters().calls

    response = answer(request(connector=chat_openai(openai.base_url, api_key=None)))

    assert response["error"] == "Failed to create LLM connector"
    assert response["detail"].startswith("connector.params.api_key is required")
    assert openai.counters().calls == before


def test_the_servers_key_is_the_fallback_and_goes_to_no_server_that_a_request_names(openai: FakeOpenAI):
    fallback: Document = {"llm_api_key": SecretStr(FALLBACK_KEY)}

    aggregated(request(connector=chat_openai(openai.base_url, api_key=None)), **fallback)
    assert openai.requests()[-1].headers["authorization"] == f"Bearer {FALLBACK_KEY}"

    refused = answer(request(connector=chat_openai("http://attacker.example/v1", api_key=None)), **fallback)
    assert refused["error"] == "Failed to create LLM connector"
    assert "the server's own key goes to the provider's own address only" in refused["detail"]
    assert FALLBACK_KEY not in str(refused)


REFUSED_KEY = Refused(401, "Incorrect API key provided: {key}.", "invalid_api_key")


def test_a_key_of_the_callers_goes_along_with_nothing_of_the_servers_environment(
    openai: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-the-server")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-of-the-server")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Gateway: token-of-the-server")
    connector = chat_openai(openai.base_url, openai_organization="org-of-the-caller", default_headers={"X-Own": "own"})

    aggregated(request(connector=chat_openai(openai.base_url)))
    plain = openai.requests()[-1].headers
    aggregated(request(connector=connector, config={"use_structured_output": True}))
    with_headers = openai.requests()[-1].headers

    assert "of-the-server" not in str(plain) + str(with_headers)
    assert (with_headers["openai-organization"], with_headers["x-own"]) == ("org-of-the-caller", "own")


def test_a_key_of_the_callers_that_is_refused_is_the_callers_error_and_not_shown(openai: FakeOpenAI):
    openai.script(REFUSED_KEY)

    response = answer(request(connector=chat_openai(openai.base_url)))

    assert (response["error"], response["status"], response["retry_after"]) == ("Agentic evaluation failed", 400, None)
    assert response["detail"].startswith("no conversation could be judged: credentials: ")
    assert API_KEY not in str(response)


def test_a_key_of_the_servers_that_is_refused_is_the_servers_error_and_not_shown(openai: FakeOpenAI):
    openai.script(REFUSED_KEY)

    response = answer(
        request(connector=chat_openai(openai.base_url, api_key=None)), llm_api_key=SecretStr(FALLBACK_KEY)
    )

    assert (response["error"], response["status"], response["retry_after"]) == ("Agentic evaluation failed", 503, 1.0)
    assert FALLBACK_KEY not in str(response)


def test_a_provider_that_is_away_is_no_verdict_and_says_when_to_come_back(openai: FakeOpenAI):
    openai.script(throttled(retry_after=90))  # longer than a judge may take

    response = answer(request(connector=chat_openai(openai.base_url)), judge_timeout_seconds=60)

    assert (response["error"], response["status"], response["retry_after"]) == ("Agentic evaluation failed", 503, 90.0)
    assert response["detail"].startswith("no conversation could be judged: throttled: ")


def test_a_model_that_refuses_all_there_is_would_do_so_again(openai: FakeOpenAI):
    openai.script(Text("", finish_reason="content_filter"))

    response = answer(request(connector=chat_openai(openai.base_url)))

    assert (response["error"], response["status"], response["retry_after"]) == ("Agentic evaluation failed", 422, None)


def test_what_could_not_be_judged_is_unknown_where_the_rest_could(openai: FakeOpenAI):
    openai.script(Text("", finish_reason="content_filter"), when=text("warm"))

    figures = aggregated(request(connector=chat_openai(openai.base_url)))

    assert (figures["total_conversations"], figures["unknown_conversations"]) == (1, 1)


def test_a_conversation_with_a_wrong_answer_is_known_whatever_else_failed(openai: FakeOpenAI):
    openai.script(Text("", finish_reason="content_filter"), when=text("warm"))
    openai.script(Reply(level=0), when=text("Quito"))

    figures = aggregated(
        request(connector=chat_openai(openai.base_url), datasets=[conversation("a", TRIP["conversation"][0], WRONG)])
    )

    assert (figures["total_conversations"], figures["conversation_success_rate"]) == (1, 0.0)


def test_a_run_ends_in_time_and_what_was_judged_by_then_counts(openai: FakeOpenAI):
    openai.latency(600, when=text("warm"))
    aggregated(request(connector=chat_openai(openai.base_url), datasets=[QUIZ]))  # what takes its time at first

    def known_and_unknown(seconds: float) -> tuple[int, int]:
        document = request(connector=chat_openai(openai.base_url))
        started = time.monotonic()
        response = answer(document, seconds=seconds, judge_timeout_seconds=600)
        assert time.monotonic() - started < seconds + 60
        figures = response.get("aggregated_metrics", {"total_conversations": 0, "unknown_conversations": 2})
        return figures["total_conversations"], figures["unknown_conversations"]

    assert (1, 1) in map(known_and_unknown, (2, 10, 50))  # a slow machine needs more for what is answered at once


def test_a_run_in_which_nothing_was_judged_in_time_says_so(openai: FakeOpenAI):
    openai.latency(60)

    response = answer(request(connector=chat_openai(openai.base_url)), seconds=1)

    assert (response["error"], response["status"]) == ("Agentic evaluation failed", 504)
    assert response["detail"].startswith("no conversation could be judged: timeout: ")


@pytest.fixture
def logged() -> Iterator[list[Any]]:
    """What is logged meanwhile, whatever other tests have set up."""
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(20))
    with capture_logs() as lines:
        yield lines
    structlog.configure(**before)


def test_only_a_verbose_run_logs_what_was_judged(logged: list[Any]):
    answer(request())
    assert logged == []

    answer(request(config={"verbose": True}))
    assert [(line["event"], line["qa_id"]) for line in logged] == [
        ("judged", "temperature"),
        ("judged", "capital"),
        ("judged", "capital"),
    ]


def test_too_many_calls_of_one_tool_are_refused_in_words():
    calls = [{"tool_name": "t", "parameters": {"n": number}} for number in range(300)]
    others = [{"tool_name": "t", "parameters": {"m": number}} for number in range(300)]
    turn = {**CAPITAL, "agentic": {"tools_used": calls}, "ground_truth_agentic": {"expected_tools": others}}

    response = answer(request(datasets=[conversation("a", turn)]))

    assert response["status"] == 400
    assert response["error"].startswith("datasets.0.conversation.0: tools_used: 90000 pairs of calls to compare")
