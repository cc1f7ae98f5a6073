"""The process: it starts or says why not, and stops without dropping anybody."""

import http.client
import json
import signal
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.command_line import run
from tests.doors.http_api.serving import EVALUATE, read_reply
from tests.events import event
from tests.processes import Worker, environment_for
from tests.servers.ports import free_port
from tests.waiting import eventually_sync

from eval_worker.testing import FakeBedrock

Start = Callable[..., Worker]
KEY = "0123456789abcdef"
SERVE = ("-m", "eval_worker", "api", "--port", "0")


def environment(bedrock: FakeBedrock | None = None, /, **more: str) -> dict[str, str]:
    return environment_for(None, bedrock, **more)


def begun(worker: Worker, document: dict[str, Any]) -> http.client.HTTPConnection:
    """A request that was sent and not answered yet."""
    connection = http.client.HTTPConnection(*place(worker), timeout=60)
    connection.request("POST", EVALUATE, json.dumps(document), {"X-API-Key": KEY})
    return connection


def place(worker: Worker) -> tuple[str, int]:
    return "127.0.0.1", int(worker.address.rpartition(":")[2])


def test_a_signal_finishes_what_is_in_flight_and_exits_with_0(spawn: Start, bedrock: FakeBedrock):
    bedrock.latency(0.5)
    worker = spawn(environment(bedrock), *SERVE)
    connection = begun(worker, event())
    eventually_sync(lambda: bedrock.counters().calls)

    worker.signal(signal.SIGINT)
    reply = read_reply(connection.getresponse())

    assert (reply.status, reply.document["verdict"]) == (200, "pass")
    assert worker.wait(60) == 0
    connection.close()
    with pytest.raises(OSError):
        socket.create_connection(place(worker), timeout=1)


def test_what_takes_longer_than_the_drain_is_told_so_and_threads_are_not_waited_for(spawn: Start, bedrock: FakeBedrock):
    bedrock.latency(600)
    worker = spawn(environment(bedrock, DRAIN_SECONDS="0.2", JUDGE_TIMEOUT_SECONDS="600"), *SERVE)
    connection = begun(worker, event())
    eventually_sync(lambda: bedrock.counters().calls)

    worker.signal(signal.SIGTERM)
    reply = read_reply(connection.getresponse())
    connection.close()

    assert (reply.status, reply.error) == (503, "the server has stopped before this was done: ask again")
    assert worker.wait(60) == 0


def test_a_second_signal_ends_it_at_once(spawn: Start, bedrock: FakeBedrock):
    bedrock.latency(600)
    worker = spawn(environment(bedrock, JUDGE_TIMEOUT_SECONDS="600", API_KEYS=KEY), *SERVE)
    connection = begun(worker, event())
    eventually_sync(lambda: bedrock.counters().calls)

    worker.signal(signal.SIGTERM)
    eventually_sync(lambda: worker.logged("stopping"))
    worker.signal(signal.SIGTERM)

    assert worker.wait(60) == 128 + signal.SIGTERM
    connection.close()


def test_a_port_that_is_taken_is_named_with_its_settings():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = run("eval_worker", "api", "--judge-model", "offline", "--port", port)

    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f"eval-worker: API_HOST, EVAL_AGENT_API_PORT: 127.0.0.1:{port} can't be had (Address already in use); "
        "choose another\n"
    )


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--host", "no.such.host.invalid"], "API_HOST, EVAL_AGENT_API_PORT: no host 'no.such.host.invalid' is known"),
        (["--host", "192.0.2.1"], "API_HOST, EVAL_AGENT_API_PORT: 192.0.2.1:18081 can't be had"),
        (["--port", "http"], "EVAL_AGENT_API_PORT: must be a whole number"),
        (["--port", "70000"], "EVAL_AGENT_API_PORT: must be at most 65535"),
        (["--judge-model", "gpt"], "JUDGE_MODEL: must be bedrock, offline or langchain:<class path>, not 'gpt'"),
        (["--redis-addr", "here"], "REDIS_ADDR: must be host:port"),
        (["--redis-addr", "localhost:²"], "REDIS_ADDR: must be host:port"),
        (["--judges-file", "none.yaml"], "JUDGES_FILE: none.yaml can't be read"),
    ],
)
def test_a_wrong_flag_stops_the_start_with_one_line_that_names_the_setting(flags: list[str], words: str):
    done = run("eval_worker", "api", "--judge-model", "offline", *flags)

    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith(f"eval-worker: {words}")


@pytest.mark.parametrize("separator", ["\n", "\udcff"], ids=["a new line", "not UTF-8"])
def test_keys_that_no_header_can_hold_stop_the_start_without_being_shown(separator: str):
    done = run("eval_worker", "api", "--judge-model", "offline", environment={"API_KEYS": f"{KEY}{separator}{KEY}"})

    assert (done.code, done.err) == (
        2,
        "eval-worker: API_KEYS: must be keys of printable characters with commas, not new lines, between them\n",
    )


def test_without_credentials_bedrock_stops_the_start_and_offline_is_no_fallback():
    done = run("eval_worker", "api", "--port", "0")

    assert done.code == 2
    assert "JUDGE_MODEL=offline" in done.err or "--judge-model offline" in done.err


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    """One whose Redis is not there, in an environment of its own."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("API_KEYS", "REDIS_URL", "REDIS_SENTINEL"):
            patch.delenv(name, raising=False)
        named = {"REDIS_ADDR": f"localhost:{free_port()}"}
        started = Worker(environment(**named), *SERVE)
    started.wait_until_ready()
    yield started
    started.end()


def test_a_redis_that_is_not_there_is_said_at_the_start_and_does_not_stop_it(worker: Worker):
    said = worker.logged("events and results can't be served for now")

    assert said
    assert "connection refused" in said["problem"]


def test_each_request_has_one_line_without_its_body(worker: Worker):
    connection = begun(worker, event(answer="something private"))
    assert connection.getresponse().status == 200
    connection.close()

    line = eventually_sync(lambda: worker.logged("request"))

    assert line
    assert (line["method"], line["path"], line["status"]) == ("POST", EVALUATE, 200)
    assert "private" not in "".join(worker.log)
