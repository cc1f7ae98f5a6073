"""Rules for what becomes of calls, and what was counted of them."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError, ReadTimeoutError
from tests.testing.calls import converse, level

from eval_worker.testing import (
    FakeBedrock,
    Reply,
    Throttle,
    first_ask,
    judge,
    model_id,
    text,
)


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


def test_latency_delays_calls(bedrock: FakeBedrock, aws_session: boto3.Session, client: Any) -> None:
    config = Config(retries={"total_max_attempts": 1}, read_timeout=0.1)
    impatient = aws_session.client("bedrock-runtime", region_name="us-east-1", endpoint_url=bedrock.url, config=config)
    bedrock.latency(60, when=judge("coherence"))

    converse(client)
    with pytest.raises(ReadTimeoutError):
        converse(impatient, name="coherence")
    impatient.close()


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
    bedrock.wait_until(lambda seen: seen.calls == 1 and seen.in_flight == 0, timeout=60)


def test_calls_are_answered_side_by_side(bedrock: FakeBedrock, client: Any) -> None:
    def most_in_flight(seconds: float) -> int:
        bedrock.calm()
        bedrock.latency(seconds)
        with ThreadPoolExecutor(50) as pool:
            list(pool.map(lambda _: converse(client), range(50)))
        return bedrock.counters().most_in_flight

    assert any(most_in_flight(seconds) > 25 for seconds in (0.2, 1, 4))  # a slow machine takes longer to call


def test_waiting_in_vain_says_what_was_seen(bedrock: FakeBedrock) -> None:
    with pytest.raises(TimeoutError, match="calls=0"):
        bedrock.wait_until(lambda seen: seen.calls > 0, timeout=0.01)


def test_a_latency_and_a_level_from_the_start_survive_calm(aws_session: boto3.Session) -> None:
    with FakeBedrock(level=2, latency=0.01) as bedrock:
        client = aws_session.client("bedrock-runtime", region_name="us-east-1", endpoint_url=bedrock.url)
        bedrock.script(Reply(0))
        bedrock.calm()
        assert level(converse(client)) == 2
        client.close()
