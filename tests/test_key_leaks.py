"""The check that follows every test can fail."""

from typing import Any

import pytest
from tests.events import DEAD_LETTERS, EVENTS, RESULTS
from tests.key_leaks import expect_no_lasting_keys


def test_a_key_without_a_time_to_live_is_a_leak_that_is_named(redis_client: Any, lasting_keys: set[str]):
    redis_client.set("eval-cache:1", "a response")

    with pytest.raises(AssertionError, match=r"^eval-cache:1 would stay in Redis for ever: give it a time to live"):
        expect_no_lasting_keys(redis_client)

    lasting_keys.add("eval-cache:1")
    expect_no_lasting_keys(redis_client, lasting_keys)


def test_the_three_streams_and_keys_that_expire_are_no_leaks(redis_client: Any):
    for stream in (EVENTS, RESULTS, DEAD_LETTERS):
        redis_client.xadd(stream, {"payload": "{}"})
    redis_client.set("eval-cache:1", "a response", ex=60)

    expect_no_lasting_keys(redis_client)
