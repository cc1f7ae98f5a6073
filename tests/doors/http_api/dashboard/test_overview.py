"""The figures behind the page: bounded, filtered, and read once for all who look."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import orjson
import pytest
from pydantic import SecretStr
from tests.doors.http_api.serving import Served, serving
from tests.planted_secrets import API_KEY
from tests.stored_results import add_many, add_result, make_result
from tests.waiting import PATIENCE, eventually_sync

from eval_worker.dashboard.facts import facts_of
from eval_worker.dashboard.figures import figures_of
from eval_worker.dashboard.selection import Selection
from eval_worker.doors.http_api.dashboard import overview as overviews
from eval_worker.doors.http_api.dashboard.watch import Sight
from eval_worker.event import Agent
from eval_worker.result import UsageResult
from eval_worker.settings import Settings, load_settings
from eval_worker.stream.recent_results import MOST

OVERVIEW = "/api/v1/overview"


@pytest.fixture
def api(settings: Settings) -> Iterator[Served]:
    with serving(settings) as served:
        yield served


def add(redis_client: Any, settings: Settings, event_id: str, **changes: Any) -> str:
    result = make_result(event_id, **changes)
    return add_result(redis_client, result, key=settings.redis_result_stream).decode()


def overview(api: Served, query: str = "") -> Any:
    """What is said once everything was read."""

    def read() -> Any:
        document = api.get(f"{OVERVIEW}?{query}").document
        return None if document["loading"] else document

    return eventually_sync(read)


def test_rows_are_newest_first_and_what_comes_in_is_among_them(api: Served, settings: Settings, redis_client: Any):
    add(redis_client, settings, "a", agent=Agent(name="bot", version="1"))
    first = overview(api)
    entry_id = add(redis_client, settings, "b", verdict="fail", confidence=0.2)
    second = eventually_sync(lambda: (found := overview(api))["looked_at"] == 2 and found)

    assert [row["event_id"] for row in first["rows"]] == ["a"]
    assert [row["event_id"] for row in second["rows"]] == ["b", "a"]
    assert second["rows"][0] == {
        "id": entry_id,
        "at_ms": int(entry_id.partition("-")[0]),
        "event_id": "b",
        "agent": None,
        "version": None,
        "verdict": "fail",
        "confidence": 0.2,
        "early_exit": False,
        "partial": False,
        "cost_usd": None,
        "weakest": {
            "name": "faithfulness-judge",
            "score": 0.2,
            "reason": "The answer claims what the context doesn't say.",
        },
    }
    assert second["agents"] == [{"agent": "bot", "versions": ["1"]}]
    assert second["backlog"]["results"] == 2


def test_filters_choose_what_is_counted_and_listed(api: Served, settings: Settings, redis_client: Any):
    add(redis_client, settings, "a", agent=Agent(name="bot", version="1"))
    add(redis_client, settings, "b", agent=Agent(name="bot", version="2"), verdict="review", partial=True)

    for query, expected in {
        "agent=bot": ["b", "a"],
        "agent=bot&version=1": ["a"],
        "verdict=review": ["b"],
        "partial=true": ["b"],
        "text=A": ["b", "a"],
        "text=nothing": [],
        "since=1h": ["b", "a"],
        "since=2100-01-01": [],
        "limit=1": ["b"],
    }.items():
        found = overview(api, query)
        assert [row["event_id"] for row in found["rows"]] == expected, query
        assert found["looked_at"] == 2
    assert overview(api, "limit=1")["figures"]["results"] == 2


def test_what_was_shown_before_is_not_sent_again(api: Served, settings: Settings, redis_client: Any):
    add(redis_client, settings, "a")
    overview(api)
    reply = api.get(OVERVIEW)

    again = api.get(OVERVIEW, If_None_Match=reply.headers["etag"])

    assert (again.status, again.text) == (304, "")


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("verdict=good", "verdict: must be 'pass', 'review', 'fail' or 'skipped'"),
        ("limit=501", "limit: must be at most 500"),
        ("since=yesterday", "since: is neither"),
        ("agent=a&agent=b", "agent: is given more than once"),
        ("agnet=a", "agnet: is no parameter that is known here"),
    ],
)
def test_a_wrong_query_is_a_400_that_names_the_parameter(api: Served, query: str, problem: str):
    reply = api.get(f"{OVERVIEW}?{query}")

    assert reply.status == 400
    assert reply.error.startswith(problem)


def test_without_a_redis_the_missing_setting_is_named():
    with serving() as api:
        assert api.get(OVERVIEW).error.startswith("no Redis is configured here: set REDIS_URL")


def test_a_redis_that_is_away_is_a_503_that_says_what_to_do(free_port: int):
    with serving(load_settings(judge_model="offline", redis_addr=f"localhost:{free_port}")) as api:
        reply = api.get(OVERVIEW)

    assert (reply.status, reply.headers["retry-after"]) == (503, "1")
    assert reply.error.startswith(f"no Redis at localhost:{free_port} (connection refused): start one")


def calls_of(redis_client: Any) -> int:
    """How many times results or the backlog were asked for."""
    figures = redis_client.info("commandstats")
    return sum(
        figures.get(f"cmdstat_{command}", {}).get("calls", 0) for command in ("xrange", "xrevrange", "evalsha_ro")
    )


def test_many_viewers_cost_redis_no_more_than_one(api: Served, settings: Settings, redis_client: Any):
    add(redis_client, settings, "a")
    overview(api)
    before, started = calls_of(redis_client), time.monotonic()

    with ThreadPoolExecutor(8) as viewers:
        statuses = list(
            viewers.map(lambda number: api.get(f"{OVERVIEW}?text=a&limit={number % 50 + 1}").status, range(200))
        )

    seconds = time.monotonic() - started
    assert set(statuses) == {200}
    assert calls_of(redis_client) - before <= 6 * (seconds + 2)  # a few a second, and not 200


@pytest.mark.parametrize("query", ["verdict=pass", "since=1h"])
def test_the_same_choice_is_counted_once_a_second_however_many_ask(
    api: Served, monkeypatch: pytest.MonkeyPatch, query: str
):
    overview(api)
    counted, of = [0], overviews.figures_of

    def count(*given: Any) -> Any:
        counted[0] += 1
        time.sleep(0.1)  # as very many take
        return of(*given)

    monkeypatch.setattr(overviews, "figures_of", count)
    started = time.monotonic()
    with ThreadPoolExecutor(8) as viewers:
        statuses = list(viewers.map(lambda _: api.get(f"{OVERVIEW}?{query}").status, range(40)))

    assert set(statuses) == {200}
    # The second may change between what was asked for and its count.
    assert counted[0] <= 2 * (time.monotonic() - started + 2)


def test_one_who_hangs_up_does_not_take_the_count_from_the_others():
    async def run() -> list[Any]:
        sight = Sight(facts=(), entries=0, reaches_back=True, changes=0, backlog=None, problem=None)
        counts = overviews.Overviews(None, now=lambda: 1.0)
        asking = [asyncio.create_task(counts.of(sight, Selection(), 1)) for _ in range(3)]
        await asyncio.sleep(0)
        asking[0].cancel()
        return await asyncio.gather(*asking, return_exceptions=True)

    first, *others = asyncio.run(run())

    assert isinstance(first, asyncio.CancelledError)
    assert [each.entries for each in others] == [0, 0]


def test_a_result_with_a_number_that_is_none_is_left_out(api: Served, settings: Settings, redis_client: Any):
    fields = dict(make_result("huge").to_stream_fields())
    huge = fields["payload"].replace(b'"input_tokens":0', b'"input_tokens":1' + b"0" * 30)
    redis_client.xadd(settings.redis_result_stream, {**fields, "payload": huge})
    add(redis_client, settings, "a")

    found = eventually_sync(lambda: (seen := overview(api))["entries"] == 2 and seen)

    assert [row["event_id"] for row in found["rows"]] == ["a"]


def test_sums_of_the_largest_counts_are_numbers_that_json_can_carry():
    usage = UsageResult(llm_calls=2**48, input_tokens=2**48, output_tokens=2**48)
    facts = facts_of("1-1", make_result(usage=usage))

    figures = figures_of([facts] * MOST, now_ms=1)

    assert json.loads(orjson.dumps(figures))["cost"]["input_tokens"] == MOST * 2**48


def test_one_result_is_given_whole(api: Served, settings: Settings, redis_client: Any):
    texts = {"user_query": "q", "context": "", "answer": "a"}
    entry_id = add(redis_client, settings, "a", interaction=texts)

    found = api.get(f"/api/v1/results/{entry_id}").document

    assert found["id"] == "a"
    assert found["interaction"] == texts
    assert [stage["name"] for stage in found["stages"]] == ["length-checker", "overlap-checker", "faithfulness-judge"]


def test_a_result_that_is_gone_is_a_404_and_an_id_that_is_none_a_400(api: Served):
    assert api.get("/api/v1/results/1-1").status == 404
    assert api.get("/api/v1/results/newest").status == 400


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:18081", 200),
        ("127.0.0.1", 200),
        ("[::1]:18081", 200),
        ("192.168.1.7", 200),
        ("eval-worker", 200),
        ("app.localhost", 200),
        ("evil.example", 403),
        ("127.0.0.1.evil.example:18081", 403),
        ("", 200),
    ],
)
def test_without_keys_a_name_that_strangers_may_own_is_refused(api: Served, host: str, status: int):
    reply = api.get(OVERVIEW, Host=host)

    assert reply.status == status
    if status == 403:
        assert "set API_KEYS" in reply.error


def test_with_keys_any_name_will_do_for_those_who_show_one(settings: Settings):
    with serving(settings, api_keys=SecretStr(API_KEY)) as api:
        assert api.get(OVERVIEW, Host="evil.example").status == 401
        assert api.get(OVERVIEW, Host="eval.example.com", X_API_Key=API_KEY).status == 200


def test_the_page_and_its_files_are_open_and_may_load_nothing_from_elsewhere(settings: Settings):
    with serving(settings, api_keys=SecretStr(API_KEY)) as api:
        page, script = api.get("/"), api.get("/page/main.js")
        assert api.get("/page/main.js", If_None_Match=script.headers["etag"]).status == 304
        assert api.get("/page/nothing.js").status == 404
        assert api.get("/page/..%2Froutes.py").status == 404

    assert (page.status, script.status) == (200, 200)
    assert page.headers["content-type"].startswith("text/html")
    policy = page.headers["content-security-policy"]
    for part in ("default-src", "base-uri", "form-action", "frame-ancestors"):
        assert f"{part} 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "http" not in page.text.replace("https-equiv", "")


def test_the_files_of_the_page_that_are_named_are_there_and_nothing_is_parsed_as_markup(api: Served):
    named = {part.split('"')[0] for part in api.get("/").text.split('"/page/')[1:]}
    scripts = {name: api.get(f"/page/{name}") for name in named}

    assert len(named) > 15
    assert {reply.status for reply in scripts.values()} == {200}
    for name, reply in scripts.items():
        for danger in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function("):
            assert danger not in reply.text, name


def test_readers_at_once_do_not_hold_up_whoever_is_judged(
    api: Served, settings: Settings, redis_client: Any, monkeypatch: pytest.MonkeyPatch
):
    add_many(redis_client, 100, key=settings.redis_result_stream)
    overview(api)
    counting, may_go_on, of = threading.Event(), threading.Event(), overviews.figures_of

    def held_up(*given: Any) -> Any:
        counting.set()
        assert may_go_on.wait(PATIENCE)
        return of(*given)

    monkeypatch.setattr(overviews, "figures_of", held_up)
    with ThreadPoolExecutor(3) as viewers:
        looking = [viewers.submit(api.get, f"{OVERVIEW}?text={number}") for number in range(3)]
        try:
            assert counting.wait(PATIENCE)
            assert api.get("/api/v1/health").status == 200  # of a loop that stands still there is no answer
        finally:
            may_go_on.set()

    assert {each.result().status for each in looking} == {200}


def test_the_overview_is_json_even_where_a_payload_is_none(api: Served, settings: Settings, redis_client: Any):
    redis_client.xadd(settings.redis_result_stream, {"payload": b"\xff{"})

    assert json.loads(json.dumps(overview(api)))["entries"] == 1
