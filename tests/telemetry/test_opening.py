"""When tracing is opened, and what is said where it can't be."""

import asyncio
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from tests.evaluation.judges.scripted_model import ScriptedLanguageModel, reply
from tests.models.test_hedged import REQUEST
from tests.telemetry.collector import Collector
from tests.waiting import eventually_sync

from eval_worker.errors import SettingsError
from eval_worker.settings import load_settings
from eval_worker.wiring.tracing import open_tracing

LOADED = "eval_worker.telemetry.tracing"


@pytest.fixture
def without_the_extra(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in [name for name in sys.modules if name.startswith(LOADED)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    yield
    for name in [name for name in sys.modules if name.startswith(LOADED)]:
        monkeypatch.delitem(sys.modules, name)


def test_tracing_is_off_unless_it_is_wanted():
    assert open_tracing(load_settings(), "worker") is None


def test_a_missing_extra_is_named(without_the_extra: None):
    with pytest.raises(SettingsError, match=r"^TRACING=otlp needs an extra: pip install 'eval-worker\[tracing\]'$"):
        open_tracing(load_settings(tracing="otlp"), "worker")


def test_a_value_that_is_neither_off_nor_otlp_is_refused():
    with pytest.raises(SettingsError, match=r"^TRACING: must be "):
        load_settings(tracing="jaeger")


def test_variables_in_the_env_file_reach_opentelemetry(collector: Collector, monkeypatch: pytest.MonkeyPatch):
    Path(".env").write_text(f"TRACING=otlp\nOTEL_EXPORTER_OTLP_ENDPOINT={collector.url}\nOTEL_SERVICE_NAME=ours\n")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "")  # so that what is set here is undone
    monkeypatch.setenv("OTEL_SERVICE_NAME", "")
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT")
    monkeypatch.delenv("OTEL_SERVICE_NAME")

    tracing = open_tracing(load_settings(), "worker")
    assert tracing is not None
    tracing.sending("events").start().sent("1-0")
    tracing.close(10)

    (span,) = collector.wait_for("send events")
    assert span.service == "ours"


def test_headers_for_the_collector_are_secrets(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "api-key=very%20secret,team=ours")
    assert load_settings().secrets >= {"very%20secret", "very secret", "ours"}


_BATCHES = 2  # the one under way, and the one that waits


def test_spans_that_find_no_room_are_counted_and_none_waits(collector: Collector, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
    tracing = open_tracing(load_settings(tracing="otlp", otel_bsp_max_queue_size=10), "worker")
    assert tracing is not None
    lost: list[int] = []
    tracing.observe_losses(lost.append)
    collector.open.clear()

    with capture_logs() as logs:
        for number in range(100):
            tracing.sending("events").start().sent(f"{number}-0")
    collector.open.set()
    tracing.close(10)

    assert 0 < len(collector.spans) <= _BATCHES * 10
    # A span is counted as lost and put in the queue after; where a batch leaves in between, it finds room all the same.
    assert 0 <= sum(lost) + len(collector.spans) - 100 <= _BATCHES
    assert len(logs) == 1
    assert collector.spans[-1].attributes["messaging.message.id"] == "99-0"


def test_a_collector_that_is_away_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, free_port: int):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{free_port}")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "60")
    tracing = open_tracing(load_settings(tracing="otlp"), "worker")
    assert tracing is not None
    tracing.sending("events").start().sent("1-0")

    began = time.monotonic()
    tracing.close(60)

    assert time.monotonic() - began < 30


def test_a_collector_that_refuses_is_quoted_once_and_heard_of_when_it_takes_spans_again(
    collector: Collector, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "10")
    tracing = open_tracing(load_settings(tracing="otlp"), "worker")
    assert tracing is not None
    lost: list[int] = []
    tracing.observe_losses(lost.append)
    sending = tracing.sending("events")
    collector.status = 401

    with capture_logs() as logs:
        for batch in range(1, 4):
            sending.start().sent("1-0")
            eventually_sync(lambda batch=batch: len(lost) == batch)
        collector.status = 200
        sending.start().sent("2-0")
        collector.wait_for("send events")
        eventually_sync(lambda: len(logs) == 2)  # said once the response is there, for which close() may not wait
        tracing.close(10)

    refused, again = logs
    assert "401" in refused["problem"]
    assert (refused["log_level"], again["log_level"], again["lost"]) == ("warning", "info", 3)


@pytest.mark.parametrize(
    ("judge_model", "provider"),
    [
        ("bedrock", "aws.bedrock"),
        ("langchain:langchain_aws.ChatBedrockConverse", "aws.bedrock"),
        ("langchain:langchain_openai.chat_models.ChatOpenAI", "openai"),
        ("langchain:langchain_google_genai.ChatGoogleGenerativeAI", "gcp.gemini"),
    ],
)
def test_providers_are_called_what_the_conventions_call_them(
    collector: Collector, monkeypatch: pytest.MonkeyPatch, judge_model: str, provider: str
):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
    tracing = open_tracing(load_settings(tracing="otlp", judge_model=judge_model), "worker")
    assert tracing is not None
    answer = replace(reply(5), finish_reason="stop", model="the-very-model")

    asyncio.run(tracing.model(ScriptedLanguageModel(answer)).ask(REQUEST))
    tracing.close(10)

    (call,) = collector.named("chat scripted")
    assert call.attributes["gen_ai.provider.name"] == provider
    assert call.attributes["gen_ai.response.model"] == "the-very-model"
    assert call.attributes["gen_ai.response.finish_reasons"] == ["stop"]
