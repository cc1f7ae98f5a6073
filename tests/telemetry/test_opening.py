"""When tracing is opened, and what is said where it can't be."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.telemetry.collector import Collector

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
