"""How replies are read: strictly as to the level, kindly as to what stands around it."""

import time
from collections.abc import Mapping

import pytest

from eval_worker.evaluation.judges.model import BadReply, Judgement
from eval_worker.evaluation.judges.parse import parse_reply
from eval_worker.evaluation.judges.reply_form import REPLY_SCHEMA


@pytest.mark.parametrize(
    "content",
    [
        {"rationale": "fine", "level": 3},
        {"rationale": "fine", "level": 3.0},
        {"rationale": "fine", "level": "3"},
        {"rationale": " fine\n", "level": 3, "confidence": 0.9},
        '{"rationale": "fine", "level": 3}',
        'Here you go:\n```json\n{"rationale": "fine", "level": 3}\n```\nAnything else?',
        'As {this} shows: {"note": 1} and {"rationale": "fine", "level": 3}',
    ],
)
def test_a_level_with_a_rationale_is_a_judgement(content: Mapping[str, object] | str):
    assert parse_reply(content) == Judgement(0.6, "fine")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ({"rationale": "fine"}, "level: is required"),
        ({"level": 3}, "rationale: is required"),
        ({"rationale": "", "level": 3}, "rationale: must not be empty"),
        ({"rationale": " \x1f\n", "level": 3}, "rationale: must not be empty"),
        ({"rationale": "fine", "level": 6}, "level: must be 0, 1, 2, 3, 4 or 5"),
        ({"rationale": "fine", "level": -1}, "level: must be 0, 1, 2, 3, 4 or 5"),
        ({"rationale": "fine", "level": 4.5}, "level: must be 0, 1, 2, 3, 4 or 5"),
        ({"rationale": "fine", "level": True}, "level: must be 0, 1, 2, 3, 4 or 5"),
        ({"rationale": "fine", "level": None}, "level: must be 0, 1, 2, 3, 4 or 5"),
        ({"rationale": ["fine"], "level": 3}, "rationale: must be text, not a list"),
        ({"rationale": "fine", "level": "9" * 5_000}, "level: must be 0, 1, 2, 3, 4 or 5"),
        ('{"rationale": "fine", "level": ' + "9" * 5_000 + "}", "it holds no JSON object with rationale and level"),
        ("", "it holds no JSON object with rationale and level"),
        ("five out of five", "it holds no JSON object with rationale and level"),
        ('{"rationale": "cut o', "it holds no JSON object with rationale and level"),
        ("[1, 2]", "it holds no JSON object with rationale and level"),
        ('{"a":' * 100_000, "it holds no JSON object with rationale and level"),
    ],
)
def test_anything_else_is_a_bad_reply_that_says_what_is_wrong(content: Mapping[str, object] | str, problem: str):
    outcome = parse_reply(content)

    assert isinstance(outcome, BadReply)
    assert outcome.problem == problem


def test_a_reply_of_a_megabyte_of_braces_is_refused_in_no_time():
    started = time.process_time()

    assert isinstance(parse_reply('{"a":' * 200_000), BadReply)
    assert time.process_time() - started < 1


def test_half_a_character_in_a_rationale_is_a_bad_reply_and_no_crash():
    assert isinstance(parse_reply({"rationale": "\ud83d", "level": 3}), BadReply)


def test_a_reply_that_is_too_deep_to_be_quoted_is_a_bad_one_all_the_same():
    nested: object = {}
    for _ in range(5_000):
        nested = {"a": nested}

    assert parse_reply({"level": 9, "more": nested}) == BadReply(
        "an object that is nested too deeply", "rationale: is required"
    )


def test_a_bad_reply_keeps_an_excerpt_only():
    outcome = parse_reply("x" * 1_000_000)

    assert isinstance(outcome, BadReply)
    assert len(outcome.text) == 2_000


def test_the_schema_asks_for_the_rationale_first_and_has_no_bounds_that_bedrock_refuses():
    assert list(REPLY_SCHEMA["properties"]) == ["rationale", "level"]
    assert REPLY_SCHEMA["properties"]["level"]["enum"] == [0, 1, 2, 3, 4, 5]
    assert not {"minimum", "maximum"} & set(REPLY_SCHEMA["properties"]["level"])
