"""Whole conversations from an assistant: what it may give, what it gets, and what it is told."""

import asyncio
from copy import deepcopy
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from mcp.types import CallToolResult
from tests.agentic.conversations import CALLED, DENIED, EXPECTED, REFUSED, RIGHT, THROTTLED, WRONG, AnswerModel, dataset
from tests.doors.mcp_server.serving import MAX_EVENT_BYTES, client_of, http_server
from tests.doors.mcp_server.test_tool_calls import list_tools, sentence
from tests.failures.switchable_model import SwitchableModel
from tests.waiting import eventually

from eval_worker.agentic.dataset import Dataset

TOOL = "evaluate_conversation"
TURN = "datasets.0.conversation.1"


def conversations(*datasets: Dataset) -> list[dict[str, Any]]:
    return [each.model_dump(mode="json", exclude_none=True) for each in datasets]


def call(*answers: str, tool: str = TOOL, **arguments: Any) -> CallToolResult:
    """Arguments that are `...` are left out."""
    given = {"datasets": conversations(dataset(*(answers or (RIGHT,)))), **arguments}

    async def scenario() -> CallToolResult:
        async with client_of(AnswerModel(), judge_seconds=0.2) as client:
            return await client.call_tool(tool, {name: value for name, value in given.items() if value is not ...})

    return asyncio.run(scenario())


def with_turn(**fields: Any) -> list[dict[str, Any]]:
    datasets = conversations(dataset(RIGHT, RIGHT))
    datasets[0]["conversation"][1].update(fields)
    return datasets


def schemas() -> tuple[Draft202012Validator, Draft202012Validator]:
    tool = asyncio.run(list_tools())[TOOL]
    return Draft202012Validator(tool.input_schema), Draft202012Validator(tool.output_schema or False)


def test_conversations_are_judged_and_the_figures_are_as_the_tool_says():
    datasets = conversations(dataset(RIGHT, RIGHT), dataset(RIGHT, RIGHT), dataset(RIGHT, WRONG))
    datasets[0]["conversation"][0] |= {"agentic": CALLED, "ground_truth_agentic": EXPECTED}

    result = call(datasets=datasets, event_id="may", k=3).structured_content

    takes, gives = schemas()
    takes.validate({"datasets": datasets, "event_id": "may", "k": 3})
    gives.validate(result)
    assert (result["id"], result["verdict"]) == ("may", "review")
    together = result["agentic"]["aggregated_metrics"]
    assert (round(together["pass_at_k"], 4), round(together["pass_pow_k"], 4)) == (0.963, 0.2963)
    first = result["agentic"]["per_conversation_metrics"][0]
    assert [tools and tools["is_correct"] for tools in first["tool_correctness_scores"]] == [True, None]


def test_a_result_of_questions_asked_twice_fits_what_the_tool_says():
    result = call(datasets=conversations(dataset(RIGHT, session="s1"), dataset(WRONG, session="s2"))).structured_content

    schemas()[1].validate(result)
    (question,) = result["agentic"]["per_question_metrics"]
    assert (question["pass_at_k"], question["pass_pow_k"]) == (True, False)


def test_an_interaction_that_could_not_be_judged_fits_what_the_tool_says():
    result = call(RIGHT, REFUSED, WRONG).structured_content

    schemas()[1].validate(result)
    assert (result["partial"], result["verdict"]) == (True, "fail")
    assert result["agentic"]["per_conversation_metrics"][0]["correctness_scores"] == [1.0, None, 0.2]


def test_conversations_need_no_name():
    assert call(RIGHT).structured_content["id"] == "conversation"


def test_every_choice_of_the_config_is_an_argument():
    other_tool = {"tools_used": [{"tool_name": "other"}]}
    chosen: dict[str, Any] = {
        "k": 2,
        "threshold": 0.9,
        "tool_threshold": 0.5,
        "require_tools": True,
        "tool_weights": {"selection": 1},
        "statistical_mode": {"name": "bayesian", "level": 0.9},
    }
    datasets = with_turn(agentic=other_tool, ground_truth_agentic=EXPECTED)

    result = call(datasets=datasets, **chosen).structured_content

    schemas()[0].validate({"datasets": datasets, **chosen})
    (metric,) = result["agentic"]["per_conversation_metrics"]
    assert (metric["k"], metric["threshold"], metric["correct_indices"]) == (2, 0.9, [0])
    assert metric["tool_correctness_scores"][1]["is_correct"] is False
    assert metric["pass_at_k_ci_low"] is not None


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"datasets": ...}, "datasets: is required"),
        ({"datasets": []}, "datasets: must not be empty"),
        ({"datasets": "[]"}, "datasets: must be a list, not text"),
        ({"datasets": with_turn(query="")}, f"{TURN}.query: must not be empty"),
        (
            {"datasets": with_turn(ground_truth_assistant=None)},
            f"{TURN}.ground_truth_assistant: must be text",
        ),
        ({"datasets": with_turn(agentic={"tools_used": [{}]})}, f"{TURN}.agentic: tools_used.0.tool_name: is required"),
        ({"datasets": with_turn(query="x" * MAX_EVENT_BYTES)}, "what was given is "),
        ({"event_id": " "}, "event_id: must not be empty"),
        ({"k": 0}, "k: must be at least 1"),
        ({"k": 1e5}, "k: must be a whole number, not 100000.0"),
        ({"k": "3"}, "k: must be a whole number, not text"),
        ({"threshold": 2}, "threshold: must be at most 1"),
        ({"statistical_mode": "guess"}, "statistical_mode: must be one of 'frequentist', 'bayesian'"),
        ({"config": {"k": 5}}, "config: give k, threshold, "),
        (
            {"treshold": 0.9},
            "treshold: is no argument that is known here; known are event_id, datasets, k, threshold, ",
        ),
    ],
)
def test_a_wrong_argument_is_named_as_the_caller_knows_it(arguments: dict[str, Any], says: str):
    assert sentence(call(**arguments)).startswith(says)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (THROTTLED, "did not answer: too many requests. There is no verdict; try again in "),
        (DENIED, "can't be used: no access to the model. There is no verdict; once this is put right, "),
        (REFUSED, "No judge could score this: the content was refused. There is no verdict; trying again won't help."),
    ],
)
def test_a_model_that_gives_none_makes_no_verdict(answer: str, says: str):
    assert says in sentence(call(answer))


@pytest.mark.parametrize("tool", ["evaluate_response", "evaluate_single_judge"])
def test_conversations_given_to_the_other_tools_are_refused(tool: str):
    said = sentence(call(tool=tool, event_id="c1", event_type="agent_conversation", judge_name="relevance"))

    assert said.startswith("datasets: is no argument that is known here; known are ")


def test_a_cancelled_call_cancels_its_judges():
    model = SwitchableModel(latency=60)

    async def scenario() -> None:
        async with client_of(model) as client:
            calling = asyncio.create_task(client.call_tool(TOOL, {"datasets": conversations(dataset(*["a"] * 9))}))
            await eventually(lambda: model.in_flight > 1)
            calling.cancel()
            await eventually(lambda: model.in_flight == 0)

    asyncio.run(scenario())


def test_conversations_are_judged_over_http():
    async def scenario(url: str) -> CallToolResult:
        async with Client(url) as client:
            return await client.call_tool(TOOL, {"datasets": conversations(dataset(RIGHT))})

    with http_server(AnswerModel()) as url:
        result = asyncio.run(scenario(url))

    assert result.structured_content["verdict"] == "pass"


def test_the_input_is_described_to_its_last_field_without_references():
    schema = schemas()[0].schema

    Draft202012Validator.check_schema(schema)
    assert "$ref" not in str(schema)
    assert undescribed(deepcopy(schema)) == []


def undescribed(schema: Any, path: str = "") -> list[str]:
    found: list[str] = []
    for name, part in schema.get("properties", {}).items():
        found += [] if part.get("description") else [f"{path}.{name}"]
        found += undescribed(part, f"{path}.{name}")
    if schema.get("items"):
        found += undescribed(schema["items"], path)
    return found
