"""A wrong shape is refused early, by the name of the field."""

from typing import Any

import pytest

from eval_worker.agentic.tools.tool_correctness import tool_correctness
from eval_worker.agentic.tools.tool_use import check_expected_tool_use, check_tool_use


def nested(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels - 1):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("agentic", "problem"),
    [
        ({"tools_used": {}}, "tools_used: must be a list, not an object"),
        ({"tools_used": ["search"]}, "tools_used.0: must be a JSON object, not text"),
        ({"tools_used": [{"parameters": {}}]}, "tools_used.0.tool_name: is required"),
        ({"tools_used": [{"tool_name": ""}]}, "tools_used.0.tool_name: must not be empty"),
        ({"tools_used": [{"tool_name": "t"}, {"tool_name": 5}]}, "tools_used.1.tool_name: must be text, not a number"),
        ({"tools_used": [{"tool_name": "t", "parameters": []}]}, "tools_used.0.parameters: must be a JSON object"),
        ({"tools_used": [{"tool_name": "t", "step": "1"}]}, "tools_used.0.step: "),
        ({"tools_used": [{"tool_name": "t", "step": True}]}, "tools_used.0.step: "),
        ({"tools_used": [{"tool_name": "t", "step": 1.5}]}, "tools_used.0.step: must be a whole number$"),
        ({"tools_used": [{"tool_name": "t", "step": float("nan")}]}, "tools_used.0.step: must be a whole number$"),
        ({"tools_used": [{"tool_name": "t", "parameters": {"x": {1, 2}}}]}, "tools_used.0.parameters: holds a set"),
        ({"tools_used": [{"tool_name": "t", "parameters": {"x": {1: 2}}}]}, "parameters: holds a key that is not text"),
        ({"tools_used": [{"tool_name": "t", "parameters": {"x": nested(64)}}]}, "is nested more than 64 levels deep"),
        ({"tools_used": [{"tool_name": "t", "parameters": {"x": nested(9000)}}]}, "is nested more than 64 levels deep"),
        ({"tools_used": [{"tool_name": "t", "parameters": {"x": 10**400}}]}, "holds a number of hundreds of digits"),
        ({"final_answer_uses_tools": "yes"}, "final_answer_uses_tools: "),
    ],
)
def test_a_wrong_tool_use_is_refused_by_the_name_of_its_field(agentic: dict[str, Any], problem: str):
    with pytest.raises(ValueError, match=problem) as refused:
        check_tool_use(agentic)
    with pytest.raises(ValueError, match=r"^agentic\..*" + problem):
        tool_correctness(agentic, {"expected_tools": []})

    assert "\n" not in str(refused.value)


def expecting(**of_call: Any) -> dict[str, Any]:
    return {"expected_tools": [{"tool_name": "t", **of_call}]}


@pytest.mark.parametrize(
    ("ground_truth", "problem"),
    [
        ({"expected_tools": "t"}, "expected_tools: must be a list, not text"),
        ({"expected_tools": [], "tool_sequence_matters": 1}, "tool_sequence_matters: "),
        ({"forbidden_tools": "t"}, "forbidden_tools: must be a list, not text"),
        ({"expected_tools": [{"tool_name": "t"}], "forbidden_tools": ["t"]}, 'tool_name: "t" is forbidden as well'),
        (expecting(accepted={"x": "km"}), "expected_tools.0.accepted.x: must be a list, not text"),
        (expecting(accepted=["km"]), "expected_tools.0.accepted: must be a JSON object, not a list"),
        (expecting(optional="x"), "expected_tools.0.optional: must be a list, not text"),
        (expecting(ignored=[5]), "expected_tools.0.ignored.0: must be text, not a number"),
        (expecting(subset="no"), "expected_tools.0.subset: "),
        (expecting(tolerance=-1), "expected_tools.0.tolerance: must be a number of at least 0, or one by argument"),
        (expecting(tolerance="1"), "expected_tools.0.tolerance: must be a number of at least 0, or one by argument"),
        (expecting(tolerance={"x": True}), "expected_tools.0.tolerance: must be a number of at least 0, or one by"),
        (expecting(tolerance=float("nan")), "expected_tools.0.tolerance: must be a number of at least 0, or one by"),
    ],
)
def test_a_wrong_expectation_is_refused_by_the_name_of_its_field(ground_truth: dict[str, Any], problem: str):
    with pytest.raises(ValueError, match=problem) as refused:
        check_expected_tool_use(ground_truth)
    with pytest.raises(ValueError, match=r"^ground_truth_agentic\..*" + problem):
        tool_correctness(None, ground_truth)

    assert "\n" not in str(refused.value)


def test_what_is_no_object_at_all_is_refused():
    with pytest.raises(ValueError, match="agentic: must be a JSON object, not a list"):
        tool_correctness([], {"expected_tools": []})  # pyright: ignore[reportArgumentType, reportCallIssue] (as a caller may who does not check types)


def test_what_is_right_comes_back_as_it_was_with_keys_of_others():
    agentic = {"tools_used": [{"tool_name": "t", "result": object(), "step": None, "took_ms": 5}], "model": "x"}
    ground_truth = {"expected_tools": [{"tool_name": "t", "parameters": {"x": nested(63)}}], "note": "x"}

    assert check_tool_use(agentic) is agentic
    assert check_expected_tool_use(ground_truth) is ground_truth
    assert check_expected_tool_use({"expected_tools": None, "forbidden_tools": None})


def test_what_a_tool_returned_is_not_compared():
    used = {"tools_used": [{"tool_name": "t", "parameters": {}, "result": 8}]}

    assert tool_correctness(used, {"expected_tools": [{"tool_name": "t", "parameters": {}, "result": 9}]}).is_correct
