"""TRACING=otlp: a worker and a producer as processes, and a collector that sees their spans over HTTP."""

import json
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from typing import Any

from tests.events import CONTEXT, EVENTS, GOOD_ANSWER, QUERY, dead_letters, event, results, rubbish, send
from tests.processes import ROOT, Worker, environment_for
from tests.telemetry.collector import Collector, SeenSpan
from tests.waiting import eventually_sync

from eval_worker.settings import Settings
from eval_worker.testing import ContentFiltered, FakeBedrock, Throttle, judge

Spawn = Callable[..., Worker]
PROCESS, SETTLE, SEND = f"process {EVENTS}", f"settle {EVENTS}", f"send {EVENTS}"
TRACE_ID, SPAN_ID = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
SAMPLED = f"00-{TRACE_ID}-{SPAN_ID}-01"


def add(redis_client: Any, document: dict[str, Any], **fields: str) -> str:
    return redis_client.xadd(EVENTS, {"payload": json.dumps(document), **fields}).decode()


def of_entry(entry_id: str) -> Callable[[SeenSpan], bool]:
    return lambda span: span.attributes["messaging.message.id"] == entry_id


def test_one_event_is_one_trace_from_the_producer_to_the_settled_result(
    settings: Settings, redis_client: Any, bedrock: FakeBedrock, spawn: Spawn, collector: Collector
):
    bedrock.script(Throttle(), times=1, when=judge("relevance"))
    bedrock.script(ContentFiltered(), when=judge("coherence"))
    worker = spawn(environment_for(settings, bedrock, LOG_LEVEL="debug", **collector.environment))

    producing = environment_for(settings, None, **collector.environment)
    command = [sys.executable, "-m", "eval_producer", "-d", json.dumps(event())]
    entry_id = subprocess.run(command, env=producing, check=True, capture_output=True, text=True).stdout.strip()

    (process,) = collector.wait_for(PROCESS)
    (sent,) = collector.wait_for(SEND)
    assert (sent.kind, sent.service, sent.parent_id) == ("PRODUCER", "eval-producer", "")
    assert (process.kind, process.service, process.parent_id) == ("CONSUMER", "eval-worker", sent.span_id)
    assert {span.trace_id for span in collector.spans} == {sent.trace_id}
    assert sent.attributes["messaging.message.id"] == entry_id
    said = process.attributes
    assert {name: said[name] for name in said if name.startswith("messaging.") and "client" not in name} == {
        "messaging.system": "redis",
        "messaging.destination.name": EVENTS,
        "messaging.operation.name": "process",
        "messaging.operation.type": "process",
        "messaging.consumer.group.name": "eval-group",
        "messaging.message.id": entry_id,
        "messaging.message.envelope.size": said["messaging.message.envelope.size"],
    }
    assert (said["eval.attempt"], said["eval.event.id"], said["eval.agent.name"]) == (1, "evt-001", "my-agent")
    assert (said["eval.outcome"], said["eval.verdict"], said["eval.partial"]) == ("review", "review", True)
    assert 0 <= said["eval.age_ms"] < 60_000
    assert not process.failed

    beneath = collector.beneath(process)
    judges = [f"judge {name}" for name in ("relevance", "faithfulness", "coherence", "completeness", "instruction")]
    assert beneath[0].name == "prechecks"
    assert sorted(span.name for span in beneath[1:-1]) == sorted(judges)
    assert (beneath[-1].name, beneath[-1].kind) == (SETTLE, "CLIENT")
    assert list(beneath[0].evaluations()) == ["length-checker", "overlap-checker", "format-checker"]
    assert all(process.start <= span.start <= span.end <= process.end for span in beneath)

    throttled, answered = collector.beneath(collector.named("judge relevance")[0])
    model = "us.anthropic.claude-3-5-haiku-20241022-v1:0"
    assert (throttled.name, throttled.kind, throttled.failed) == (f"chat {model}", "CLIENT", True)
    assert throttled.attributes["error.type"] == "throttled"
    assert (throttled.attributes["eval.call.number"], answered.attributes["eval.call.number"]) == (1, 2)
    assert answered.attributes["gen_ai.operation.name"] == "chat"
    assert answered.attributes["gen_ai.provider.name"] == "aws.bedrock"
    assert answered.attributes["gen_ai.request.model"] == model
    assert answered.attributes["gen_ai.response.finish_reasons"] == ["tool_use"]
    assert answered.attributes["gen_ai.usage.input_tokens"] > 0
    assert answered.attributes["gen_ai.usage.output_tokens"] > 0

    (relevance,), (coherence,) = collector.named("judge relevance"), collector.named("judge coherence")
    assert relevance.evaluations() == {
        "relevance": {
            "gen_ai.evaluation.name": "relevance",
            "gen_ai.evaluation.score.value": 1.0,
            "gen_ai.evaluation.score.label": "pass",
        }
    }
    assert (coherence.failed, coherence.attributes["error.type"]) == (True, "refused")
    assert coherence.evaluations()["coherence"]["gen_ai.evaluation.score.label"] == "error"
    page = (ROOT / "docs" / "tracing.md").read_text(encoding="utf-8")
    assert not {name for span in collector.spans for name in span.attributes if f"`{name}`" not in page}
    logged = worker.logged("judged")
    assert logged is not None
    assert (logged["trace_id"], logged["span_id"]) == (process.trace_id, process.span_id)
    words = str(collector.spans)
    assert not any(
        text in words for text in (QUERY, GOOD_ANSWER, CONTEXT, results(redis_client)[0]["stages"][4]["reason"])
    )


def test_an_event_continues_the_trace_it_names_and_a_malformed_one_begins_its_own(
    settings: Settings, redis_client: Any, spawn: Spawn, collector: Collector
):
    worker = spawn(environment_for(settings, None, **collector.environment))

    named = add(redis_client, event("named"), traceparent=SAMPLED, tracestate="vendor=1")
    malformed = [
        add(redis_client, event(f"malformed {text}"), traceparent=text)
        for text in ("00-nonsense", f"00-{'0' * 32}-{SPAN_ID}-01", f"{SAMPLED}-more", "\x00ü", "")
    ]
    unsampled = add(redis_client, event("unsampled"), traceparent=f"00-{TRACE_ID}-{SPAN_ID}-00")
    long_winded = add(redis_client, event("x" * 100_000))
    exits_early = send(redis_client, rubbish())
    dead = add(redis_client, {"event_id": "dead"}, traceparent=SAMPLED)
    eventually_sync(lambda: len(results(redis_client)) == 9)

    (span,) = collector.wait_for(PROCESS, where=of_entry(named))
    assert (span.trace_id, span.parent_id) == (TRACE_ID, SPAN_ID)
    own = [collector.wait_for(PROCESS, where=of_entry(entry_id))[0] for entry_id in malformed]
    assert [each.parent_id for each in own] == [""] * len(malformed)
    assert len({each.trace_id for each in own} - {TRACE_ID}) == len(malformed)
    (long_named,) = collector.wait_for(PROCESS, where=of_entry(long_winded))
    assert long_named.attributes["eval.event.id"] == "x" * 1_000  # a queue of them has to fit into memory
    assert not any("opentelemetry" in line for line in worker.log)
    (early,) = collector.wait_for(PROCESS, where=of_entry(exits_early))
    assert (early.attributes["eval.outcome"], early.attributes["eval.early_exit"]) == ("fail", True)
    assert [each.name for each in collector.beneath(early)] == ["prechecks", SETTLE]
    (broken,) = collector.wait_for(PROCESS, where=of_entry(dead))
    assert (broken.trace_id, broken.failed, broken.attributes["error.type"]) == (TRACE_ID, True, "malformed_event")
    assert [letter["source_id"].decode() for letter in dead_letters(redis_client)] == [dead]
    assert not [each for each in collector.named(PROCESS) if of_entry(unsampled)(each)]
    assert len([each for each in collector.named("judge relevance") if each.trace_id == TRACE_ID]) == 1

    replay = [sys.executable, "-m", "eval_worker", "dead-letters", "replay", "--all"]
    subprocess.run(replay, env=environment_for(settings), check=True, capture_output=True)
    again = collector.wait_for(PROCESS, 2, where=lambda span: span.attributes.get("error.type") == "malformed_event")
    assert [(each.trace_id, each.parent_id) for each in again] == [(TRACE_ID, SPAN_ID)] * 2


def test_the_api_goes_on_with_the_trace_of_its_caller(
    settings: Settings, redis_client: Any, spawn: Spawn, collector: Collector
):
    api = spawn(environment_for(settings, None, **collector.environment), "-m", "eval_worker", "api", "--port", "0")
    headers = {"traceparent": SAMPLED, "tracestate": "vendor=1"}
    send_to = f"{api.address}/api/v1/events"

    with urllib.request.urlopen(urllib.request.Request(send_to, json.dumps(event()).encode(), headers)) as reply:
        entry_id = json.load(reply)["id"]

    (sent,) = collector.wait_for(SEND)
    assert (sent.kind, sent.service) == ("PRODUCER", "eval-worker-api")
    assert (sent.trace_id, sent.parent_id) == (TRACE_ID, SPAN_ID)
    assert sent.attributes["messaging.message.id"] == entry_id
    ((_, fields),) = redis_client.xrange(EVENTS)
    assert fields[b"traceparent"].decode() == f"00-{TRACE_ID}-{sent.span_id}-01"
    assert fields[b"tracestate"] == b"vendor=1"


def test_a_producer_needs_no_collector_and_says_in_its_span_that_it_was_refused(
    settings: Settings, redis_client: Any, collector: Collector, free_port: int
):
    command = [sys.executable, "-m", "eval_producer", "-d", json.dumps(event())]
    away = {**collector.environment, "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{free_port}"}
    subprocess.run(command, env=environment_for(settings, None, **away), check=True, capture_output=True)
    ((_, fields),) = redis_client.xrange(EVENTS)
    assert b"traceparent" in fields

    redis_client.delete(EVENTS)
    redis_client.set(EVENTS, "of another type")
    tracing = environment_for(settings, None, **collector.environment)
    refused = subprocess.run(command, env=tracing, check=False, capture_output=True)
    redis_client.delete(EVENTS)

    assert refused.returncode == 1
    (span,) = collector.wait_for(SEND)
    assert (span.failed, span.attributes["error.type"]) == (True, "ResponseError")


def test_a_collector_that_is_away_costs_spans_and_nothing_else(
    settings: Settings, redis_client: Any, spawn: Spawn, collector: Collector, free_port: int
):
    elsewhere = {**collector.environment, "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{free_port}"}
    worker = spawn(environment_for(settings, None, **elsewhere, OTEL_EXPORTER_OTLP_TIMEOUT="3"))
    for number in range(20):
        send(redis_client, event(f"evt-{number}"))
    eventually_sync(lambda: len(results(redis_client)) == 20)

    eventually_sync(lambda: _spans_lost(worker) > 0)
    for number in range(20):
        send(redis_client, event(f"further {number}"))
    eventually_sync(lambda: len(results(redis_client)) == 40)
    began = time.monotonic()
    worker.signal(signal.SIGTERM)

    assert worker.wait(60) == 0
    assert time.monotonic() - began < 20  # less than DRAIN_SECONDS
    said = [line for line in worker.log if "collector" in line or "opentelemetry" in line]
    assert len(said) == 1
    assert "they are lost until it does" in said[0]
    assert "Connection refused" in said[0]


def test_the_last_spans_are_sent_before_the_worker_leaves(
    settings: Settings, redis_client: Any, spawn: Spawn, collector: Collector
):
    worker = spawn(environment_for(settings, None, **{**collector.environment, "OTEL_BSP_SCHEDULE_DELAY": "60000"}))
    send(redis_client, event())
    eventually_sync(lambda: results(redis_client))
    assert not collector.spans

    worker.signal(signal.SIGTERM)

    assert worker.wait(60) == 0
    assert collector.named(PROCESS)


def _spans_lost(worker: Worker) -> float:
    with urllib.request.urlopen(f"{worker.address}/metrics") as reply:
        lines = reply.read().decode().splitlines()
    return float(next(line for line in lines if line.startswith("eval_spans_lost_total")).split()[1])
