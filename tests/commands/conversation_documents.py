"""Conversations that the offline model finds right or wrong, as the documented structure has them."""

import json
from pathlib import Path
from typing import Any

RIGHT, WRONG = "The ferry leaves at 07:15.", "The ferry leaves at 09:40."


def interaction(qa_id: str = "departure", *, right: bool = True, **more: Any) -> dict[str, Any]:
    turn = {"qa_id": qa_id, "query": "When does the ferry leave?", "ground_truth_assistant": RIGHT}
    return {**turn, "assistant": RIGHT if right else WRONG, **more}


def dataset(session_id: str, *interactions: dict[str, Any], **more: Any) -> dict[str, Any]:
    turns = list(interactions) or [interaction()]
    return {"session_id": session_id, "assistant_id": "atlas", "conversation": turns, **more}


def two_of_three() -> list[dict[str, Any]]:
    return [dataset("one"), dataset("two"), dataset("three", interaction(), interaction("again", right=False))]


def with_tools(tool_used: str) -> dict[str, Any]:
    """Two calls were expected. With another tool in place of the second, the tools score 0.875 (selection 0.5)."""
    expected = [{"tool_name": "timetable", "parameters": {}}, {"tool_name": "route", "parameters": {}}]
    return interaction(
        agentic={"tools_used": [expected[0], {"tool_name": tool_used, "parameters": {}}]},
        ground_truth_agentic={"expected_tools": expected},
    )


def write(path: Path, document: Any) -> Path:
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return path
