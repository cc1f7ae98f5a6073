"""What a tool call is answered with: a result, or one sentence that an assistant can act on."""

import asyncio
import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp.types import CallToolResult, TextContent, Tool
from tests.doors.mcp_server.line_client import GOOD
from tests.doors.mcp_server.serving import MAX_EVENT_BYTES, client_of
from tests.failures.switchable_model import DENIED, THROTTLED, SwitchableModel
from tests.waiting import eventually

from eval_worker.doors.mcp_server.evaluator_on_demand import EvaluatorOnDemand
from eval_worker.errors import SettingsError
from eval_worker.evaluation.judges.model import FailureKind, JudgeModel, ModelFailure
from eval_worker.models.offline import OfflineModel

REFUSED = ModelFailure(FailureKind.PERMANENT, "refused", "the model refuses to judge this text")
TIMED_OUT = ModelFailure(FailureKind.TRANSIENT, "timeout", "no answer within 15 s")
BUSY = ModelFailure(FailureKind.TRANSIENT, "throttled", "too many requests", retry_after=6.5)
JUDGES = "relevance, faithfulness, coherence, completeness, instruction"


def call(tool: str = "evaluate_response", model: JudgeModel | None = None, **arguments: Any) -> CallToolResult:
    """Arguments that are `...` are left out."""
    given = {name: value for name, value in {**GOOD, **arguments}.items() if value is not ...}

    async def scenario() -> CallToolResult:
        async with client_of(model or SwitchableModel(), judge_seconds=0.2) as client:
            return await client.call_tool(tool, given)

    return asyncio.run(scenario())


def sentence(result: CallToolResult) -> str:
    assert result.is_error, result
    assert result.structured_content is None
    (block,) = result.content
    assert isinstance(block, TextContent)
    assert "\n" not in block.text
    return block.text


async def list_tools() -> dict[str, Tool]:
    async with client_of(SwitchableModel()) as client:
        return {tool.name: tool for tool in (await client.list_tools()).tools}


def test_a_result_is_structured_as_the_tool_says_and_the_same_as_text():
    result = call(context="AI is artificial intelligence.", model=OfflineModel())

    assert not result.is_error
    tool = asyncio.run(list_tools())["evaluate_response"]
    Draft202012Validator(tool.output_schema or False).validate(result.structured_content)
    (block,) = result.content
    assert isinstance(block, TextContent)
    assert json.loads(block.text) == result.structured_content
    assert result.structured_content["id"] == "test-1"
    assert list(result.structured_content)[:4] == ["id", "stages", "confidence", "verdict"]
    assert len(result.structured_content["stages"]) == 8


@pytest.mark.parametrize(("threshold", "verdict"), [(..., "pass"), (0.5, "pass"), (1, "fail")])
def test_one_judge_alone_is_measured_against_the_threshold(threshold: Any, verdict: str):
    result = call("evaluate_single_judge", judge_name="relevance", threshold=threshold)

    assert [stage["name"] for stage in result.structured_content["stages"]] == ["relevance-judge"]
    assert result.structured_content["verdict"] == verdict


def test_an_empty_answer_is_judged_and_fails():
    assert call(answer="").structured_content["verdict"] == "fail"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"user_query": ""}, "user_query: must not be empty"),
        ({"event_id": " "}, "event_id: must not be empty"),
        ({"answer": ...}, "answer: is required"),
        ({"answer": 7}, "answer: must be text, not a number"),
        ({"answer": "x" * MAX_EVENT_BYTES}, "more than MAX_EVENT_BYTES (10000)"),
        ({"answer": "\ud800"}, "what was given is not UTF-8"),
        (
            {"contxt": "AI is."},
            "contxt: is no argument that is known here; known are event_id, user_query, answer, context",
        ),
        ({"threshold": 0.9}, "threshold: is no argument that is known here"),
        ({"a\nb" * 100: 1}, "'a\\nba\\nb"),
    ],
)
def test_a_wrong_argument_is_named_in_plain_words(arguments: dict[str, Any], says: str):
    assert says in sentence(call(**arguments))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"judge_name": "charm"}, f"judge_name: there is no judge 'charm'; known are {JUDGES}"),
        ({}, f"judge_name: is required; known are {JUDGES}"),
        ({"judge_name": "relevance", "threshold": 1.5}, "threshold: must be at most 1"),
        ({"judge_name": "relevance", "threshold": "high"}, "threshold: must be a number, not text"),
        ({"judge_name": "faithfulness"}, "can't be applied: no context given"),
        (
            {"judge_name": "relevance", "treshold": 0.9},
            "treshold: is no argument that is known here; known are judge_name",
        ),
    ],
)
def test_a_judge_that_cannot_be_asked_says_why(arguments: dict[str, Any], says: str):
    assert says in sentence(call("evaluate_single_judge", **arguments))


@pytest.mark.parametrize("tool", ["evaluate_response", "evaluate_single_judge"])
@pytest.mark.parametrize(
    ("failure", "says"),
    [
        (THROTTLED, ["did not answer: too many requests", "no verdict", "try again in "]),
        (BUSY, ["did not answer: too many requests", "no verdict", "try again in 7 s"]),
        (TIMED_OUT, ["did not answer: no answer within 15 s", "no verdict", "try again in "]),
        (DENIED, ["can't be used: no access to the model", "no verdict", "try again in "]),
        (REFUSED, ["refuses to judge this text", "no verdict", "won't help"]),
    ],
)
def test_a_model_that_gives_none_makes_no_verdict(tool: str, failure: ModelFailure, says: list[str]):
    arguments = {"judge_name": "relevance"} if tool == "evaluate_single_judge" else {}
    said = sentence(call(tool, SwitchableModel(failure), **arguments))

    assert all(words in said for words in says), said


def test_a_bug_is_told_without_its_details():
    model = SwitchableModel()
    model.poisoned["artificial"] = ZeroDivisionError("a secret thing")

    said = sentence(call(model=model))

    assert "bug" in said
    assert "secret" not in said


def test_calls_are_judged_side_by_side_and_no_more_than_was_said():
    model = SwitchableModel(latency=0.01)

    async def scenario() -> list[CallToolResult]:
        async with client_of(model, concurrency=2) as client:
            calls = [client.call_tool("evaluate_response", {**GOOD, "event_id": f"e-{n}"}) for n in range(6)]
            return await asyncio.gather(*calls)

    results = asyncio.run(scenario())

    assert [result.structured_content["id"] for result in results] == [f"e-{n}" for n in range(6)]
    assert model.most_in_flight == 2 * 4


def test_a_cancelled_call_cancels_its_judges():
    model = SwitchableModel(latency=60)

    async def scenario() -> None:
        async with client_of(model) as client:
            calling = asyncio.create_task(client.call_tool("evaluate_response", GOOD))
            await eventually(lambda: model.in_flight == 4)
            calling.cancel()
            await eventually(lambda: model.in_flight == 0)

    asyncio.run(scenario())


def test_the_tools_say_that_they_change_nothing_and_which_judges_there_are():
    tools = asyncio.run(list_tools())

    assert list(tools) == ["evaluate_response", "evaluate_single_judge", "evaluate_conversation"]
    for tool in tools.values():
        assert tool.input_schema["additionalProperties"] is False
        assert tool.annotations is not None
        assert (tool.annotations.read_only_hint, tool.annotations.open_world_hint) == (True, False)
        assert all("description" in field for field in tool.input_schema["properties"].values())
    assert tools["evaluate_response"].input_schema["required"] == ["event_id", "user_query", "answer"]
    alone = tools["evaluate_single_judge"].input_schema["properties"]
    assert alone["judge_name"]["enum"] == JUDGES.split(", ")
    assert (alone["threshold"]["minimum"], alone["threshold"]["maximum"], alone["threshold"]["default"]) == (0, 1, 0.7)


def test_credentials_that_come_later_are_found():
    missing = [SettingsError("no credentials")]

    def build() -> Any:
        if missing:
            raise missing.pop()
        return "an evaluator"

    async def scenario() -> None:
        evaluator = EvaluatorOnDemand(build)
        with pytest.raises(SettingsError):
            await evaluator.get()
        assert await evaluator.get() == "an evaluator"

    asyncio.run(scenario())
