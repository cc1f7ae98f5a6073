"""The fake through real boto3, which is what its users put in front of it."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError, ConnectionClosedError, ReadTimeoutError
from tests.testing.calls import content, converse, level

from eval_worker.testing import (
    AccessDenied,
    AwsError,
    Call,
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
    ServerError,
    Stopped,
    Throttle,
    Trickle,
    Truncated,
    tokens,
)
from eval_worker.testing.fake_bedrock.prompt_cache import PromptCache

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


def tool(schema: dict[str, Any] = SCHEMA, name: str = "record") -> dict[str, Any]:
    specification = {"toolSpec": {"name": name, "inputSchema": {"json": schema}}}
    return {"toolConfig": {"tools": [specification], "toolChoice": {"tool": {"name": name}}}}


def output(schema: dict[str, Any] = SCHEMA) -> dict[str, Any]:
    structure = {"jsonSchema": {"schema": json.dumps(schema)}}
    return {"outputConfig": {"textFormat": {"type": "json_schema", "structure": structure}}}


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
    assert response["usage"] == {
        "inputTokens": read,
        "outputTokens": written,
        "totalTokens": read + written,
        "cacheReadInputTokens": 0,
        "cacheWriteInputTokens": 0,
    }


def cached(client: Any, system: str, *, after: str = "", model: str = "m") -> tuple[int, int, int]:
    """Return what is read from the cache, written to it, and neither."""
    blocks = [{"text": system}, {"cachePoint": {"type": "default"}}]
    messages = [{"role": "user", "content": [{"text": after}]}]
    usage = client.converse(modelId=model, system=blocks, messages=messages)["usage"]
    return usage["cacheReadInputTokens"], usage["cacheWriteInputTokens"], usage["inputTokens"]


def test_a_cached_prefix_is_written_once_and_then_read(client: Any) -> None:
    long = "be fair " * 600  # 1,200 tokens
    assert cached(client, long, after="x" * 40) == (0, 1_200, 10)
    assert cached(client, long, after="y" * 80) == (1_200, 0, 20)
    assert cached(client, long + "er", after="x" * 40) == (0, 1_201, 10)
    assert cached(client, long, after="x" * 40, model="another") == (0, 1_200, 10)


def test_a_prefix_below_the_floor_is_not_cached(client: Any) -> None:
    short = "be fair " * 500
    assert [cached(client, short, after="x" * 40) for _ in range(2)] == [(0, 0, 1_010)] * 2


def test_a_prefix_is_dropped_five_minutes_after_its_last_use() -> None:
    times = iter((0.0, 0.0, 299.0, 299.0, 597.0, 597.0, 898.0))  # each call is looked up, and kept
    cache = PromptCache(lambda: next(times, 898.0))
    body = {"system": [{"text": "be fair " * 600}, {"cachePoint": {"type": "default"}}], "messages": []}
    call = Call.parse("m", body)
    seen: list[bool] = []
    for _ in range(4):
        counted = cache.counted(call)
        seen.append(counted.cache_read > 0)
        cache.keep(counted)
    assert seen == [False, True, True, False]


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
    def outlived(read_timeout: float, pause: float) -> bool:
        bedrock.calm()
        bedrock.script(Trickle(pause=pause))
        config = Config(retries={"total_max_attempts": 1}, read_timeout=read_timeout)
        client = aws_session.client("bedrock-runtime", region_name="us-east-1", endpoint_url=bedrock.url, config=config)
        started = time.monotonic()
        try:
            assert level(converse(client)) == 5
        except ReadTimeoutError:
            return False
        finally:
            client.close()
        return time.monotonic() - started > read_timeout

    assert outlived(0.3, 0.002) or outlived(3, 0.02) or outlived(15, 0.1)  # between two bytes the machine may pause


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


def test_it_ends_with_calls_still_under_way(client: Any, bedrock: FakeBedrock) -> None:
    bedrock.latency(60)
    with ThreadPoolExecutor(1) as pool:
        under_way = pool.submit(converse, client)
        bedrock.wait_until(lambda seen: seen.in_flight == 1, timeout=60)
        bedrock.close()
        assert isinstance(under_way.exception(10), ConnectionClosedError)


def test_a_taken_port_is_an_error(bedrock: FakeBedrock) -> None:
    port = int(bedrock.url.rpartition(":")[2])

    with pytest.raises(OSError, match=str(port)), FakeBedrock(port=port):
        pass


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
