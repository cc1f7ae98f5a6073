"""A chat model of LangChain judges what comes in by the stream and by HTTP."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import SecretStr
from tests.doors.http_api.serving import EVALUATE, serving
from tests.events import event, results, send
from tests.models.langchain.chat_models import API_KEY
from tests.processes import Worker, environment_for
from tests.stream.working import with_settings, working
from tests.waiting import eventually, eventually_sync

from eval_worker.settings import Settings, load_settings
from eval_worker.testing.fake_openai import FakeOpenAI, Refused, Reply
from eval_worker.testing.fake_provider.condition import judge
from eval_worker.wiring.judge_model import build_judge_model
from eval_worker.wiring.judging import read_judges

CLASS = "langchain:langchain_openai.chat_models.ChatOpenAI"


def params(openai: FakeOpenAI) -> str:
    return json.dumps({"model": "gpt-fake", "api_key": API_KEY, "base_url": openai.base_url})


def test_a_worker_process_judges_the_stream_with_it(
    settings: Settings, redis_client: Any, openai: FakeOpenAI, spawn: Callable[..., Worker]
):
    openai.script(Reply(level=3), when=judge("coherence"))
    worker = spawn(environment_for(settings, JUDGE_MODEL=CLASS, JUDGE_MODEL_PARAMS=params(openai)))
    send(redis_client, event())

    (result,) = eventually_sync(lambda: results(redis_client))

    assert result["model"] == "langchain:ChatOpenAI/gpt-fake"
    assert result["verdict"] == "pass"
    assert {stage["name"]: stage["score"] for stage in result["stages"]}["coherence-judge"] == 0.6
    assert result["usage"]["llm_calls"] == 5
    assert result["usage"]["input_tokens"] > 0
    worker.signal(15)
    assert worker.wait(60) == 0
    assert not any(API_KEY in line for line in worker.log)


def test_a_refused_key_pauses_the_worker_and_stays_unsaid(settings: Settings, redis_client: Any, openai: FakeOpenAI):
    openai.script(Refused(401, "Incorrect API key provided: {key}", "invalid_api_key"))
    given = with_settings(settings, judge_model=CLASS, judge_model_params=SecretStr(params(openai)))
    model = build_judge_model(given, read_judges(given))

    async def judge_through_it() -> str:
        async with working(given, model) as parts:
            send(redis_client, event())
            reason = await eventually(parts.health.not_ready)
            openai.calm()
            await eventually(lambda: results(redis_client))
            return str(reason)

    reason = asyncio.run(judge_through_it())

    assert "credentials: the provider does not accept this API key" in reason
    assert API_KEY not in reason
    assert results(redis_client)[0]["verdict"] == "pass"


@pytest.mark.parametrize("output", ["tool", "native", "text"])
def test_the_http_api_judges_with_it(openai: FakeOpenAI, output: str):
    given = load_settings(judge_model=CLASS, judge_model_params=params(openai), judge_output=output)
    with serving(given) as api:
        reply = api.post(EVALUATE, event())

    assert reply.status == 200
    assert reply.document["model"] == "langchain:ChatOpenAI/gpt-fake"
    assert reply.document["verdict"] == "pass"
    forms = {"tool": "tools", "native": "response_format"}
    used = {form for form in forms.values() if form in openai.requests()[0].body}
    assert used == ({forms[output]} if output in forms else set())


def test_an_outage_behind_the_http_api_is_no_verdict(openai: FakeOpenAI):
    openai.script(Refused(404, "The model `gpt-fake` does not exist", "model_not_found"))
    with serving(load_settings(judge_model=CLASS, judge_model_params=params(openai))) as api:
        reply = api.post(EVALUATE, event())

    assert reply.status == 503
    assert "the provider does not serve this model" in reply.error
