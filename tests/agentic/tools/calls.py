"""Calls and scores in few words."""

from typing import Any

from eval_worker.agentic.tools.tool_correctness import ToolCorrectnessScore, tool_correctness

Call = dict[str, Any]


def call(tool_name: str, /, **parameters: Any) -> Call:
    return {"tool_name": tool_name, "parameters": parameters}


def at(step: float, one: Call) -> Call:
    return {**one, "step": step}


def score(
    used: list[Call], expected: list[Call], *, in_order: bool = False, uses_tools: bool | None = True, **options: Any
) -> ToolCorrectnessScore:
    return tool_correctness(
        {"tools_used": used, "final_answer_uses_tools": uses_tools},
        {"expected_tools": expected, "tool_sequence_matters": in_order},
        **options,
    )
