"""Nobody is judged for whom nobody waits."""

import json
import socket

import pytest
from tests.doors.http_api.serving import EVALUATE, Served, serving
from tests.events import event
from tests.failures.switchable_model import SwitchableModel
from tests.planted_secrets import AWS_KEYS
from tests.waiting import eventually_sync

from eval_worker.settings import load_settings
from eval_worker.testing import FakeBedrock, Throttle

JUDGES = 5


def ask(api: Served, name: str = "evt-1", path: str = EVALUATE) -> socket.socket:
    connection = api.open()
    body = json.dumps(event(name)).encode()
    connection.sendall(f"POST {path} HTTP/1.1\r\nHost: here\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
    return connection


def test_a_client_that_hangs_up_cancels_its_judges():
    model = SwitchableModel(latency=600)
    with serving(model=model, judge_timeout_seconds=600) as api:
        connection = ask(api)
        eventually_sync(lambda: model.in_flight == JUDGES)
        connection.close()
        eventually_sync(lambda: model.in_flight == 0)
        eventually_sync(lambda: api.metric('eval_http_requests_total{method="POST"') == 1)

        assert api.metric(f'eval_http_requests_total{{method="POST",route="{EVALUATE}",status="499"}}') == 1
        assert api.metric("eval_judging") == 0


def test_its_place_is_free_for_the_next_one():
    model = SwitchableModel(latency=600)
    with serving(model=model, judge_timeout_seconds=600, concurrency=1) as api:
        first, waiting = ask(api), ask(api, "evt-2")
        eventually_sync(lambda: api.metric("eval_judging") == 2)
        waiting.close()
        eventually_sync(lambda: api.metric("eval_judging") == 1)
        model.latency = 0
        first.close()

        assert api.post(EVALUATE, event()).status == 200


def test_bedrock_is_not_asked_again_for_a_client_that_is_gone(monkeypatch: pytest.MonkeyPatch):
    """The calls under way run in threads and come back throttled; there is no second attempt."""
    with FakeBedrock() as bedrock:
        for name, value in {**bedrock.environment(), **AWS_KEYS}.items():
            monkeypatch.setenv(name, value)
        bedrock.latency(2)
        bedrock.script(Throttle())
        with serving(load_settings(judge_model="bedrock"), concurrency=1) as api:
            connection = ask(api)
            eventually_sync(lambda: bedrock.counters().calls == JUDGES)
            connection.close()
            eventually_sync(lambda: api.metric("eval_judging") == 0)
            bedrock.calm()
            answered = api.post(EVALUATE, event())

        assert answered.status == 200
        assert bedrock.counters().calls == 2 * JUDGES
        assert answered.document["usage"]["llm_calls"] == JUDGES
