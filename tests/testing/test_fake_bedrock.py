"""The fake through real boto3, which is what its users put in front of it."""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError, ConnectionClosedError, ReadTimeoutError

from eval_worker.testing import (
    AccessDenied,
    AwsError,
    ContentFiltered,
    Drop,
    FakeBedrock,
    Garbage,
    MalformedReply,
    ModelError,
    ModelTimeout,
    Outcome,
    PlainText,
    RefuseTemperature,
    Reply,
    ServerError,
    Stopped,
    Throttle,
    Trickle,
    Truncated,
    first_ask,
    judge,
    model_id,
    text,
    tokens,
)

SCHEMA = {
    "type": "object",
    "properties": {
        "rationale": {"type": "string"},
        "level": {"type": "integer", "enum": [0, 1, 2, 3, 4, 5]},
    },
    "required": ["rationale", "level"],
}
OTHER_SCHEMA = {
    "type": "object",
    "properties": {
        "score": {"type": "number", "maximum": 1},
        "label": {"enum": ["good", "bad"]},
        "kind": {"const": "verdict"},
        "count": {"type": "integer", "minimum": 10},
        "sure": {"type": "boolean"},
        "code": {"type": "string", "minLength": 3, "maxLength": 5},
        "nothing": {"type": "null"},
        "notes": {"type": "array", "items": {"$ref": "#/$defs/note"}, "minItems": 2},
        "either": {"anyOf": [{"type": ["integer", "null"]}, {"type": "string"}]},
    },
    "$defs": {"note": {"type": "object", "properties": {"why": {"type": "string"}}}},
}


@pytest.fixture
def client(bedrock: FakeBedrock, aws_session: boto3.Session) -> Iterator[Any]:
    config = Config(retries={"total_max_attempts": 1}, read_timeout=5, max_pool_connections=200)
    made = aws_session.client("bedrock-runtime", region_name="us-east-1", endpoint_url=bedrock.url, config=config)
    yield made
    made.close()


def converse(
    client: Any, *, asked: str = "Is it good?", name: str = "relevance", model: str = "m", **options: Any
) -> dict[str, Any]:
    return client.converse(
        modelId=model,
        system=[{"text": f"You are the {name} judge of a panel."}],
        messages=[{"role": "user", "content": [{"text": asked}]}],
        **options,
    )


def tool(schema: dict[str, Any] = SCHEMA, name: str = "record") -> dict[str, Any]:
    specification = {"toolSpec": {"name": name, "inputSchema": {"json": schema}}}
    return {"toolConfig": {"tools": [specification], "toolChoice": {"tool": {"name": name}}}}


def output(schema: dict[str, Any] = SCHEMA) -> dict[str, Any]:
    structure = {"jsonSchema": {"schema": json.dumps(schema)}}
    return {"outputConfig": {"textFormat": {"type": "json_schema", "structure": structure}}}


def content(response: dict[str, Any]) -> dict[str, Any]:
    return response["output"]["message"]["content"][0]


def level(response: dict[str, Any]) -> int:
    return json.loads(content(response)["text"])["level"]


def test_it_calls_the_tool_that_is_forced(client: Any) -> None:
    response = converse(client, **tool(name="anything"))

    assert response["stopReason"] == "tool_use"
    assert content(response)["toolUse"]["name"] == "anything"
    assert content(response)["toolUse"]["input"]["level"] == 5


def test_it_fills_structured_output(client: Any) -> None:
    response = converse(client, **output())

    assert response["stopReason"] == "end_turn"
    assert set(json.loads(content(response)["text"])) == {"rationale", "level"}


def test_it_writes_json_where_nothing_else_is_asked_for(client: Any) -> None:
    assert level(converse(client)) == 5


def test_it_fills_any_schema(client: Any) -> None:
    assert content(converse(client, **tool(OTHER_SCHEMA)))["toolUse"]["input"] == {
        "score": 1,
        "label": "good",
        "kind": "verdict",
        "count": 10,
        "sure": True,
        "code": "The f",
        "nothing": None,
        "notes": [{"why": "The fake model found nothing to object to."}] * 2,
        "either": 5,
    }


def test_usage_is_counted_from_the_texts(client: Any) -> None:
    response = converse(client, asked="x" * 401)

    read = tokens("You are the relevance judge of a panel.") + 101
    written = tokens(content(response)["text"])
    assert response["usage"] == {"inputTokens": read, "outputTokens": written, "totalTokens": read + written}


@pytest.mark.parametrize(
    ("outcome", "exception", "status"),
    [
        (Throttle(), "ThrottlingException", 429),
        (ServerError(), "InternalServerException", 500),
        (ServerError(503), "ServiceUnavailableException", 503),
        (ModelTimeout(), "ModelTimeoutException", 408),
        (ModelError(), "ModelErrorException", 424),
        (AccessDenied(), "AccessDeniedException", 403),
        (AwsError(404, "ResourceNotFoundException", "gone"), "ResourceNotFoundException", 404),
    ],
    ids=repr,
)
def test_botocore_raises_the_exception_of_that_name(
    bedrock: FakeBedrock, client: Any, outcome: Outcome, exception: str, status: int
) -> None:
    bedrock.script(outcome)

    with pytest.raises(getattr(client.exceptions, exception)) as caught:
        converse(client)
    assert caught.value.response["ResponseMetadata"]["HTTPStatusCode"] == status
    assert caught.value.response["Error"]["Message"]


def test_a_throttle_may_say_when_to_come_back(bedrock: FakeBedrock, client: Any) -> None:
    bedrock.script(Throttle(retry_after=2))

    with pytest.raises(ClientError) as caught:
        converse(client)
    assert caught.value.response["ResponseMetadata"]["HTTPHeaders"]["retry-after"] == "2"


def test_a_temperature_is_refused_where_there_is_one(bedrock: FakeBedrock, client: Any) -> None:
    bedrock.script(RefuseTemperature())

    converse(client)
    with pytest.raises(client.exceptions.ValidationException, match="temperature"):
        converse(client, inferenceConfig={"temperature": 0.0})


@pytest.mark.parametrize("outcome", [Drop(), Drop(after_bytes=10)], ids=repr)
def test_a_dropped_connection_is_no_answer(bedrock: FakeBedrock, client: Any, outcome: Outcome) -> None:
    bedrock.script(outcome, times=1)

    if outcome == Drop():
        with pytest.raises(ConnectionClosedError):
            converse(client)
    else:
        assert "output" not in converse(client)  # botocore takes half a JSON text for a message
    assert level(converse(client)) == 5


def test_garbage_is_delivered_as_it_is(bedrock: FakeBedrock, client: Any) -> None:
    bedrock.script(Garbage("<html>", status=502))

    with pytest.raises(ClientError, match="502"):
        converse(client)


def test_a_trickle_outlives_a_read_timeout(bedrock: FakeBedrock, aws_session: boto3.Session) -> None:
    bedrock.script(Trickle(pause=0.002))
    config = Config(retries={"total_max_attempts": 1}, read_timeout=0.3)
    client = aws_session.client("bedrock-runtime", region_name="us-east-1", endpoint_url=bedrock.url, config=config)

    started = time.monotonic()
    assert level(converse(client)) == 5
    assert time.monotonic() - started > 0.3
    client.close()


@pytest.mark.parametrize("options", [tool(), output(), {}], ids=["tool", "native", "text"])
@pytest.mark.parametrize(
    ("outcome", "stop_reason"),
    [
        (Truncated(), "max_tokens"),
        (ContentFiltered(), "content_filtered"),
        (ContentFiltered("guardrail_intervened"), "guardrail_intervened"),
        (Stopped("malformed_tool_use"), "malformed_tool_use"),
        (PlainText("Fine."), "end_turn"),
    ],
    ids=repr,
)
def test_a_reply_may_stop_short(
    bedrock: FakeBedrock, client: Any, options: dict[str, Any], outcome: Outcome, stop_reason: str
) -> None:
    bedrock.script(outcome)

    assert converse(client, **options)["stopReason"] == stop_reason


def test_a_malformed_reply_has_no_proper_level(bedrock: FakeBedrock, client: Any) -> None:
    bedrock.script(MalformedReply())

    assert content(converse(client, **tool()))["toolUse"]["input"]["level"] == "excellent"


def test_levels_are_given_in_turn(bedrock: FakeBedrock, client: Any) -> None:
    bedrock.reply(level=[0, 3])

    assert [level(converse(client)) for _ in range(5)] == [0, 3, 0, 3, 0]


def test_rules_that_end_play_in_order_and_then_the_standing_one_given_last(bedrock: FakeBedrock, client: Any) -> None:
    bedrock.reply(level=1)
    bedrock.reply(level=2)
    bedrock.reply(level=3, times=2)
    bedrock.reply(level=4, times=1)

    assert [level(converse(client)) for _ in range(5)] == [3, 3, 4, 2, 2]


def test_a_rule_may_end_by_time(bedrock: FakeBedrock, client: Any) -> None:
    bedrock.reply(level=1, seconds=3600)
    bedrock.reply(level=2, seconds=0)

    assert level(converse(client)) == 1


def test_calm_ends_every_rule(bedrock: FakeBedrock, client: Any) -> None:
    bedrock.script(Throttle())
    bedrock.latency(60)
    bedrock.calm()

    assert level(converse(client)) == 5


def test_rules_are_narrowed_by_judge_text_and_model(bedrock: FakeBedrock, client: Any) -> None:
    bedrock.reply(level=1, when=judge("coherence"))
    bedrock.reply(level=2, when=text('says "no" <loudly>'))
    bedrock.reply(level=3, when=model_id("other"))
    bedrock.reply(level=4, when=judge("faithfulness") & text("evt-007"))

    encoded = json.dumps({"answer": 'he says "no" <loudly>'}).replace("<", "\\u003c").replace(">", "\\u003e")
    assert level(converse(client)) == 5
    assert level(converse(client, name="coherence")) == 1
    assert level(converse(client, asked='he says "no" <loudly>')) == 2
    assert level(converse(client, asked=encoded)) == 2
    assert level(converse(client, model="other")) == 3
    assert level(converse(client, name="faithfulness")) == 5
    assert level(converse(client, name="faithfulness", asked="evt-007")) == 4


def test_a_rule_may_be_for_first_asks_only(bedrock: FakeBedrock, client: Any) -> None:
    bedrock.reply(level=1, when=first_ask())
    message = {"role": "user", "content": [{"text": "?"}]}
    reply = {"role": "assistant", "content": [{"text": "well …"}]}

    assert level(client.converse(modelId="m", messages=[message])) == 1
    assert level(client.converse(modelId="m", messages=[message, reply, message])) == 5


def test_a_latency_may_end_by_time(bedrock: FakeBedrock, client: Any) -> None:
    bedrock.latency(60, for_seconds=0)

    assert level(converse(client)) == 5


def test_conditions_that_exclude_each_other_are_refused() -> None:
    with pytest.raises(ValueError, match="coherence"):
        _ = judge("coherence") & judge("relevance")


def test_latency_delays_calls(bedrock: FakeBedrock, aws_session: boto3.Session) -> None:
    config = Config(retries={"total_max_attempts": 1}, read_timeout=0.1)
    client = aws_session.client("bedrock-runtime", region_name="us-east-1", endpoint_url=bedrock.url, config=config)
    bedrock.latency(60, when=judge("coherence"))

    converse(client)
    with pytest.raises(ReadTimeoutError):
        converse(client, name="coherence")
    client.close()


def test_counters_tell_what_was_seen(bedrock: FakeBedrock, client: Any) -> None:
    bedrock.script(Throttle(), times=1)
    with pytest.raises(ClientError):
        converse(client, name="coherence")
    converse(client, model="arn:aws:bedrock:us-east-1::x/y")

    seen = bedrock.counters()
    assert (seen.calls, seen.in_flight, seen.most_in_flight) == (2, 0, 1)
    assert seen.by_judge == {"coherence": 1, "relevance": 1}
    assert seen.by_model_id == {"m": 1, "arn:aws:bedrock:us-east-1::x/y": 1}
    assert seen.by_outcome == {"Throttle": 1, "Reply": 1}
    assert [call.judge for call in bedrock.requests()] == ["coherence", "relevance"]

    bedrock.forget()
    assert (bedrock.counters().calls, bedrock.requests()) == (0, [])


def test_a_client_that_hangs_up_is_not_in_flight_any_more(bedrock: FakeBedrock, aws_session: boto3.Session) -> None:
    bedrock.latency(60)
    config = Config(retries={"total_max_attempts": 1}, read_timeout=0.1)
    client = aws_session.client("bedrock-runtime", region_name="us-east-1", endpoint_url=bedrock.url, config=config)

    with pytest.raises(ReadTimeoutError):
        converse(client)
    client.close()
    bedrock.wait_until(lambda seen: seen.calls == 1 and seen.in_flight == 0)


def test_calls_are_answered_side_by_side(bedrock: FakeBedrock, client: Any) -> None:
    bedrock.latency(0.2)
    with ThreadPoolExecutor(50) as pool:
        list(pool.map(lambda _: converse(client), range(50)))

    assert bedrock.counters().most_in_flight > 25


def test_waiting_in_vain_says_what_was_seen(bedrock: FakeBedrock) -> None:
    with pytest.raises(TimeoutError, match="calls=0"):
        bedrock.wait_until(lambda seen: seen.calls > 0, timeout=0.01)


def test_it_ends_with_calls_still_under_way(client: Any, bedrock: FakeBedrock) -> None:
    bedrock.latency(60)
    with ThreadPoolExecutor(1) as pool:
        under_way = pool.submit(converse, client)
        bedrock.wait_until(lambda seen: seen.in_flight == 1)
        bedrock.close()
        assert isinstance(under_way.exception(10), ConnectionClosedError)


def test_a_taken_port_is_an_error(bedrock: FakeBedrock) -> None:
    port = int(bedrock.url.rpartition(":")[2])

    with pytest.raises(OSError, match=str(port)), FakeBedrock(port=port):
        pass


def test_a_latency_and_a_level_from_the_start_survive_calm(aws_session: boto3.Session) -> None:
    with FakeBedrock(level=2, latency=0.01) as bedrock:
        client = aws_session.client("bedrock-runtime", region_name="us-east-1", endpoint_url=bedrock.url)
        bedrock.script(Reply(0))
        bedrock.calm()
        assert level(converse(client)) == 2
        client.close()


def test_its_environment_is_all_that_boto3_needs(bedrock: FakeBedrock, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in bedrock.environment().items():
        monkeypatch.setenv(name, value)
    client = boto3.Session().client("bedrock-runtime")

    assert level(converse(client)) == 5
    client.close()


def test_a_body_that_is_no_request_is_refused_and_the_next_one_served(bedrock: FakeBedrock) -> None:
    from http.client import HTTPConnection

    connection = HTTPConnection("127.0.0.1", int(bedrock.url.rpartition(":")[2]), timeout=5)
    for path, body, status in (
        ("/model/m/converse", "[]", 400),
        ("/model/m/converse", "no json", 400),
        ("/elsewhere", "{}", 404),
        ("/model/m/converse", "{}", 200),
    ):
        connection.request("POST", path, body)
        response = connection.getresponse()
        response.read()
        assert response.status == status
    connection.close()
