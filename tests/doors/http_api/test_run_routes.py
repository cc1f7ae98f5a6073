"""`POST /run`: what AWS Lambda answers, behind the bounds and keys of the API."""

import http.client
import json
import socket
import threading
from typing import Any

import pytest
from tests.doors.agentic_run.run_requests import (
    API_KEY as CALLERS_KEY,
)
from tests.doors.agentic_run.run_requests import (
    REFUSED,
    chat_openai,
    request,
)
from tests.doors.http_api.serving import RUN, Reply, Served, serving
from tests.failures.switchable_model import SwitchableModel
from tests.waiting import eventually_sync

from eval_worker.agentic import judging
from eval_worker.agentic.criteria import Criteria
from eval_worker.agentic.dataset import Batch
from eval_worker.agentic.judged import score_tools
from eval_worker.agentic.tools.tool_correctness import ToolCorrectnessScore
from eval_worker.testing.fake_openai import FakeOpenAI, Refused, throttled

KEY = "a-long-secret-1234"
BEDROCK = {"class_path": "bedrock"}
PATIENCE = 60.0


@pytest.fixture(scope="module")
def api():
    with serving() as served:
        yield served


def refusal(reply: Reply) -> tuple[int, str]:
    """The status and the error of a refusal in the documented form."""
    document = reply.document
    assert reply.headers["content-type"] == "application/json"
    assert document.keys() - {"detail"} == {"success", "error"}
    assert document["success"] is False
    return reply.status, document["error"]


def test_conversations_are_judged_and_their_stages_counted(api: Served):
    before = api.metric('eval_stage_score_count{stage="correctness-judge"}')

    reply = api.post(RUN, request())

    assert reply.status == 200
    assert list(reply.document)[:3] == ["success", "per_conversation_metrics", "aggregated_metrics"]
    assert reply.document["aggregated_metrics"]["fully_correct_conversations"] == 2
    assert api.metric('eval_stage_score_count{stage="correctness-judge"}') - before == 3


@pytest.mark.parametrize(("document", "error", "detail"), REFUSED)
def test_each_row_of_the_error_table_has_its_words(api: Served, document: Any, error: str, detail: str):
    reply = api.post(RUN, document)

    assert refusal(reply) == (400, error)
    assert reply.document.get("detail", "").startswith(detail)


def test_a_chat_model_judges_and_its_failures_are_told_apart():
    with FakeOpenAI() as openai, serving(judge_timeout_seconds=60) as api:
        document = request(connector=chat_openai(openai.base_url))
        openai.script(Refused(401, "Incorrect API key provided: {key}.", "invalid_api_key"))
        denied = api.post(RUN, document)
        openai.calm()
        openai.script(throttled(retry_after=90))
        away = api.post(RUN, document)

    assert refusal(denied) == (400, "Agentic evaluation failed")
    assert refusal(away) == (503, "Agentic evaluation failed")
    assert away.headers["retry-after"] == "90"
    assert CALLERS_KEY not in denied.text + away.text


def test_keys_bounds_and_parameters_are_refused_in_the_documented_form():
    with serving(max_event_bytes=2_000, api_keys=_secret(KEY)) as api:
        assert refusal(api.post(RUN, request()))[0] == 401
        assert api.post(RUN, request(), X_API_Key=KEY).status == 200
        assert refusal(api.post(RUN, b" " * 3_000, X_API_Key=KEY)) == (
            413,
            "payload: is more than MAX_EVENT_BYTES (2000 bytes)",
        )
        assert refusal(api.post(RUN, request(), X_API_Key=KEY, Content_Encoding="gzip"))[0] == 415
        unknown = api.post(f"{RUN}?k=3", request(), X_API_Key=KEY)
        assert refusal(unknown) == (400, "k: is no parameter that is known here")
        assert api.get(RUN, X_API_Key=KEY).status == 405


def _secret(text: str) -> Any:
    from pydantic import SecretStr

    return SecretStr(text)


def test_no_more_are_judged_at_once_than_there_is_room_for():
    model = SwitchableModel(latency=600)
    with serving(model=model, concurrency=1, api_waiting=0, judge_model="bedrock") as api:
        first = begun(api, request(connector=BEDROCK))
        eventually_sync(lambda: model.in_flight > 0)

        full = api.post(RUN, request(connector=BEDROCK))
        first.close()
        eventually_sync(lambda: model.in_flight == 0)

    assert refusal(full) == (429, "the server is full: 1 events wait or are being judged")
    assert full.headers["retry-after"] == "1"


def test_a_client_that_hangs_up_ends_its_run():
    model = SwitchableModel(latency=600)
    with serving(model=model, judge_timeout_seconds=600, judge_model="bedrock") as api:
        connection = begun(api, request(connector=BEDROCK))
        eventually_sync(lambda: model.in_flight == 3)
        connection.close()

        eventually_sync(lambda: model.in_flight == 0)
        eventually_sync(lambda: api.metric('eval_http_requests_total{method="POST",route="/run",status="499"}') == 1)


def begun(api: Served, document: Any) -> socket.socket:
    connection = api.open()
    body = json.dumps(document).encode()
    connection.sendall(f"POST {RUN} HTTP/1.1\r\nHost: here\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
    return connection


def test_a_bug_is_said_to_be_one_in_the_documented_form():
    class Broken(SwitchableModel):
        async def ask(self, request: Any) -> Any:
            raise RuntimeError("sk-0123456789abcdef0123")

    with serving(model=Broken(), judge_model="bedrock") as api:
        reply = api.post(RUN, request(connector=BEDROCK))

    assert refusal(reply) == (500, "Agentic evaluation failed")
    assert reply.document["detail"] == "internal error: the server's log says more"


def test_others_are_answered_while_tool_calls_are_compared(api: Served, monkeypatch: pytest.MonkeyPatch):
    comparing, may_go_on = threading.Event(), threading.Event()

    def held_up(batch: Batch, criteria: Criteria) -> ToolCorrectnessScore | None:
        comparing.set()
        assert may_go_on.wait(PATIENCE)
        return score_tools(batch, criteria)

    monkeypatch.setattr(judging, "score_tools", held_up)
    replies: list[Reply] = []
    run = threading.Thread(target=lambda: replies.append(api.post(RUN, request())))
    run.start()
    try:
        assert comparing.wait(PATIENCE)
        assert api.get("/api/v1/health").status == 200  # of a loop that stands still there is no answer
    finally:
        may_go_on.set()
        run.join()

    assert replies[0].status == 200


def test_the_connection_serves_on_after_a_refusal(api: Served):
    connection = http.client.HTTPConnection("127.0.0.1", api.port, timeout=30)
    for _ in range(2):
        connection.request("POST", RUN, body=b"{}")
        reply = connection.getresponse()
        assert (reply.status, json.loads(reply.read())["error"]) == (400, "No connector configuration provided")
    connection.close()
