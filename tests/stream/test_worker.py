"""The worker on a real server: what becomes of events."""

import asyncio
import json
from typing import Any

import pytest
from tests.evaluation.judges.scripted_model import ScriptedModel, reply
from tests.events import CONTEXT, EVENTS, RESULTS, dead_letters, deliveries, event, results, rubbish, send
from tests.stream.working import with_settings, working
from tests.waiting import eventually

from eval_worker.result import Result
from eval_worker.settings import Settings


def test_an_event_leads_to_one_result_shaped_as_promised(settings: Settings, redis_client: Any):
    source_id = send(redis_client, event())

    async def scenario() -> None:
        async with working(settings, ScriptedModel(reply(5))):
            await eventually(lambda: results(redis_client))

    asyncio.run(scenario())

    ((_, fields),) = redis_client.xrange(RESULTS)
    assert list(fields) == [b"event_id", b"verdict", b"confidence", b"payload"]
    assert (fields[b"event_id"], fields[b"verdict"], fields[b"confidence"]) == (b"evt-001", b"pass", b"1")
    payload = json.loads(fields[b"payload"])
    assert list(payload) == [
        *("id", "stages", "confidence", "verdict", "early_exit", "partial", "agent", "event_type", "model"),
        *("judges_digest", "usage", "schema", "source_id", "attempt", "worker", "evaluated_at"),
    ]
    assert payload["source_id"] == source_id
    assert payload["usage"] == {"llm_calls": 5, "input_tokens": 500, "output_tokens": 50, "cost_usd": None}
    assert [list(stage) for stage in payload["stages"]] == [["name", "score", "reason", "duration_ns", "status"]] * 8
    assert Result.model_validate_json(fields[b"payload"]).verdict == "pass"


def test_rubbish_is_failed_without_a_model_call(settings: Settings, redis_client: Any):
    model = ScriptedModel(reply(5))
    send(redis_client, rubbish())

    async def scenario() -> None:
        async with working(settings, model):
            await eventually(lambda: results(redis_client))

    asyncio.run(scenario())

    (result,) = results(redis_client)
    assert (result["verdict"], result["early_exit"], len(result["stages"])) == ("fail", True, 3)
    assert model.requests == []


def test_what_is_settled_is_acknowledged_and_deleted(settings: Settings, redis_client: Any):
    for number in range(300):
        send(redis_client, rubbish(f"evt-{number}"))

    async def scenario() -> None:
        async with working(settings, ScriptedModel(reply(5))):
            await eventually(lambda: redis_client.xlen(RESULTS) == 300)

    asyncio.run(scenario())

    assert redis_client.xlen(EVENTS) == 0
    assert deliveries(redis_client) == {}
    assert len({result["id"] for result in results(redis_client)}) == 300


def test_entries_stay_where_they_are_to_be_kept(settings: Settings, redis_client: Any):
    send(redis_client, event())

    async def scenario() -> None:
        async with working(with_settings(settings, keep_events=True), ScriptedModel(reply(5))):
            await eventually(lambda: results(redis_client))

    asyncio.run(scenario())

    assert redis_client.xlen(EVENTS) == 1
    assert deliveries(redis_client) == {}


def test_entries_stay_for_a_second_group_until_it_has_read_them(settings: Settings, redis_client: Any):
    send(redis_client, event())
    redis_client.xgroup_create(EVENTS, "another-group", id="0")

    async def scenario() -> None:
        async with working(settings, ScriptedModel(reply(5))):
            await eventually(lambda: results(redis_client))

    asyncio.run(scenario())

    assert redis_client.xlen(EVENTS) == 1


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"data": "{}"}, "payload: is missing; the entry has: data"),
        ({"payload": b"\xff\xfe{}"}, "payload: is not UTF-8 (byte 0)"),
        ({"payload": "{"}, "payload: is not JSON"),
        ({"payload": json.dumps(event())[:-1] + ', "x": ' + "9" * 5_000 + "}"}, "payload: holds a number of thousands"),
        ({"payload": "[]"}, "payload: must be a JSON object, not a list"),
        ({"payload": json.dumps({"interaction": {"user_query": "q", "answer": "a"}})}, "event_id: is required"),
        ({"payload": json.dumps(event(query=""))}, "interaction.user_query: must not be empty"),
        ({"payload": json.dumps(event(query=" \n"))}, "interaction.user_query: must not be empty"),
        ({"payload": json.dumps(event(answer=42))}, "interaction.answer: must be text, not a number"),
        ({"payload": json.dumps(event(context="x" * 2_097_152))}, "payload: is 2097"),
        ({"payload": json.dumps({**event(), "event_type": "agent_dance"})}, "event_type: must be 'agent_response'"),
    ],
)
def test_what_is_no_event_is_a_dead_letter_that_names_the_field_and_stops_nothing(
    settings: Settings, redis_client: Any, fields: dict[str, Any], reason: str
):
    source_id = redis_client.xadd(EVENTS, fields).decode()
    send(redis_client, event("the next one"))

    async def scenario() -> None:
        async with working(settings, ScriptedModel(reply(5))):
            await eventually(lambda: results(redis_client))

    asyncio.run(scenario())

    (letter,) = dead_letters(redis_client)
    assert letter["reason"].decode().startswith(reason)
    assert (letter["error"], letter["source_id"], letter["deliveries"]) == (
        b"malformed_event",
        source_id.encode(),
        b"1",
    )
    payload = fields.get("payload", b"")
    assert letter["payload"] == (payload if isinstance(payload, bytes) else payload.encode())
    assert [result["id"] for result in results(redis_client)] == ["the next one"]


def test_a_repeated_payload_field_is_ambiguous_and_both_are_kept(settings: Settings, redis_client: Any):
    redis_client.execute_command("XADD", EVENTS, "*", "payload", json.dumps(event()), "payload", "{}")

    async def scenario() -> None:
        async with working(settings, ScriptedModel(reply(5))):
            await eventually(lambda: dead_letters(redis_client))

    asyncio.run(scenario())

    (letter,) = dead_letters(redis_client)
    assert letter["reason"] == b"payload: appears more than once"
    assert json.loads(letter["fields"]) == [["payload", json.dumps(event())], ["payload", "{}"]]


def test_an_empty_answer_is_a_fail_and_no_bad_event(settings: Settings, redis_client: Any):
    send(redis_client, event(answer=""))

    async def scenario() -> None:
        async with working(settings, ScriptedModel(reply(5))):
            await eventually(lambda: results(redis_client))

    asyncio.run(scenario())

    (result,) = results(redis_client)
    assert (result["verdict"], result["early_exit"]) == ("fail", True)


def test_results_are_bounded(settings: Settings, redis_client: Any):
    for number in range(1_000):
        send(redis_client, rubbish(f"evt-{number}"))

    async def scenario() -> None:
        async with working(with_settings(settings, results_maxlen=100), ScriptedModel(reply(5))):
            await eventually(lambda: redis_client.xlen(EVENTS) == 0)

    asyncio.run(scenario())

    assert redis_client.xlen(RESULTS) < 300


def test_the_interaction_is_in_the_result_only_when_asked_for(settings: Settings, redis_client: Any):
    send(redis_client, event())

    async def scenario() -> None:
        async with working(with_settings(settings, results_include_interaction=True), ScriptedModel(reply(5))):
            await eventually(lambda: results(redis_client))

    asyncio.run(scenario())

    assert results(redis_client)[0]["interaction"]["context"] == CONTEXT
