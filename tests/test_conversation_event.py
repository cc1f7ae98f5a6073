"""What is wrong with an event about conversations is said in words that name the field."""

import json
from typing import Any

import pytest
from tests.events import conversations

from eval_worker.conversation_event import ConversationEvent
from eval_worker.errors import MalformedEventError
from eval_worker.event import decode_event


def problem_with(event: dict[str, Any]) -> str:
    with pytest.raises(MalformedEventError) as caught:
        decode_event(json.dumps(event).encode(), max_bytes=10_000)
    return str(caught.value)


@pytest.mark.parametrize(
    ("config", "says"),
    [
        ({"k": "3"}, "config.k: must be a whole number, not text"),
        ({"k": 0}, "config.k: must be at least 1"),
        ({"k": 1e99}, "config.k: must be a whole number, not 1e+99"),
        ({"require_tools": 1}, "config.require_tools: must be true or false, not a number"),
        ({"tool_weights": {"charm": 1}}, "config.tool_weights.charm: is no key that is known here"),
        ({"statistical_mode": "guess"}, "config.statistical_mode: must be one of 'frequentist', 'bayesian'"),
        ({"statistical_mode": {"level": 0.9}}, "config.statistical_mode: must have 'name'"),
        (
            {"statistical_mode": {"name": "bayesian", "level": 2}},
            "bayesian.level: must be less than 1",
        ),
    ],
)
def test_a_wrong_value_of_the_config_is_named(config: dict[str, Any], says: str):
    assert says in problem_with(conversations(**config))


@pytest.mark.parametrize(
    ("turn", "says"),
    [
        ({"query": " "}, "datasets.0.conversation.0.query: must not be empty"),
        ({"assistant": 7}, "datasets.0.conversation.0.assistant: must be text, not a number"),
        ({"agentic": {"tools_used": [{}]}}, "datasets.0.conversation.0.agentic: tools_used.0.tool_name: is required"),
    ],
)
def test_a_wrong_interaction_is_named_by_its_place(turn: dict[str, Any], says: str):
    event = conversations()
    event["datasets"][0]["conversation"][0].update(turn)

    assert says in problem_with(event)


@pytest.mark.parametrize("mode", ["bayesian", {"name": "bayesian"}])
def test_a_statistical_mode_may_be_named_alone(mode: Any):
    event = decode_event(json.dumps(conversations(statistical_mode=mode)).encode(), max_bytes=10_000)

    assert isinstance(event, ConversationEvent)
    assert event.config.statistical_mode.name == "bayesian"


def test_a_config_that_is_null_or_left_out_has_the_defaults():
    plain = decode_event(json.dumps(conversations()).encode(), max_bytes=10_000)
    null = decode_event(json.dumps(conversations() | {"config": None}).encode(), max_bytes=10_000)
    assert isinstance(plain, ConversationEvent)
    assert plain == null
    assert (plain.config.k, plain.config.threshold, plain.config.tool_threshold) == (3, 0.7, 0.75)
