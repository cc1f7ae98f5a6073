"""What the server says of itself: health, readiness, judges, metrics, and what it does not have."""

from pathlib import Path

import pytest
from tests.doors.http_api.serving import EVALUATE, Served, serving
from tests.events import event, rubbish

from eval_worker import __version__


@pytest.fixture(scope="module")
def api():
    with serving() as served:
        yield served


def test_health_is_as_documented(api: Served):
    reply = api.get("/api/v1/health")

    assert (reply.status, reply.document) == (200, {"status": "ok", "version": __version__})


def test_ready_says_so(api: Served):
    assert api.get("/api/v1/ready").document == {"status": "ready"}


def test_the_judges_are_listed_with_what_they_ask_and_those_that_are_off(tmp_path: Path):
    own = tmp_path / "judges.yaml"
    own.write_text("judges: [{name: coherence, enabled: false}, {name: relevance, question: 'Does it help?'}]")
    with serving(judges_file=str(own)) as api:
        judges = api.get("/api/v1/judges").document["judges"]
        off = api.post(f"{EVALUATE}/judge/coherence", event())

    assert judges[0] == {
        "name": "relevance",
        "stage": "relevance-judge",
        "enabled": True,
        "requires_context": False,
        "question": "Does it help?",
    }
    assert [(judge["name"], judge["enabled"]) for judge in judges] == [
        ("relevance", True),
        ("faithfulness", True),
        ("completeness", True),
        ("instruction", True),
        ("coherence", False),
    ]
    assert off.status == 404


@pytest.mark.parametrize("path", ["/page/", "/api/v1", "/api/v1/evaluate/", "/api/v1/evaluate/judge/", "/nope/%00%ff"])
def test_an_unknown_path_is_a_404_in_json(api: Served, path: str):
    assert api.get(path).status == 404
    assert api.get(path).error.startswith("there is no GET /")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [("GET", EVALUATE, "POST"), ("DELETE", "/api/v1/health", "GET"), ("POST", "/api/v1/results", "GET")],
)
def test_a_wrong_method_is_a_405_that_names_the_right_one(api: Served, method: str, path: str, allowed: str):
    reply = api.call(method, path, None, {})

    assert (reply.status, reply.headers["allow"]) == (405, allowed)
    assert reply.error == f"there is no {method} {path} here: it takes {allowed}"


def test_the_metrics_count_what_was_judged_and_what_was_answered():
    with serving() as api:
        api.post(EVALUATE, event())
        api.post(EVALUATE, rubbish())
        api.post(EVALUATE, b"{")
        api.get("/secret/path/of/a/caller")

        assert api.metric('eval_events_total{outcome="pass"}') == 1
        assert api.metric("eval_early_exits_total") == 1
        assert api.metric('eval_judge_calls_total{judge="relevance",result="ok"}') == 1
        assert api.metric('eval_stage_duration_seconds_count{stage="relevance-judge"}') == 1
        assert api.metric(f'eval_http_requests_total{{method="POST",route="{EVALUATE}",status="200"}}') == 2
        assert api.metric(f'eval_http_requests_total{{method="POST",route="{EVALUATE}",status="400"}}') == 1
        assert api.metric('eval_http_requests_total{method="GET",route="other",status="404"}') == 1
        assert api.metric(f'eval_http_request_duration_seconds_count{{route="{EVALUATE}"}}') == 3
        assert api.metric("eval_http_requests_in_flight ") == 1  # this one
        assert "secret" not in api.get("/metrics").text
        assert "eval_stream_lag" not in api.get("/metrics").text


def test_what_a_route_may_answer_is_counted_as_zero_from_the_start_so_that_a_first_burst_of_errors_is_seen():
    with serving() as api:
        lines = api.get("/metrics").text.splitlines()

    for status in (200, 500, 503, 504):
        assert f'eval_http_requests_total{{method="POST",route="{EVALUATE}",status="{status}"}} 0.0' in lines
    assert 'eval_judge_calls_total{judge="relevance",result="throttled"} 0.0' in lines
    assert 'eval_stage_unscored_total{stage="relevance-judge",status="error"} 0.0' in lines


def test_a_judge_in_the_path_does_not_become_a_label(api: Served):
    for name in ("relevance", "charm"):
        api.post(f"{EVALUATE}/judge/{name}", event())

    route = f"{EVALUATE}/judge/{{judge_name}}"
    assert api.metric(f'eval_http_request_duration_seconds_count{{route="{route}"}}') == 2


def test_a_method_that_nobody_knows_does_not_become_a_label(api: Served):
    api.call("FROBNICATE", "/nowhere", None, {})

    assert api.metric('eval_http_requests_total{method="other",route="other",status="404"}') == 1
