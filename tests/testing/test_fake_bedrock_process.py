"""The fake as a process of its own, steered over HTTP."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.request import ProxyHandler, build_opener

import boto3
import pytest

from eval_worker.testing import Counters, RemoteFakeBedrock, Throttle, judge, text
from eval_worker.testing.fake_bedrock import wire
from eval_worker.testing.fake_bedrock.outcome import Outcome

WITH_OUR_PATH = (
    f"import sys; sys.path[:0] = {[entry for entry in sys.path if entry]!r}; import runpy; sys.argv[0] = 'fake'; "
)
RUN = WITH_OUR_PATH + "runpy.run_module('eval_worker.testing.fake_bedrock', run_name='__main__')"


@dataclass
class Running:
    process: subprocess.Popen[str]
    url: str


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    command = [sys.executable, "-W", "error", "-c", RUN, "--port", "0", "--level", "4"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield Running(process, process.stdout.readline().strip())
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
        assert process.stderr is not None
        assert not process.stderr.read()


@pytest.fixture
def bedrock(running: Running) -> RemoteFakeBedrock:
    remote = RemoteFakeBedrock(running.url)
    remote.calm()
    remote.forget()
    return remote


@pytest.fixture
def client(bedrock: RemoteFakeBedrock) -> Iterator[Any]:
    session = boto3.Session(aws_access_key_id="fake", aws_secret_access_key="fake")
    made = session.client("bedrock-runtime", region_name="us-east-1", endpoint_url=bedrock.url)
    yield made
    made.close()


def level(client: Any, asked: str = "?") -> int:
    system = [{"text": "You are the coherence judge."}]
    messages = [{"role": "user", "content": [{"text": asked}]}]
    response = client.converse(modelId="m", system=system, messages=messages)
    return json.loads(response["output"]["message"]["content"][0]["text"])["level"]


def test_it_prints_its_address_and_serves(running: Running, client: Any) -> None:
    assert running.url.startswith("http://127.0.0.1:")
    assert level(client) == 4


def test_it_is_steered_with_the_same_words(bedrock: RemoteFakeBedrock, client: Any) -> None:
    bedrock.reply(level=[1, 2], when=judge("coherence") & text("evt-007"))
    bedrock.reply(level=3, times=1)
    bedrock.latency(0.001)

    assert [level(client, "evt-007") for _ in range(3)] == [3, 1, 2]
    assert level(client) == 4
    assert bedrock.wait_until(lambda seen: seen.calls == 4, timeout=60) == Counters(
        calls=4,
        in_flight=0,
        most_in_flight=1,
        by_judge={"coherence": 4},
        by_model_id={"m": 4},
        by_outcome={"Reply": 4},
    )
    assert bedrock.requests()[0].conversation == "evt-007"


def test_its_documented_curl_calls_work(bedrock: RemoteFakeBedrock, client: Any) -> None:
    opener = build_opener(ProxyHandler({}))
    order = {"outcome": {"kind": "Reply", "level": 2}, "when": {"text": "evt-007"}}
    with opener.open(f"{bedrock.url}/_fake/script", json.dumps(order).encode()) as response:
        assert json.load(response) == {"ok": True}

    assert level(client, "this is evt-007") == 2
    with opener.open(f"{bedrock.url}/_fake/calm", b"") as response:
        assert json.load(response) == {"ok": True}
    assert level(client, "this is evt-007") == 4
    with opener.open(f"{bedrock.url}/_fake/counters") as response:
        assert json.load(response)["calls"] == 2


def test_an_order_it_does_not_understand_is_an_error_that_says_why(bedrock: RemoteFakeBedrock) -> None:
    class Unheard(Throttle):
        pass

    with pytest.raises(ValueError, match="Unheard"):
        bedrock.script(Unheard())


def test_a_taken_port_is_an_error_of_one_line(running: Running) -> None:
    port = running.url.rpartition(":")[2]

    second = subprocess.run(
        [sys.executable, "-c", RUN, "--port", port], capture_output=True, text=True, timeout=120, check=False
    )

    assert second.returncode == 1
    assert second.stderr.startswith(f"--port {port}: ")
    assert second.stderr.count("\n") == 1


@pytest.mark.parametrize("kind", wire.OUTCOMES.values(), ids=lambda kind: kind.__name__)
def test_every_outcome_survives_the_way_to_another_process(kind: type[Outcome]) -> None:
    needed: dict[str, dict[str, Any]] = {
        "AwsError": {"status": 418, "error_type": "TeapotException", "message": "short"},
        "Stopped": {"reason": "refusal"},
        "Judgements": {"levels": {"coherence": 2, "relevance": None, "tone": "fair"}},
    }
    outcome = kind(**needed.get(kind.__name__, {}))

    sent = json.loads(json.dumps(wire.encode_outcome(outcome)))

    assert wire.decode_outcome(sent) == outcome
