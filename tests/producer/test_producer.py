import json
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Finished, run, run_on_terminal
from tests.servers.binaries import server_binary
from tests.stored_results import add_result, left_out, make_result
from tests.waiting import eventually_sync

from eval_worker.embedded import EmbeddedServer
from eval_worker.redis_connection import address, connect_sync
from eval_worker.settings import Settings, load_settings


def event(event_id: str = "evt-001", **changes: Any) -> str:
    interaction = {"user_query": "Wie heißt die Hauptstadt?", "answer": "Paris 🗼", **changes}
    return json.dumps({"event_id": event_id, "interaction": interaction}, ensure_ascii=False)


def produce(settings: Settings, *arguments: str | bytes, stdin: bytes = b"") -> Finished:
    return run("eval_producer", *arguments, settings=settings, stdin=stdin)


def entries(redis_client: Any, stream: str = "eval-events") -> list[Any]:
    reply = redis_client.xread({stream: "0"})
    return reply[0][1] if reply else []


class Judge:
    """Answers each event once it is on the stream, as a worker would."""

    def __init__(self, settings: Settings, count: int = 1) -> None:
        self._client: Any = connect_sync(settings, block_seconds=1)
        self._count = count
        self._thread = threading.Thread(target=self._answer)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *exception: object) -> None:
        self._thread.join()
        self._client.close()

    def _answer(self) -> None:
        position, answered, deadline = b"0-0", 0, time.monotonic() + 60
        while answered < self._count and time.monotonic() < deadline:
            for _, found in self._client.xread({"eval-events": position}, block=100):
                for entry_id, fields in found:
                    position = entry_id
                    self._write(entry_id.decode(), json.loads(fields[1])["event_id"])
                    answered += 1

    def _write(self, source_id: str, event_id: str) -> None:
        if event_id == "dead":
            self._client.xadd("eval-dead-letters", {"source_id": source_id, "reason": "it is too odd"})
            return
        add_result(self._client, make_result("someone else's", source_id="1-1"))
        make = left_out if event_id == "left out" else make_result
        add_result(self._client, make(event_id, source_id=source_id))
        add_result(self._client, make_result("judged again", source_id=source_id))


def test_one_event_is_sent_byte_for_byte_and_its_id_printed(settings: Settings, redis_client: Any):
    payload = "  " + event() + " "
    done = produce(settings, "-d", payload)
    assert (done.code, done.err) == (0, "")
    assert entries(redis_client) == [[done.out.strip().encode(), [b"payload", payload.encode()]]]


def test_another_stream_can_be_named(settings: Settings, redis_client: Any, lasting_keys: set[str]):
    lasting_keys.add("mine")
    assert produce(settings, "-d", event(), "--stream", "mine").code == 0
    assert len(entries(redis_client, "mine")) == 1


@pytest.mark.parametrize(
    ("data", "named"),
    [
        ("{", "-d is not JSON"),
        ("[]", "-d must be a JSON object"),
        ('{"event_id": "x"}', "interaction: is required"),
        ('{"event_id": "x", "interaction": {"user_query": "q", "answer": 7}}', "interaction.answer: must be text"),
        (b"\xff", "-d is not UTF-8"),
    ],
)
def test_a_wrong_event_is_wrong_usage_unless_it_is_meant(
    settings: Settings, redis_client: Any, data: str | bytes, named: str
):
    refused = produce(settings, "-d", data)
    assert (refused.code, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert named in refused.err
    assert entries(redis_client) == []
    assert produce(settings, "-d", data, "--no-validate").code == 0
    assert entries(redis_client)[0][1][1] == (data if isinstance(data, bytes) else data.encode())


@pytest.mark.parametrize("arguments", [[], ["-d", "{}", "-f", "-"], ["-f", "/no/such/file"], ["-f", "/"]])
def test_it_has_to_be_told_what_to_send(settings: Settings, arguments: list[str]):
    done = produce(settings, *arguments)
    assert (done.code, done.out) == (2, "")


def test_good_lines_are_sent_and_bad_ones_named(settings: Settings, redis_client: Any, tmp_path: Path):
    file = tmp_path / "events.jsonl"
    file.write_text(f"{event('a')}\n\nnot json\n{event('b')}\n", encoding="utf-8")
    done = produce(settings, "-f", str(file))
    assert done.code == 1
    assert "line 3: payload: is not JSON" in done.err
    assert "sent 2 events, left out 1 bad line" in done.err
    assert done.lines == [entry_id.decode() for entry_id, _ in entries(redis_client)]


def test_many_are_sent_in_order(settings: Settings, redis_client: Any):
    names = [f"evt-{number}" for number in range(1000)]
    done = produce(settings, "-f", "-", stdin="\n".join(map(event, names)).encode())
    assert (done.code, len(done.lines)) == (0, 1000)
    assert [json.loads(fields[1])["event_id"] for _, fields in entries(redis_client)] == names


def test_an_event_in_a_pipe_does_not_wait_for_the_next(settings: Settings, redis_client: Any):
    assert settings.redis_url is not None
    with subprocess.Popen(
        [sys.executable, "-m", "eval_producer", "-f", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "REDIS_URL": settings.redis_url.get_secret_value()},
    ) as producer:
        assert producer.stdin is not None
        producer.stdin.write(event().encode() + b"\n")
        producer.stdin.flush()
        eventually_sync(lambda: len(entries(redis_client)) == 1)
        producer.communicate(timeout=60)


def test_waiting_prints_the_result_that_belongs_to_the_event(settings: Settings):
    with Judge(settings):
        done = produce(settings, "--wait", "-d", event("mine"))
    assert done.code == 0
    (line,) = done.lines
    result = json.loads(line)
    assert (result["id"], result["source_id"]) == ("mine", done.err.strip())


def test_a_result_from_before_is_not_taken_for_an_answer(settings: Settings, redis_client: Any):
    add_result(redis_client, make_result("old"))
    done = produce(settings, "--wait", "--timeout", "0.2", "-d", event())
    assert (done.code, done.out) == (1, "")
    assert "no verdict after 0.2 seconds: is a worker running?" in done.err


def test_a_dead_letter_ends_the_wait_with_its_reason(settings: Settings):
    with Judge(settings):
        done = produce(settings, "--wait", "-d", event("dead"))
    assert (done.code, done.out) == (1, "")
    assert "became a dead letter: it is too odd (eval-worker dead-letters show" in done.err


def test_waiting_for_many_prints_one_line_each(settings: Settings):
    names = [*(f"evt-{number}" for number in range(20)), "dead"]
    with Judge(settings, len(names)):
        done = produce(settings, "--wait", "-f", "-", stdin="\n".join(map(event, names)).encode())
    assert done.code == 1
    assert [json.loads(line)["id"] for line in done.lines] == names[:-1]


def test_whoever_is_missing_is_named_in_the_order_of_sending(settings: Settings):
    done = produce(settings, "--wait", "--timeout", "0.1", "-f", "-", stdin=f"{event()}\n".encode() * 13)
    sent, missing = done.err.splitlines()[:13], done.err.splitlines()[13:]
    assert [line.split()[1] for line in missing[:10]] == sent[:10]
    assert missing[10] == "eval-producer: and 3 more have none"


def test_a_server_that_dies_while_verdicts_are_waited_for_ends_it_with_their_number(tmp_path: Path, free_port: int):
    def judge_one_and_kill(server: EmbeddedServer) -> None:
        with connect_sync(load_settings(redis_addr=server.addr)) as client:
            eventually_sync(lambda: len(entries(client)) == 3)
            add_result(client, make_result(source_id=entries(client)[0][0].decode()))
            eventually_sync(lambda: any("b" in each["flags"] for each in client.client_list()))  # it waits for the next
            server.kill()

    with EmbeddedServer.on_port(free_port, tmp_path, binary=server_binary()) as server:
        killer = threading.Thread(target=judge_one_and_kill, args=(server,))
        killer.start()
        lines = "\n".join(event(f"evt-{number}") for number in range(3))
        done = run("eval_producer", "--wait", "-f", "-", "--redis-addr", server.addr, stdin=lines.encode())
        killer.join()

    assert (done.code, len(done.lines)) == (1, 1)
    assert done.err.splitlines()[-2:] == [
        "eval-producer: 2 of the 3 events sent have no verdict yet: see eval-worker results later",
        f"eval-producer: Redis at {server.addr} closed the connection: see whether it was stopped or restarted",
    ]


def test_a_person_sees_the_verdict_with_its_stages(settings: Settings):
    with Judge(settings):
        done = run_on_terminal("eval_producer", "--wait", "-d", event("mine"), settings=settings)
    assert done.code == 0
    assert "pass  0.965  mine" in done.out
    assert "faithfulness-judge  0.20  The answer claims" in done.out
    assert all(len(line) <= 80 for line in done.out.splitlines())


def test_an_event_that_sampling_left_out_ends_the_wait_and_says_so(settings: Settings):
    with Judge(settings):
        done = run_on_terminal("eval_producer", "--wait", "-d", event("left out"), settings=settings)
    assert done.code == 0
    assert "skipped  -  left out  (left out by sampling)" in done.out
    assert "judged by" not in done.out


def test_without_redis_nothing_is_sent_and_the_reason_is_one_line():
    done = run("eval_producer", "-d", event(), "--redis-addr", "localhost:1")
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert "no Redis at localhost:1" in done.err


def test_a_wrong_password_is_one_line():
    with EmbeddedServer.on_socket(password="right") as server:
        done = run("eval_producer", "-d", event(), environment={"REDIS_URL": server.url, "REDIS_PASSWORD": "wrong"})
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "refused the user or password" in done.err


def test_a_full_server_refuses_and_the_way_out_is_said(settings: Settings, redis_client: Any):
    redis_client.config_set("maxmemory", "1")
    try:
        one = produce(settings, "-d", event())
        many = produce(settings, "-f", "-", stdin=f"{event()}\n{event()}\n".encode())
    finally:
        redis_client.config_set("maxmemory", "0")
    assert one.code == many.code == 1
    full = f"Redis at {address(settings)} is full (maxmemory): give it more memory, or trim eval-results (XTRIM)\n"
    assert one.err == f"eval-producer: {full}"
    assert "took 0 of the last 2 events" in many.err
    assert many.err.endswith(full)
    assert entries(redis_client) == []


def test_a_connection_that_breaks_after_sending_is_said_and_nothing_is_sent_again():
    """A server that answers all but XADD: then nobody knows whether the event was taken."""
    seen: list[bytes] = []

    def serve(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            while request := connection.recv(65_536):
                if b"XADD" in request:
                    seen.append(request)
                    return
                connection.sendall(b"+PONG\r\n" if b"PING" in request else b"+OK\r\n" * request.count(b"*"))

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, args=(listener,))
        thread.start()
        done = run("eval_producer", "-d", event(), "--redis-addr", f"127.0.0.1:{listener.getsockname()[1]}")
        thread.join()
    assert (done.code, done.out, len(seen)) == (1, "", 1)
    assert "may or may not have been taken" in done.err


def test_a_cluster_is_written_to_and_waited_for(tmp_path: Path, free_port: int):
    with EmbeddedServer.on_port(free_port, tmp_path, config={"cluster-enabled": "yes"}) as server:
        plain: Any = connect_sync(load_settings(redis_addr=server.addr))
        plain.execute_command("CLUSTER", "ADDSLOTSRANGE", 0, 16_383)
        eventually_sync(lambda: b"cluster_state:ok" in plain.execute_command("CLUSTER", "INFO"))
        variables = {
            "REDIS_ADDR": server.addr,
            "REDIS_CLUSTER": "true",
            "REDIS_STREAM_NAME": "{e}",
            "REDIS_RESULT_STREAM": "{e}:results",
            "REDIS_DEAD_LETTER_STREAM": "{e}:dead-letters",
        }
        two = run("eval_producer", "-f", "-", stdin=f"{event()}\n{event()}".encode(), environment=variables)
        assert (two.code, len(two.lines)) == (0, 2)
        waited = run("eval_producer", "--wait", "--timeout", "0.2", "-d", event(), environment=variables)
        assert "no verdict after 0.2 seconds" in waited.err
        figures = json.loads(run("eval_worker", "status", environment=variables).out)
        assert figures["entries"] == 3
        plain.close()
