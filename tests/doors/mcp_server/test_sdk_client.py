"""The official SDK's client starts the command and talks to it, as assistants do."""

import asyncio
import os
import sys

from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.types import CallToolResult
from tests.doors.mcp_server.line_client import COMMAND, CONVERSATIONS, GOOD, OFFLINE


def test_the_sdks_client_starts_it_lists_the_tools_and_calls_them_side_by_side():
    async def scenario() -> tuple[list[str], list[CallToolResult]]:
        started = StdioServerParameters(command=sys.executable, args=[*COMMAND[1:], *OFFLINE], env=dict(os.environ))
        async with Client(started) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            calls = [client.call_tool("evaluate_response", {**GOOD, "event_id": f"e-{n}"}) for n in range(20)]
            alone = client.call_tool("evaluate_single_judge", {**GOOD, "judge_name": "coherence"})
            whole = client.call_tool("evaluate_conversation", CONVERSATIONS)
            return names, await asyncio.gather(*calls, alone, whole)

    names, results = asyncio.run(scenario())

    assert names == ["evaluate_response", "evaluate_single_judge", "evaluate_conversation"]
    *judged, alone, whole = [result.structured_content for result in results]
    assert [result["id"] for result in judged] == [f"e-{n}" for n in range(20)]
    assert {result["verdict"] for result in judged} == {"pass"}
    assert [stage["name"] for stage in alone["stages"]] == ["coherence-judge"]
    assert whole["agentic"]["aggregated_metrics"]["pass_at_k"] == 1
