import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import run, run_on_terminal
from tests.servers.binaries import server_binary
from tests.stored_results import add_result, left_out, make_result
from tests.waiting import eventually_sync

from eval_worker.embedded import EmbeddedServer
from eval_worker.redis_connection import connect_sync
from eval_worker.settings import Settings, load_settings


def ids(out: str) -> list[str]:
    return [json.loads(line)["id"] for line in out.splitlines()]


def test_in_a_pipe_each_result_is_the_stored_json(settings: Settings, redis_client: Any):
    result = make_result("日本")
    add_result(redis_client, result)
    assert run("eval_worker", "results", settings=settings).lines == [result.model_dump_json(by_alias=True)]


def test_all_pages_are_read_in_order(settings: Settings, redis_client: Any):
    expected = [f"evt-{number}" for number in range(300)]
    for name in expected:
        add_result(redis_client, make_result(name))
    assert ids(run("eval_worker", "results", settings=settings).out) == expected
    assert ids(run("eval_worker", "results", "--limit", "150", settings=settings).out) == expected[-150:]


def test_only_the_wanted_verdicts_are_shown(settings: Settings, redis_client: Any):
    for name, verdict in (("a", "pass"), ("b", "fail"), ("c", "review"), ("d", "fail")):
        add_result(redis_client, make_result(name, verdict))
    assert ids(run("eval_worker", "results", "--verdict", "fail", settings=settings).out) == ["b", "d"]
    both = run("eval_worker", "results", "--verdict", "fail", "--verdict", "pass", settings=settings)
    assert ids(both.out) == ["a", "b", "d"]
    assert ids(run("eval_worker", "results", "--verdict", "fail", "--limit", "1", settings=settings).out) == ["d"]


@pytest.mark.parametrize(
    ("since", "expected"), [("10m", ["new"]), ("2h", ["old", "new"]), ("2020-01-01T00:00Z", ["old", "new"])]
)
def test_since_takes_so_long_ago_or_a_time(settings: Settings, redis_client: Any, since: str, expected: list[str]):
    now_ms = redis_client.time()[0] * 1000
    add_result(redis_client, make_result("ancient"), entry_id="5-0")
    add_result(redis_client, make_result("old"), entry_id=f"{now_ms - 3_600_000}-0")
    add_result(redis_client, make_result("new"))
    assert ids(run("eval_worker", "results", "--since", since, settings=settings).out) == expected


@pytest.mark.parametrize("since", ["yesterday", "10", "-1h", "99999999999999w"])
def test_a_time_that_is_none_is_wrong_usage(settings: Settings, since: str):
    assert run("eval_worker", "results", f"--since={since}", settings=settings).code == 2


def test_a_person_sees_one_line_each_with_the_weakest_stage(settings: Settings, redis_client: Any):
    add_result(redis_client, make_result("evt-1", "review", partial=True))
    seen = run_on_terminal("eval_worker", "results", settings=settings).out.splitlines()
    assert seen[0].split() == ["TIME", "VERDICT", "CONF", "EVENT", "WHY"]
    assert "review" in seen[1]
    assert "partial; faithfulness-judge 0.20" in seen[1]
    assert all(len(line) <= 80 for line in seen)


def test_a_person_sees_that_an_event_was_left_out(settings: Settings, redis_client: Any):
    add_result(redis_client, left_out("evt-1"))
    add_result(redis_client, make_result("evt-2"))
    seen = run_on_terminal("eval_worker", "results", "--verdict", "skipped", settings=settings).out.splitlines()
    assert [line.split()[1:] for line in seen[1:]] == [["skipped", "-", "evt-1", "left", "out", "by", "sampling"]]


def test_what_is_no_result_of_ours_is_shown_as_far_as_it_goes(settings: Settings, redis_client: Any):
    entry = redis_client.xadd("eval-results", {"foo": "bar"})
    assert entry.decode() in run_on_terminal("eval_worker", "results", settings=settings).out


def test_judged_text_cant_control_the_terminal(settings: Settings, redis_client: Any):
    add_result(redis_client, make_result("\x1b]0;pwned\x07[bold]x\nTIME"))
    seen = run_on_terminal("eval_worker", "results", settings=settings).out
    assert "\x1b]" not in seen
    assert "\x07" not in seen
    assert "[bold]x" in seen


def add_when_followed(server: EmbeddedServer, event_id: str) -> None:
    with connect_sync(load_settings(redis_addr=server.addr)) as client:
        eventually_sync(lambda: any(each["cmd"] == "xread" for each in client.client_list()))
        add_result(client, make_result(event_id))


def test_following_waits_for_a_server_that_is_killed_and_goes_on(tmp_path: Path, free_port: int):
    with (
        EmbeddedServer.on_port(free_port, tmp_path, binary=server_binary()) as server,
        subprocess.Popen(
            [sys.executable, "-m", "eval_worker", "results", "--follow", "--redis-addr", server.addr],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as follower,
    ):
        assert follower.stdout is not None
        assert follower.stderr is not None
        try:
            add_when_followed(server, "before")
            before = follower.stdout.readline()
            server.kill()
            away = follower.stderr.readline()
            server.start()
            add_when_followed(server, "after")
            after = follower.stdout.readline()
            again = follower.stderr.readline()
        finally:
            follower.kill()

    assert [*ids(before), *ids(after)] == ["before", "after"]
    assert away.startswith(f"eval-worker: Redis at {server.addr} closed the connection: ")
    assert away.endswith("; waiting until it answers\n")
    assert again == "eval-worker: Redis answers again\n"


def test_following_shows_only_what_comes_in_from_now_on(settings: Settings, redis_client: Any):
    add_result(redis_client, make_result("before"))
    assert settings.redis_url is not None
    with subprocess.Popen(
        [sys.executable, "-m", "eval_worker", "results", "--follow", "--verdict", "fail"],
        stdout=subprocess.PIPE,
        env={**os.environ, "REDIS_URL": settings.redis_url.get_secret_value()},
        text=True,
    ) as follower:
        assert follower.stdout is not None
        while not any(client["cmd"] == "xread" for client in redis_client.client_list()):
            assert follower.poll() is None
        add_result(redis_client, make_result("passed", "pass"))
        add_result(redis_client, make_result("failed", "fail"))
        assert ids(follower.stdout.readline()) == ["failed"]
        follower.send_signal(signal.SIGINT)  # it has just written, so it is not waiting for Redis yet
        try:
            assert follower.wait(60) == 130
        finally:
            follower.kill()
