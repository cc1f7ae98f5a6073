"""The server that every transport serves: the tools and what they are called with."""

from collections.abc import Sequence
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    Tool,
)

from eval_worker import __version__
from eval_worker.doors.mcp_server.departures import while_connected
from eval_worker.doors.mcp_server.tool_calls import ToolCalls
from eval_worker.doors.mcp_server.tools import INSTRUCTIONS

NAME = "eval-worker"

_Context = ServerRequestContext[Any, Any]


def build_server(tools: Sequence[Tool], calls: ToolCalls) -> Server[Any]:
    async def list_tools(_context: _Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=list(tools))

    async def call_tool(context: _Context, params: CallToolRequestParams) -> CallToolResult:
        if not calls.knows(params.name):
            known = ", ".join(tool.name for tool in tools)
            raise MCPError(INVALID_PARAMS, f"there is no tool {params.name[:80]!r}; known are {known}")
        return await while_connected(context.request, calls.call(params.name, params.arguments or {}))

    return Server(
        NAME,
        version=__version__,
        title="Answer evaluation",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
