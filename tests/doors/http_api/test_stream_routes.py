"""Events go onto the stream and results are looked up, where a Redis is named."""

import json
import re
import socketserver
import threading
from collections.abc import Iterator
from typing import Any, cast

import pytest
from tests.doors.http_api.serving import EVALUATE, Reply, Served, serving
from tests.events import EVENTS, RESULTS, event

from eval_worker.event import decode_event
from eval_worker.settings import Settings, load_settings

SEND, LOOK = "/api/v1/events", "/api/v1/results"


@pytest.fixture
def api(settings: Settings) -> Iterator[Served]:
    with serving(settings) as served:
        yield served


def result(event_id: str, verdict: str = "pass") -> dict[str, str]:
    stage = '{"name": "length-checker", "score": 1.0, "reason": "", "duration_ns": 1, "status": "ok"}'
    payload = (
        f'{{"id": "{event_id}", "stages": [{stage}], "confidence": 0.9, "verdict": "{verdict}", "early_exit": false, '
        '"partial": false, "event_type": "agent_response", "model": "m", "judges_digest": "d", "usage": {}, '
        '"schema": 1, "source_id": "1-0", "attempt": 1, "worker": "w", "evaluated_at": "2026-01-01T00:00:00Z"}'
    )
    return {"event_id": event_id, "verdict": verdict, "confidence": "0.9", "payload": payload}


def names(api: Served, query: str = "") -> list[str]:
    return [found["id"] for found in api.get(f"{LOOK}?{query}").document["results"]]


def test_an_event_is_on_the_stream_byte_for_byte_under_the_id_that_is_returned(api: Served, redis_client: Any):
    body = b'{"event_id": "evt-7",  "interaction": {"user_query": "2 + 2?", "answer": "4"}, "more": [1]}'

    reply = api.post(SEND, body)

    ((entry_id, fields),) = redis_client.xrange(EVENTS)
    assert (reply.status, reply.document) == (202, {"id": entry_id.decode(), "event_id": "evt-7"})
    assert fields == {b"payload": body}
    assert decode_event(fields[b"payload"], max_bytes=1_000).event_id == "evt-7"


def test_the_trace_that_a_sender_names_goes_along_and_a_malformed_one_does_not(api: Served, redis_client: Any):
    named = {"traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "tracestate": "vendor=1"}

    api.call("POST", SEND, json.dumps(event()).encode(), named)
    api.call("POST", SEND, json.dumps(event()).encode(), {"traceparent": "00-nonsense", "tracestate": "vendor=1"})

    (_, with_trace), (_, without) = redis_client.xrange(EVENTS)
    assert {name.decode(): value.decode() for name, value in with_trace.items() if name != b"payload"} == named
    assert list(without) == [b"payload"]


def test_an_event_that_would_be_a_dead_letter_is_refused_and_not_sent(api: Served, redis_client: Any):
    reply = api.post(SEND, event(answer=None))

    assert (reply.status, reply.error) == (400, "interaction.answer: must be text, not null")
    assert redis_client.xlen(EVENTS) == 0


def test_results_are_newest_first_and_chosen_by_event_and_verdict(api: Served, redis_client: Any):
    for number, (event_id, verdict) in enumerate([("a", "pass"), ("b", "fail"), ("c", "pass"), ("b", "review")], 1):
        redis_client.xadd(RESULTS, result(event_id, verdict), id=f"{number}-0")

    assert names(api) == ["b", "c", "b", "a"]
    assert names(api, "event_id=b") == ["b", "b"]
    assert names(api, "verdict=pass") == ["c", "a"]
    assert names(api, "event_id=b&verdict=fail") == ["b"]
    assert names(api, "event_id=unheard-of") == []


def test_a_limit_is_kept_and_says_that_there_may_be_more(api: Served, redis_client: Any):
    for name in "abc":
        redis_client.xadd(RESULTS, result(name))

    two, all_of_them = api.get(f"{LOOK}?limit=2").document, api.get(f"{LOOK}?limit=3").document

    assert ([found["id"] for found in two["results"]], two["complete"]) == (["c", "b"], False)
    assert all_of_them["complete"]


def test_results_since_a_moment_or_so_long_ago(api: Served, redis_client: Any):
    redis_client.xadd(RESULTS, result("old"), id="1000000000000-0")  # 2001-09-09T01:46:40Z
    redis_client.xadd(RESULTS, result("new"))

    assert names(api, "since=1h") == ["new"]
    assert names(api, "since=2001-09-09T01:46:40Z") == ["new", "old"]
    assert names(api, "since=2001-09-09T01:46:41") == ["new"]
    assert names(api, "since=2001-09-09T02:46:41%2B01:00") == ["new"]
    assert names(api, "since=2001-09-09") == ["new", "old"]


def test_what_is_no_result_is_left_out(api: Served, redis_client: Any):
    redis_client.xadd(RESULTS, {"payload": "{}"})
    redis_client.xadd(RESULTS, result("a"))

    assert names(api) == ["a"]


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("verdict=good", "verdict: must be 'pass', 'review', 'fail' or 'skipped'"),
        ("limit=0", "limit: must be at least 1"),
        ("limit=101", "limit: must be at most 100"),
        ("limit=many", "limit: must be a whole number"),
        ("event_id=", "event_id: must not be empty"),
        ("since=yesterday", "since: is neither so long ago (10m, 2h, 1d) nor a time"),
        ("eventid=a", "eventid: is no parameter that is known here"),
    ],
)
def test_a_wrong_query_is_a_400_that_names_the_parameter(api: Served, query: str, problem: str):
    reply = api.get(f"{LOOK}?{query}")

    assert reply.status == 400
    assert reply.error.startswith(problem)


def test_without_a_redis_both_say_which_setting_is_missing():
    with serving() as api:
        for reply in (api.post(SEND, event()), api.get(LOOK)):
            assert reply.status == 404
            assert reply.error.startswith("no Redis is configured here: set REDIS_URL, REDIS_ADDR or REDIS_SENTINEL")


def test_a_redis_that_is_away_is_a_503_and_answers_are_judged_all_the_same(free_port: int):
    nowhere = load_settings(judge_model="offline", redis_addr=f"localhost:{free_port}")
    with serving(nowhere) as api:
        for reply in (api.post(SEND, event()), api.get(LOOK)):
            assert (reply.status, reply.headers["retry-after"]) == (503, "1")
            assert reply.error.startswith(f"no Redis at localhost:{free_port} (connection refused)")
        assert api.post(EVALUATE, event()).status == 200


class TakesXadd(socketserver.ThreadingTCPServer):
    """A Redis that answers every XADD with the test's own words and hangs up."""

    daemon_threads = True

    def __init__(self, answer: bytes = b"") -> None:
        super().__init__(("127.0.0.1", 0), _OneConnection)
        self.answer = answer
        self.taken = 0


class _OneConnection(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        while sent := self.request.recv(65_536):
            if b"XADD" in sent:
                server = cast("TakesXadd", self.server)
                server.taken += 1
                self.request.sendall(server.answer)
                return
            commands = len(re.findall(rb"^\*\d+\r$", sent, re.MULTILINE))
            self.request.sendall(b"+OK\r\n" * commands)


def sent_to(redis: TakesXadd) -> Reply:
    with redis:
        threading.Thread(target=redis.serve_forever, args=(0.01,)).start()
        with serving(load_settings(judge_model="offline", redis_addr=f"localhost:{redis.server_address[1]}")) as api:
            reply = api.post(SEND, event())
        redis.shutdown()
    return reply


def test_an_event_whose_reply_was_lost_is_not_sent_again_and_the_caller_is_told_so():
    redis = TakesXadd()
    reply = sent_to(redis)

    assert reply.status == 504
    assert "the event may or may not have been taken; look before sending it again" in reply.error
    assert "retry-after" not in reply.headers
    assert redis.taken == 1


def test_a_redis_that_refuses_the_event_is_a_503_with_its_words():
    reply = sent_to(TakesXadd(b"-OOM command not allowed when used memory > 'maxmemory'.\r\n"))

    assert (reply.status, reply.headers["retry-after"]) == (503, "1")
    assert "is full (maxmemory)" in reply.error
