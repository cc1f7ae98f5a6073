"""`eval-worker run` as a process: judged through real boto3, watched over HTTP, stopped with plain words."""

import json
import resource
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.events import EVENTS, dead_letters, deliveries, event, results, send
from tests.planted_secrets import overheard
from tests.processes import Worker, environment_for
from tests.waiting import eventually_sync, once_in_a_few_tries

from eval_worker.embedded import EmbeddedServer
from eval_worker.settings import Settings
from eval_worker.testing import AccessDenied, FakeBedrock, MalformedReply, Throttle, judge

Spawn = Callable[..., Worker]
LEVELS = {"relevance": 5, "faithfulness": 4, "coherence": 3, "completeness": 2, "instruction": 1}


def get(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=60) as reply:
            return reply.status, noted(url, reply.read().decode())
    except urllib.error.HTTPError as error:
        with error:
            return error.code, noted(url, error.read().decode())


def noted(url: str, body: str) -> str:
    overheard.note(url, body)
    return body


def test_one_event_asks_five_judges_at_once_and_adds_up_to_the_formula(
    settings: Settings, redis_client: Any, bedrock: FakeBedrock, spawn: Spawn
):
    for name, level in LEVELS.items():
        bedrock.reply(level=level, when=judge(name))
    spawn(environment_for(settings, bedrock, JUDGEMENT_CACHE_SECONDS="0"))  # the events are alike

    def most_in_flight(seconds: float) -> int:
        bedrock.forget()
        bedrock.latency(seconds)
        judged = len(results(redis_client))
        send(redis_client, event())
        eventually_sync(lambda: len(results(redis_client)) > judged)
        return bedrock.counters().most_in_flight

    assert 5 in map(most_in_flight, (1, 4, 12))  # a slow machine takes longer to call

    result = results(redis_client)[0]
    scores = [stage["score"] for stage in result["stages"]]
    assert scores[3:] == [1.0, 0.8, 0.6, 0.4, 0.2]
    assert result["confidence"] == pytest.approx(0.3 * sum(scores[:3]) / 3 + 0.7 * sum(scores[3:]) / 5, abs=1e-9)
    assert result["usage"]["llm_calls"] == 5
    assert result["usage"]["input_tokens"] > 0


def test_garbage_twice_from_one_judge_makes_a_partial_review(
    settings: Settings, redis_client: Any, bedrock: FakeBedrock, spawn: Spawn
):
    bedrock.script(MalformedReply(), when=judge("coherence"))
    spawn(environment_for(settings, bedrock))
    send(redis_client, event())
    eventually_sync(lambda: results(redis_client))

    (result,) = results(redis_client)
    assert (result["verdict"], result["partial"]) == ("review", True)
    assert [stage["name"] for stage in result["stages"] if stage["status"] == "error"] == ["coherence-judge"]
    assert bedrock.counters().calls == 6


def test_throttling_on_everything_writes_nothing_until_it_is_over(
    settings: Settings, redis_client: Any, bedrock: FakeBedrock, spawn: Spawn
):
    bedrock.script(Throttle())
    impatient = {"JUDGE_TIMEOUT_SECONDS": "6", "MAX_DELIVERIES": "2", "LEASE_SECONDS": "6"}
    spawn(environment_for(settings, bedrock, JUDGEMENT_CACHE_SECONDS="0", **impatient))  # the events are alike
    for number in range(20):
        send(redis_client, event(f"evt-{number}"))
    eventually_sync(lambda: bedrock.counters().calls > 30)
    assert results(redis_client) == dead_letters(redis_client) == []

    bedrock.calm()
    eventually_sync(lambda: len(results(redis_client)) == 20)

    assert {(result["verdict"], result["partial"]) for result in results(redis_client)} == {("pass", False)}
    assert len({result["id"] for result in results(redis_client)}) == 20


def test_access_denied_pauses_and_says_so_and_goes_on_by_itself(
    settings: Settings, redis_client: Any, bedrock: FakeBedrock, spawn: Spawn
):
    bedrock.script(AccessDenied())
    worker = spawn(environment_for(settings, bedrock))
    assert get(f"{worker.address}/readyz")[0] == 200
    send(redis_client, event())

    eventually_sync(lambda: get(f"{worker.address}/readyz")[0] == 503)
    assert "access_denied" in json.loads(get(f"{worker.address}/readyz")[1])["reason"]
    assert "eval_paused 1.0" in get(f"{worker.address}/metrics")[1]
    assert get(f"{worker.address}/healthz")[0] == 200
    eventually_sync(lambda: deliveries(redis_client) and set(deliveries(redis_client).values()) == {0})
    assert (results(redis_client), dead_letters(redis_client)) == ([], [])

    bedrock.calm()
    eventually_sync(lambda: results(redis_client))
    assert results(redis_client)[0]["attempt"] == 1
    assert get(f"{worker.address}/readyz")[0] == 200


def test_the_metrics_tell_what_happened(settings: Settings, redis_client: Any, bedrock: FakeBedrock, spawn: Spawn):
    worker = spawn(environment_for(settings, bedrock))
    send(redis_client, event())
    redis_client.xadd(EVENTS, {"payload": "{"})
    eventually_sync(lambda: results(redis_client) and dead_letters(redis_client))

    def metrics() -> str:
        return get(f"{worker.address}/metrics")[1]

    eventually_sync(lambda: 'eval_events_total{outcome="pass"} 1.0' in metrics())
    text = metrics()
    for line in (
        'eval_events_total{outcome="dead_letter"} 1.0',
        'eval_dead_letters_total{reason="malformed_event"} 1.0',
        'eval_judge_calls_total{judge="relevance",result="ok"} 1.0',
        'eval_stage_score_count{stage="length-checker"} 1.0',
        "eval_in_flight 0.0",
        "eval_paused 0.0",
    ):
        assert line in text
    assert get(f"{worker.address}/nothing")[0] == 404


def test_the_embedded_server_and_the_producer_work_with_the_readmes_words(
    tmp_path: Path, free_port: int, spawn: Spawn, clean_environment: None
):
    environment = environment_for(None, REDIS_ADDR=f"localhost:{free_port}")
    spawn(environment, "-m", "eval_worker", "run", "--embedded", "--judge-model", "offline", "--log-format", "json")

    def seconds(*arguments: str) -> float:
        started = time.monotonic()
        produced = subprocess.run(
            [sys.executable, "-m", "eval_producer", *arguments],
            env=environment, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        assert produced.returncode == 0, produced.stderr
        assert "--wait" not in arguments or json.loads(produced.stdout)["verdict"] == "pass"
        return time.monotonic() - started

    sending = ("--wait", "-d", json.dumps(event()))
    # Half a second on a machine with nothing else to do, most of it until the program has begun.
    assert once_in_a_few_tries(lambda: seconds(*sending) < 5 * seconds("--help") + 5)
    assert (tmp_path / ".eval-worker/valkey").is_dir()


@pytest.mark.parametrize(
    ("changes", "code", "words"),
    [
        ({"JUDGE_MODEL": "bedrock"}, 2, ["AWS_ACCESS_KEY_ID", "--judge-model offline"]),
        ({"JUDGE_MODEL": "gpt"}, 2, ["JUDGE_MODEL", "bedrock, offline or langchain:"]),
        ({"CONCURRENCY": "many"}, 2, ["CONCURRENCY"]),
        ({"PRECHECK_WEIGHT": "0.9"}, 2, ["PRECHECK_WEIGHT", "LLM_JUDGE_WEIGHT"]),
        ({"LEASE_SECONDS": "nan"}, 2, ["LEASE_SECONDS: must be a finite number"]),
        ({"REDIS_CONSUMER_NAME": "released"}, 2, ["REDIS_CONSUMER_NAME: 'released' is taken"]),
        ({"READ_AHEAD": "0"}, 2, ["READ_AHEAD: must be at least 1"]),
        ({"EVENT_RETENTION_HOURS": "inf"}, 2, ["EVENT_RETENTION_HOURS: must be a finite number"]),
        ({"RESULTS_MAXLEN": "99999999999999999999"}, 2, ["RESULTS_MAXLEN: must be at most"]),
        ({"REDIS_URL": "redis://localhost:1/notadb"}, 2, ["REDIS_URL", "number of a database"]),
        ({"JUDGES_FILE": "/nowhere.yaml"}, 2, ["JUDGES_FILE", "/nowhere.yaml"]),
        ({"METRICS_PORT": "1", "METRICS_HOST": "127.0.0.9999"}, 2, ["METRICS_PORT"]),
        ({"REDIS_URL": "", "REDIS_ADDR": "localhost:1"}, 1, ["localhost:1", "connection refused"]),
        ({"REDIS_URL": "", "REDIS_ADDR": "localhost"}, 2, ["REDIS_ADDR"]),
    ],
)
def test_a_start_that_cannot_succeed_ends_in_one_plain_line(
    settings: Settings, changes: dict[str, str], code: int, words: list[str]
):
    environment = environment_for(settings) | changes

    ended = subprocess.run(
        [sys.executable, "-m", "eval_worker", "run"],
        env=environment, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip

    assert ended.returncode == code
    line = ended.stderr.strip()
    assert "\n" not in line
    assert line.startswith("eval-worker: ")
    assert [word for word in words if word not in line] == []


def test_a_broken_env_file_stops_the_start_and_names_the_line(settings: Settings, tmp_path: Path):
    (tmp_path / ".env").write_text('CONCURRENCY=4\nREDIS_PASSWORD="abc\n')

    ended = subprocess.run(
        [sys.executable, "-m", "eval_worker", "run"],
        env=environment_for(settings), capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip

    assert (ended.returncode, ended.stderr) == (2, "eval-worker: .env: line 2 is not NAME=value\n")


def test_readiness_is_503_for_as_long_as_redis_is_away(
    tmp_path: Path, free_port: int, bedrock: FakeBedrock, spawn: Spawn
):
    with EmbeddedServer.on_port(free_port, tmp_path / "data") as server:
        worker = spawn(environment_for(None, bedrock, REDIS_ADDR=server.addr, LEASE_SECONDS="2"))
        server.kill()
        eventually_sync(lambda: get(f"{worker.address}/readyz")[0] == 503)
        ends_at = time.monotonic() + 3  # several renewals
        while time.monotonic() < ends_at:
            assert get(f"{worker.address}/readyz")[0] == 503
        server.start()
        eventually_sync(lambda: get(f"{worker.address}/readyz")[0] == 200)


def test_sigterm_before_it_is_ready_is_exit_0(settings: Settings):
    environment = environment_for(settings) | {"REDIS_URL": "", "REDIS_ADDR": "localhost:1"}
    worker = Worker(environment)
    try:
        # The handler stands as soon as the process has given up SIGTERM's default.
        eventually_sync(lambda: catches(worker.process.pid, signal.SIGTERM))
        worker.signal(signal.SIGTERM)
        assert worker.wait(60) == 0
    finally:
        worker.end()


def catches(pid: int, number: int) -> bool:
    status = Path(f"/proc/{pid}/status").read_text()
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
    return bool(int(caught.split()[1], 16) >> (number - 1) & 1)


def test_help_answers_at_once():
    """By the CPU's clock, since the machine may be busy."""

    def seconds() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "eval_worker", "--help"], capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(seconds() for _ in range(5)) < 0.4
