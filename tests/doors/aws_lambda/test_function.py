"""What the function makes of each event, without the runtime around it."""

import json
import subprocess
import sys
from typing import Any

import pytest
from tests.doors.agentic_run.run_requests import OFFLINE, QUIZ, TRIP, request
from tests.doors.aws_lambda.http_events import payload_v1, payload_v2

from eval_worker.doors.agentic_run.connector import Connectors
from eval_worker.doors.agentic_run.run import AgenticRuns
from eval_worker.doors.aws_lambda.function import RunFunction
from eval_worker.doors.aws_lambda.reply import Reply
from eval_worker.models.offline import OfflineModel
from eval_worker.settings import load_settings

NOT_BASE64 = {**payload_v2(None), "body": "e30=!", "isBase64Encoded": True}
HALF_A_CHARACTER = {**payload_v2(None), "body": "\ud800"}
HEAVY = {"redis", "boto3", "botocore", "fastapi", "langchain_core", "numpy", "scipy", "prometheus_client"}


class Context:
    """The runtime's, of an invocation that has so many seconds left."""

    aws_request_id = "request-1"

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def get_remaining_time_in_millis(self) -> int:
        return int(self._seconds * 1000)


def answer(event: Any, seconds: float | None = None) -> Any:
    model = OfflineModel()
    runs = AgenticRuns(Connectors(load_settings(), lambda: model), concurrency=4, judge_timeout_seconds=15)
    return RunFunction(runs).answer(event, None if seconds is None else Context(seconds))


def status_and_error(event: Any) -> tuple[int, str]:
    returned = answer(event)
    document = json.loads(returned["body"])
    assert document["success"] is False
    return returned["statusCode"], document["error"]


@pytest.mark.parametrize(
    ("event", "status", "error"),
    [
        (payload_v2(request(), path="/"), 404, "there is no POST / here: it is POST /run"),
        (payload_v2(request(), path="/prod/run"), 404, "there is no POST /prod/run here: it is POST /run"),
        (payload_v1(request(), path="/runs"), 404, "there is no POST /runs here: it is POST /run"),
        (payload_v2(None, method="GET"), 405, "there is no GET /run here: it takes POST"),
        (payload_v1(None, method="OPTIONS"), 405, "there is no OPTIONS /run here: it takes POST"),
        (payload_v2(None), 400, "body: must be a JSON object, and there is no body"),
        (payload_v1(""), 400, "body: must be a JSON object, and there is no body"),
        (payload_v2("{"), 400, "body: is not JSON: EOF while parsing an object at line 1 column 1"),
        (NOT_BASE64, 400, "body: isBase64Encoded is true, and it is not base64"),
        (HALF_A_CHARACTER, 400, "body: is not JSON: expected value at line 1 column 1"),
    ],
)
def test_what_is_no_run_is_refused_in_words(event: Any, status: int, error: str):
    assert status_and_error(event) == (status, error)


def test_the_method_that_there_is_stands_in_a_header():
    assert answer(payload_v2(None, method="GET"))["headers"] == {"Content-Type": "application/json", "Allow": "POST"}


@pytest.mark.parametrize(
    "event",
    [
        payload_v2(request(), path="/run/"),
        payload_v2(request(), path="/prod/run", stage="prod"),
        {**payload_v2(request(), path="/of-our-own/run"), "routeKey": "POST /run"},
        payload_v1(request(), path="/prod/run"),
        {**payload_v1(request(), path="/of-our-own/run"), "resource": "/run"},
        {"httpMethod": "POST", "path": "/run", "body": request()},
    ],
)
def test_run_is_found_below_stages_and_base_paths(event: Any):
    assert answer(event)["statusCode"] == 200


def test_without_a_context_there_is_no_time_limit():
    assert answer(request())["success"] is True


def test_an_invocation_without_any_time_left_asks_nobody():
    assert answer(request(connector=OFFLINE), seconds=0) == {
        "success": False,
        "error": "Agentic evaluation failed",
        "detail": "no conversation could be judged: timeout: not asked: no time was left",
    }


def test_a_reply_that_lambda_would_not_carry_becomes_an_error_that_says_so():
    reply = Reply(200, {"success": True, "text": "ä" * 1_000})  # type: ignore[arg-type]  # an int is one as well

    returned = reply.as_returned(is_http=True, largest_bytes=5_000)

    assert returned["statusCode"] == 413
    assert json.loads(returned["body"]) == {
        "success": False,
        "error": "Agentic evaluation failed",
        "detail": "the reply has 6141 bytes and AWS Lambda carries 5000: send fewer conversations at a time",
    }
    assert reply.as_returned(is_http=True, largest_bytes=8_000)["statusCode"] == 200
    assert reply.as_returned(is_http=False, largest_bytes=6_100) == reply.document


def test_an_unfinished_sentence_of_a_users_is_not_split_by_the_encoding():
    turn = {**QUIZ["conversation"][0], "assistant": "Líma, 東京 😀"}

    returned = answer(payload_v2(request(datasets=[{**TRIP, "session_id": "東京 😀", "conversation": [turn]}])))

    assert json.loads(returned["body"])["per_conversation_metrics"][0]["session_id"] == "東京 😀"


def test_a_bug_is_said_to_be_one_and_nothing_of_it():
    class Broken(Context):
        def get_remaining_time_in_millis(self) -> int:
            raise RuntimeError("secret")

    model = OfflineModel()
    runs = AgenticRuns(Connectors(load_settings(), lambda: model), concurrency=4, judge_timeout_seconds=15)
    returned = RunFunction(runs).answer(payload_v2(request()), Broken(1))

    assert (returned["statusCode"], json.loads(returned["body"])["detail"]) == (
        500,
        "internal error: the server's log says more",
    )


def test_a_cold_start_loads_nothing_that_not_every_request_needs():
    program = "import sys, eval_worker.doors.aws_lambda; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert set(done.stdout.split()) & HEAVY == set()


def test_what_libraries_log_is_a_json_line_without_secrets_and_is_said_once():
    """The runtime has a handler of its own on the root logger, which would show what they say as it is."""
    program = """if True:
        import logging
        logging.getLogger().addHandler(logging.StreamHandler())
        from eval_worker.doors.aws_lambda import handler
        handler({})
        logging.getLogger("a.library").warning("called with sk-0123456789abcdef0123")
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    invocation, said = map(json.loads, done.stderr.splitlines())
    assert (invocation["event"], invocation["error"]) == ("invocation", "No connector configuration provided")
    assert (said["logger"], said["event"]) == ("a.library", "WARNING a.library: called with […]")
