"""No secret in any output, however wrong things go. (That none is in any other test's either is seen to by
`tests.planted_secrets`; that it can see is tested at the end.)"""

import os
import re
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import run
from tests.events import dead_letters, event, results, send
from tests.planted_secrets import (
    AWS_BEARER_TOKEN,
    AWS_KEYS,
    CHAT_MODEL_KEY,
    LLM_API_KEY,
    PROXY_PASSWORD,
    REDIS_PASSWORD,
    REDIS_URL_PASSWORD,
    REDIS_URL_PASSWORD_ENCODED,
    note_health,
    said_in,
)
from tests.processes import IMPORT_PATH, Worker, environment_for
from tests.scripted_redis import ScriptedRedis
from tests.waiting import eventually_sync

from eval_worker.errors import SettingsError
from eval_worker.settings import Settings, load_settings
from eval_worker.testing import AccessDenied, AwsError, FakeBedrock

Start = Callable[..., Worker]
NOWHERE = "localhost:1"
EVENT = '{"event_id": "evt-001", "interaction": {"user_query": "What is 2 + 2?", "answer": "4"}}'
COMMANDS = [("eval_worker", "status"), ("eval_producer", "-d", EVENT)]
PASSWORD, ENCODED = REDIS_URL_PASSWORD, REDIS_URL_PASSWORD_ENCODED
PLAIN = REDIS_PASSWORD  # needs no encoding

WRONG_SETTINGS: list[dict[str, str]] = [
    {"REDIS_ADDR": f"redis://:{PLAIN}@localhost:1"},
    {"REDIS_ADDR": f"redis://me:{ENCODED}@localhost:1/0"},
    {"REDIS_ADDR": f":{PLAIN}@localhost:1"},
    {"REDIS_ADDR": f":{PLAIN}@localhost"},
    {"REDIS_ADDR": f"me:{PLAIN}@localhost:1"},
    {"REDIS_SENTINEL": f"redis://:{PLAIN}@localhost:1"},
    {"REDIS_SENTINEL": f"mymaster@me:{PLAIN}@localhost:1"},
    {"REDIS_SENTINEL": f"mymaster:{PLAIN}@localhost:1"},
    {"REDIS_SENTINEL": f"{PLAIN}@mymaster@localhost:1"},
    {"REDIS_URL": f"redis://:{PASSWORD}@localhost:1"},
    {"REDIS_URL": f"redis://:{PLAIN}/x@localhost:1/0"},
    {"REDIS_URL": f"redis://me:1/{PLAIN}@localhost:1/0"},
    {"REDIS_URL": f"redis://me:1?{PLAIN}=x@localhost:1/0"},
    {"REDIS_URL": f"redis://me:1#{PLAIN}@localhost:1/0"},
    {"REDIS_URL": f"redis://localhost:{PLAIN}"},
    {"REDIS_URL": f"redis://:{ENCODED}@localhost:port"},
    {"REDIS_URL": f"redis://:{ENCODED}@[::1:6379"},
    {"REDIS_URL": f"redis://:{ENCODED}@localhost:1/notadb"},
    {"REDIS_URL": f"redis://:{ENCODED}@localhost:1?protocol=3"},
    {"REDIS_URL": f"redis://localhost:1?passwrd={PLAIN}"},
    {"REDIS_URL": f"redis:{PLAIN}@localhost:1"},
    {"REDIS_URL": f":{PLAIN}@localhost:1"},
    {"REDIS_URL": f"unix://:{ENCODED}@"},
    {"REDIS_URL": f"unix://:a/{PLAIN}@/nowhere.sock"},
    {"REDIS_URL": f"rediss://:{ENCODED}@localhost:1", "REDIS_CA_FILE": "/no/such.pem"},
    {"REDIS_PASSWORD": REDIS_PASSWORD, "PRECHECK_WEIGHT": "0.9"},
    {"REDIS_PASSWORD": REDIS_PASSWORD, "CONCURRENCY": "many"},
    {"LLM_API_KEY": LLM_API_KEY, "CONCURRENCY": "many"},
    {"JUDGE_MODEL": "langchain:a.B", "JUDGE_MODEL_PARAMS": f'{{"api_key": "{CHAT_MODEL_KEY}"'},
    {"JUDGE_MODEL": "bedrock", "JUDGE_MODEL_PARAMS": f'{{"api_key": "{CHAT_MODEL_KEY}"}}'},
]  # fmt: skip
OUT_OF_REACH: list[dict[str, str]] = [
    {"REDIS_URL": f"redis://:{ENCODED}@{NOWHERE}"},
    {"REDIS_URL": f"rediss://me:{ENCODED}@{NOWHERE}/0"},
    {"REDIS_URL": f"redis://:{ENCODED}@no.such.host.invalid:6379"},
    {"REDIS_URL": f"unix://:{ENCODED}@/nowhere.sock"},
    {"REDIS_ADDR": NOWHERE, "REDIS_PASSWORD": REDIS_PASSWORD, "REDIS_TLS": "true"},
    {"REDIS_SENTINEL": f"mymaster@{NOWHERE}", "REDIS_PASSWORD": REDIS_PASSWORD},
]


@pytest.mark.parametrize("command", COMMANDS, ids=["worker", "producer"])
@pytest.mark.parametrize("environment", WRONG_SETTINGS, ids=range(len(WRONG_SETTINGS)))
def test_a_wrong_setting_is_named_without_its_secret(command: tuple[str, ...], environment: Mapping[str, str]):
    done = run(*command, environment=environment)

    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert not said_in(done.err)


@pytest.mark.parametrize("command", COMMANDS, ids=["worker", "producer"])
@pytest.mark.parametrize("environment", OUT_OF_REACH, ids=range(len(OUT_OF_REACH)))
def test_a_redis_out_of_reach_is_named_without_its_password(command: tuple[str, ...], environment: Mapping[str, str]):
    done = run(*command, environment=environment)

    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert not said_in(done.err)


@pytest.mark.parametrize("command", COMMANDS, ids=["worker", "producer"])
@pytest.mark.parametrize(
    "reply",
    [
        "-WRONGPASS invalid username-password pair or user is disabled.",
        "-ERR unknown command 'AUTH', with args beginning with: {sent}",
        "-ERR unknown command `AUTH`, with args beginning with: {sent}",
        "-ERR syntax error near {sent}",
        "-NOPERM User me has no permissions to run the 'auth' command with {sent}",
        "-NOAUTH Authentication required.",
        "",
    ],
)
@pytest.mark.parametrize("scheme", ["redis", "rediss"])
def test_a_server_that_repeats_what_it_was_sent_is_not_repeated(command: tuple[str, ...], reply: str, scheme: str):
    with ScriptedRedis(reply) as server:
        done = run(*command, environment={"REDIS_URL": f"{scheme}://me:{ENCODED}@127.0.0.1:{server.port}"})

    assert (done.code, done.err.count("\n")) == (1, 1)
    assert not said_in(done.out + done.err)


@pytest.mark.parametrize("line", ['REDIS_PASSWORD="{}', "REDIS_PASSWORD {}", "REDIS_PASSWORD: {}", "{}\xff"])
def test_a_broken_env_file_is_not_quoted(tmp_path: Path, line: str):
    (tmp_path / ".env").write_bytes(line.format(PLAIN).encode("latin-1"))

    done = run("eval_worker", "status")

    assert (done.code, done.err.count("\n")) == (2, 1)
    assert not said_in(done.err)


def test_settings_may_be_printed():
    settings = load_settings(redis_url=f"redis://:{ENCODED}@{NOWHERE}", redis_password=REDIS_PASSWORD)

    assert not said_in(f"{settings!r} {settings} {settings.model_dump()} {settings.model_dump_json()}")


@pytest.mark.parametrize(
    "wrong", [{"precheck_weight": "0.9"}, {"concurrency": "many"}, {"redis_password": [REDIS_PASSWORD]}]
)
def test_a_refused_setting_may_be_printed_with_all_its_causes(wrong: dict[str, Any]):
    with pytest.raises(SettingsError) as refusal:
        load_settings(**{"redis_url": f"redis://:{ENCODED}@{NOWHERE}", "redis_password": REDIS_PASSWORD, **wrong})

    assert not said_in("".join(traceback.format_exception(refusal.value)))


@pytest.mark.parametrize(
    "changes",
    [
        {"AWS_ENDPOINT_URL_BEDROCK_RUNTIME": f"http://me:{PLAIN}@127.0.0.1:1"},
        {"AWS_ENDPOINT_URL_BEDROCK_RUNTIME": f"me:{PLAIN}@127.0.0.1:1"},
        {"AWS_ENDPOINT_URL_BEDROCK_RUNTIME": f"http://me:a/{PLAIN}@127.0.0.1:1"},
        {"AWS_SECRET_ACCESS_KEY": ""},
        {"AWS_PROFILE": "nobody"},
        {"AWS_REGION": "not a region"},
        {"AWS_CONFIG_FILE": "config"},
        {"AWS_SHARED_CREDENTIALS_FILE": "credentials", "AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""},
    ],
    ids=",".join,
)
def test_a_wrong_aws_setting_stops_the_worker_without_its_secret(tmp_path: Path, changes: dict[str, str]):
    for name in ("config", "credentials"):
        (tmp_path / name).write_text(f"[default]\naws_secret_access_key {AWS_KEYS['AWS_SECRET_ACCESS_KEY']}\n")

    done = run(
        "eval_worker", "run", environment={"JUDGE_MODEL": "bedrock", "REDIS_ADDR": NOWHERE, **AWS_KEYS, **changes}
    )

    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert not said_in(done.err)


CANONICAL = (
    "The request signature we calculated does not match the signature you provided. The Canonical String for this "
    "request should have been 'POST\n/model/m/converse\n\ncontent-type:application/json\nhost:bedrock\n"
    "x-amz-security-token:{AWS_SESSION_TOKEN}\n\ncontent-type;host;x-amz-security-token\nabc' "
    "(Credential={AWS_ACCESS_KEY_ID}/20260101/us-east-1/bedrock/aws4_request)"
)
TOLD_TOO_MUCH = [
    AwsError(403, "InvalidSignatureException", CANONICAL.format(**AWS_KEYS)),
    AwsError(403, "ExpiredTokenException", f"The token {AWS_KEYS['AWS_SESSION_TOKEN']} is expired"),
    AwsError(403, "UnrecognizedClientException", f"no such client: {AWS_KEYS['AWS_ACCESS_KEY_ID']}"),
    AwsError(403, "IncompleteSignatureException", f"'Bearer {AWS_BEARER_TOKEN}' not a valid key=value pair"),
    AwsError(400, "ValidationException", f"what is {AWS_KEYS['AWS_SECRET_ACCESS_KEY']}?"),
    AccessDenied(),
]


@pytest.fixture
def start() -> Iterator[Callable[..., Worker]]:
    """Start workers that log in any format."""
    started: list[Worker] = []

    def begin(environment: dict[str, str], *program: str) -> Worker:
        started.append(Worker(environment, *program))
        eventually_sync(lambda: says(started[-1], "ready"))
        return started[-1]

    yield begin
    for worker in started:
        worker.end()


def says(worker: Worker, words: str) -> bool:
    return words in "".join(worker.log)


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_a_worker_that_says_all_it_can_says_no_secret(
    *,
    settings: Settings,
    redis_client: Any,
    bedrock: FakeBedrock,
    start: Start,
    free_port: int,
    log_format: str,
):
    for outcome in TOLD_TOO_MUCH:
        bedrock.script(outcome, times=1)
    environment = environment_for(settings, bedrock, LOG_LEVEL="debug", LOG_FORMAT=log_format, PYTHONWARNINGS="default")
    worker = start({**environment, **AWS_KEYS, "METRICS_PORT": str(free_port)})
    send(redis_client, event())
    eventually_sync(lambda: says(worker, "paused"))
    note_health(f"http://127.0.0.1:{free_port}")
    eventually_sync(lambda: results(redis_client))
    worker.end()

    assert says(worker, "judged")
    assert not said_in("".join(worker.log) + repr(results(redis_client)))


@pytest.mark.parametrize(
    "credentials", [AWS_KEYS, {"AWS_BEARER_TOKEN_BEDROCK": AWS_BEARER_TOKEN}], ids=["keys", "token"]
)
def test_a_proxy_that_cannot_be_reached_is_named_without_its_password(
    settings: Settings, redis_client: Any, start: Start, credentials: dict[str, str]
):
    environment = {
        **environment_for(settings),
        "JUDGE_MODEL": "bedrock",
        "JUDGE_TIMEOUT_SECONDS": "1",
        "LOG_LEVEL": "debug",
        "HTTPS_PROXY": f"http://me:{PROXY_PASSWORD}@127.0.0.1:1",
        "NO_PROXY": "",
        "no_proxy": "",
        "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": "https://bedrock.invalid",
    }
    worker = start({**environment, **credentials})
    send(redis_client, event())
    eventually_sync(lambda: says(worker, "ProxyConnectionError"))
    note_health(worker.address)
    worker.end()

    assert not said_in("".join(worker.log))


RAISING_WORKER = """
import sys
from eval_worker.daemon import run_daemon
from eval_worker.settings import load_settings

class RaisingModel:
    name = "raising"

    def __init__(self, settings):
        self.settings, self.password = settings, settings.aws_secret_access_key.get_secret_value()
        if sys.argv[1] == "at the start":
            raise ZeroDivisionError("a bug")

    async def ask(self, request):
        settings, password, variable = self.settings, self.password, "-".join(["a", "local", "variable"])
        raise ZeroDivisionError(f"a bug that repeats {password}")

    def close(self):
        pass

run_daemon(load_settings(), make_model=lambda settings, _judges: RaisingModel(settings))
"""


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_a_traceback_shows_no_variables_and_no_known_secret(
    settings: Settings, redis_client: Any, start: Start, log_format: str
):
    environment = {**environment_for(settings), "LOG_FORMAT": log_format, "MAX_DELIVERIES": "1", **AWS_KEYS}
    worker = start(environment, "-c", RAISING_WORKER, "in a judge")
    send(redis_client, event())
    eventually_sync(lambda: dead_letters(redis_client))
    worker.end()
    at_the_start = subprocess.run(
        [sys.executable, "-c", RAISING_WORKER, "at the start"],
        env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip

    assert "ZeroDivisionError: a bug" in at_the_start.stderr
    assert says(worker, "in ask")
    assert not says(worker, "a-local-variable")
    assert not said_in("".join(worker.log) + at_the_start.stdout + at_the_start.stderr)
    assert not said_in(repr(dead_letters(redis_client)))


LETS_SECRETS_OUT = """
import base64, logging, os, subprocess, sys
from tests.planted_secrets import AWS_BEARER_TOKEN, AWS_KEYS, PROXY_URL, REDIS_PASSWORD, REDIS_URL_PASSWORD_ENCODED
from tests.processes import Worker

SECRET = AWS_KEYS["AWS_SECRET_ACCESS_KEY"]
SHOWS_IT = "import os, sys; print(os.environ['SECRET']); print(os.environ['SECRET'], file=sys.stderr)"
WITH_IT = {**os.environ, "SECRET": SECRET}

def test_printed(): print(SECRET)
def test_printed_in_the_url(): print(f"redis://:{REDIS_URL_PASSWORD_ENCODED}@h")
def test_printed_in_part(): print(REDIS_PASSWORD[:-4])
def test_printed_in_capitals(): print(PROXY_URL.upper())
def test_printed_in_base64(): print(base64.b64encode(f"me:{AWS_BEARER_TOKEN}".encode()).decode())
def test_logged(): logging.getLogger("urllib3").warning("header: %s", SECRET)
def test_by_a_child(): subprocess.run([sys.executable, "-c", SHOWS_IT], env=WITH_IT, capture_output=True)
def test_by_a_child_straight_through(): subprocess.run([sys.executable, "-c", SHOWS_IT], env=WITH_IT)
def test_on_a_command_line(): subprocess.run(["true", SECRET])
def test_read_from_capsys(capsys): print(SECRET); capsys.readouterr()
def test_in_a_workers_log(): worker = Worker(WITH_IT, "-c", SHOWS_IT); worker.wait(60); worker.end()
def test_in_a_file(tmp_path): (tmp_path / "left.log").write_text(SECRET)
def test_in_a_stream(redis_client): redis_client.xadd("eval-results", {"payload": SECRET})
def test_in_the_teardown(request): request.addfinalizer(lambda: print(SECRET))
def test_that_keeps_quiet(tmp_path): (tmp_path / ".env").write_text(SECRET)
"""


def test_a_test_that_lets_a_secret_out_fails(tmp_path: Path):
    """In a run of its own, whose secrets are others."""
    (tmp_path / "test_inner.py").write_text(LETS_SECRETS_OUT)

    inner = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-c", "/dev/null", "--rootdir", tmp_path, "-rpE",
         "--import-mode=importlib", "-p", "no:cacheprovider", tmp_path / "test_inner.py"],
        env={**os.environ, "PYTHONPATH": IMPORT_PATH}, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip

    named = set(re.findall(r"def (test_\w+)", LETS_SECRETS_OUT))
    failed = set(re.findall(r"^ERROR \S*test_inner.py::(\w+)", inner.stdout, re.MULTILINE))
    assert failed == named - {"test_that_keeps_quiet"}, inner.stdout + inner.stderr
    assert inner.returncode == 1
