"""SAMPLE_RATES in a worker: what is left out has a result, too, that says so."""

import asyncio
from typing import Any

import pytest
from prometheus_client import generate_latest
from tests.evaluation.judges.scripted_model import ScriptedModel, reply
from tests.events import RESULTS, conversations, event, results, rubbish, send
from tests.stream.working import with_settings, working
from tests.waiting import eventually

from eval_worker.evaluation.sampling import parse_sample_rates
from eval_worker.settings import Settings


def judge(
    settings: Settings, redis_client: Any, rates: str, *documents: dict[str, Any]
) -> tuple[dict[str, dict[str, Any]], ScriptedModel, str]:
    """Send these and judge them; returns the results by id, the model that was asked, and the metrics."""
    model = ScriptedModel(reply(5))
    for document in documents:
        send(redis_client, document)

    async def scenario() -> str:
        async with working(with_settings(settings, sample_rates=rates), model) as parts:
            await eventually(lambda: len(results(redis_client)) == len(documents))
        return generate_latest(parts.metrics.registry).decode()

    metrics = asyncio.run(scenario())
    return {result["id"]: result for result in results(redis_client)}, model, metrics


def test_an_event_that_is_left_out_has_a_result_of_its_prechecks_alone(settings: Settings, redis_client: Any):
    by_id, model, metrics = judge(settings, redis_client, "*=0", event("left out"))

    result = by_id["left out"]
    assert (result["verdict"], result["confidence"]) == ("skipped", None)
    assert (result["early_exit"], result["partial"]) == (False, False)
    assert [stage["name"] for stage in result["stages"]] == ["length-checker", "overlap-checker", "format-checker"]
    assert result["usage"]["llm_calls"] == 0
    assert model.requests == []
    assert 'eval_events_total{outcome="skipped"} 1.0' in metrics
    assert "eval_early_exits_total 0.0" in metrics
    ((_, fields),) = redis_client.xrange(RESULTS)
    assert (fields[b"verdict"], fields[b"confidence"]) == (b"skipped", b"")


def test_rubbish_fails_whatever_the_rate(settings: Settings, redis_client: Any):
    by_id, _, metrics = judge(settings, redis_client, "*=0", rubbish("rubbish"))

    assert (by_id["rubbish"]["verdict"], by_id["rubbish"]["early_exit"]) == ("fail", True)
    assert "eval_early_exits_total 1.0" in metrics


def test_the_share_is_that_of_the_events_agent(settings: Settings, redis_client: Any):
    agents: dict[str, Any] = {
        "by name": {"name": "my-agent", "type": "rag"},
        "by type": {"name": "another", "type": "rag"},
        "nameless": {"type": "rag"},
        "another": {"name": "another"},
        "nobody": None,
    }
    documents = [{**event(name), "agent": agent} for name, agent in agents.items()]

    by_id, _, _ = judge(settings, redis_client, "my-agent=1,type:rag=0,*=1", *documents)

    verdicts = {name: by_id[name]["verdict"] for name in agents}
    assert verdicts == {
        "by name": "pass",
        "by type": "skipped",
        "nameless": "skipped",
        "another": "pass",
        "nobody": "pass",
    }


def test_those_that_the_rate_includes_are_judged_and_no_others(settings: Settings, redis_client: Any):
    ids = [f"evt-{number}" for number in range(40)]
    rates = parse_sample_rates("*=0.5")
    wanted = {event_id for event_id in ids if rates.includes(event_id, None, None)}

    by_id, model, _ = judge(settings, redis_client, "*=0.5", *map(event, ids))

    assert {event_id for event_id, result in by_id.items() if result["verdict"] == "pass"} == wanted
    assert len(model.requests) == 5 * len(wanted)
    assert 0 < len(wanted) < len(ids)


@pytest.mark.parametrize(("rate", "verdict", "confidence"), [("0", "skipped", None), ("1", "pass", 1.0)])
def test_conversations_are_sampled_alike(
    settings: Settings, redis_client: Any, rate: str, verdict: str, confidence: float | None
):
    by_id, model, _ = judge(settings, redis_client, f"my-agent={rate},*=0.5", conversations("cnv"))

    assert (by_id["cnv"]["verdict"], by_id["cnv"]["confidence"]) == (verdict, confidence)
    assert len(model.requests) == len(by_id["cnv"]["stages"]) == int(rate)
