"""The fake OpenAI as any client sees it, and as a process of its own."""

import json
import signal
import subprocess
import sys
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

import pytest

from eval_worker.testing.fake_openai import FakeOpenAI, Refused, Reply, Text, throttled
from eval_worker.testing.fake_provider.condition import judge, text

SCHEMA = {"type": "object", "properties": {"rationale": {"type": "string"}, "level": {"enum": [0, 1, 2, 3, 4, 5]}}}


def post(base_url: str, asked: str = "Is it good?", name: str = "relevance", **more: Any) -> dict[str, Any]:
    messages = [
        {"role": "system", "content": f"You are the {name} judge of a panel."},
        {"role": "user", "content": [{"type": "text", "text": asked}]},
    ]
    body = json.dumps({"model": "m", "messages": messages, **more}).encode()
    request = Request(f"{base_url}/chat/completions", body, {"Authorization": "Bearer k", "Host": "x"})
    with build_opener(ProxyHandler({})).open(request, timeout=10) as response:
        return json.load(response)


def message(completion: dict[str, Any]) -> dict[str, Any]:
    return completion["choices"][0]["message"]


def test_it_answers_in_the_form_that_is_asked_for():
    tool = {"type": "function", "function": {"name": "record", "parameters": SCHEMA}}
    schema = {"type": "json_schema", "json_schema": {"name": "record", "schema": SCHEMA}}
    with FakeOpenAI(level=3) as openai:
        by_tool = message(post(openai.base_url, tools=[tool]))["tool_calls"][0]["function"]
        by_schema = message(post(openai.base_url, response_format=schema))["content"]
        by_text = message(post(openai.base_url))["content"]

    assert by_tool["name"] == "record"
    assert [json.loads(said)["level"] for said in (by_tool["arguments"], by_schema, by_text)] == [3, 3, 3]


def test_rules_are_about_the_calls_that_they_name():
    with FakeOpenAI() as openai:
        openai.script(Reply([1, 2]), when=judge("coherence"))
        openai.script(Text("no"), when=text("evt-007"), times=1)
        said = [message(post(openai.base_url, "evt-007", "coherence"))["content"] for _ in range(3)]

    assert [said[0], *(json.loads(each)["level"] for each in said[1:])] == ["no", 1, 2]


def test_an_error_is_written_as_openai_writes_it():
    with FakeOpenAI() as openai:
        openai.script(throttled(retry_after=2), times=1)
        openai.script(Refused(401, "Incorrect API key provided: {key}", "invalid_api_key"))
        with pytest.raises(HTTPError) as slow_down:
            post(openai.base_url)
        with pytest.raises(HTTPError) as refused:
            post(openai.base_url)
        counted = openai.counters()

    with slow_down.value, refused.value:
        assert (slow_down.value.code, slow_down.value.headers["retry-after"]) == (429, "2")
        told = json.load(refused.value)["error"]
    assert (told["code"], told["message"]) == ("invalid_api_key", "Incorrect API key provided: k")
    assert (counted.calls, counted.by_judge) == (2, {"relevance": 2})


def test_it_runs_as_a_process_of_its_own():
    command = [sys.executable, "-W", "error", "-m", "eval_worker.testing.fake_openai", "--level", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        level = json.loads(message(post(f"{url}/v1"))["content"])["level"]
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0

    assert level == 2
