import json
from typing import Any

import pytest
from tests.command_line import run, run_on_terminal
from tests.events import DEAD_LETTERS, EVENTS, GROUP, RESULTS

from eval_worker.redis_connection import address
from eval_worker.settings import Settings


def test_in_a_pipe_the_figures_are_one_line_of_json(settings: Settings, redis_client: Any):
    redis_client.xadd(EVENTS, {"payload": "{}"})
    done = run("eval_worker", "status", settings=settings)
    (line,) = done.lines
    figures = json.loads(line)
    assert (figures["entries"], figures["lag"], figures["pending"]) == (1, 1, 0)
    assert figures["oldest_pending_seconds"] is None
    assert line == run("eval_worker", "status", "--json", settings=settings).out.strip()


def test_a_person_is_told_that_nobody_works(settings: Settings):
    done = run_on_terminal("eval_worker", "status", settings=settings)
    assert done.code == 0
    assert "No worker has been here yet" in done.out


def test_a_person_sees_who_holds_what_and_where_to_look(settings: Settings, redis_client: Any):
    redis_client.xgroup_create(EVENTS, GROUP, "0", mkstream=True)
    for _ in range(3):
        redis_client.xadd(EVENTS, {"payload": "{}"})
    redis_client.xadd(DEAD_LETTERS, {"payload": "{}"})
    redis_client.xreadgroup(GROUP, "host-1", {EVENTS: ">"}, count=2)
    seen = run_on_terminal("eval_worker", "status", settings=settings).out
    rows = {" ".join(line.split()[:-1]): line.split()[-1] for line in seen.splitlines() if line.strip()}
    assert "host-1" in seen
    assert any(row.startswith("lag 1 not read") for row in rows)
    assert any(row.startswith("pending 2 read and not") for row in rows)
    assert "see eval-worker dead-letters list" in seen


def test_an_unknown_lag_is_not_shown_as_a_number(settings: Settings, redis_client: Any):
    redis_client.xgroup_create(EVENTS, GROUP, "0", mkstream=True)
    ids = [redis_client.xadd(EVENTS, {"payload": "{}"}) for _ in range(3)]
    redis_client.xdel(EVENTS, ids[1])
    redis_client.xgroup_create(EVENTS, "other", "0")
    assert json.loads(run("eval_worker", "status", settings=settings).out)["lag"] is None
    assert "unknown" in run_on_terminal("eval_worker", "status", settings=settings).out


@pytest.mark.parametrize("stream", [EVENTS, RESULTS, DEAD_LETTERS])
def test_a_key_that_is_no_stream_is_said_by_the_names_of_the_streams(
    settings: Settings, redis_client: Any, stream: str
):
    redis_client.set(stream, "x")
    done = run("eval_worker", "status", settings=settings)
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        f"eval-worker: Redis at {address(settings)}: {EVENTS}, {RESULTS} or {DEAD_LETTERS} is no stream (WRONGTYPE): "
        "redis-cli TYPE says which; rename it\n"
    )


def test_other_groups_are_shown_with_what_they_hold_back(settings: Settings, redis_client: Any):
    for _ in range(3):
        redis_client.xadd(EVENTS, {"payload": "{}"})
    for group in (GROUP, "archive", "forgotten"):
        redis_client.xgroup_create(EVENTS, group, "0")
    redis_client.xreadgroup("archive", "theirs", {EVENTS: ">"}, count=2)

    archive, forgotten = json.loads(run("eval_worker", "status", settings=settings).out)["other_groups"]
    assert (archive["name"], archive["lag"], archive["pending"], archive["idle"]) == ("archive", 1, 2, False)
    assert (forgotten["lag"], forgotten["consumers"], forgotten["idle_seconds"]) == (3, 0, None)
    assert forgotten["idle"] is True

    seen = run_on_terminal("eval_worker", "status", settings=settings).out
    rows = {line.split()[0]: line.split()[1:] for line in seen.splitlines() if line.strip()}
    assert rows["archive"][:2] == ["1", "2"]
    assert rows["forgotten"][:4] == ["3", "0", "no", "consumer"]
    assert "holds back" in seen
