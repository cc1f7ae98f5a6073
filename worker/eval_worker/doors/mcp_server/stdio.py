"""Serves the one client that started this process, over stdin and stdout."""

import asyncio
import json
import os
import select
import signal
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp.types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, JSONRPCRequest, RequestId
from pydantic import ValidationError

from eval_worker.doors.mcp_server.open_requests import OpenRequests
from eval_worker.process_exit import leave

if TYPE_CHECKING:
    from mcp.shared._stream_protocols import ReadStream, WriteStream  # what the SDK's transports are made of

POLL_SECONDS = 0.05


async def serve_stdio(server: Server[Any], *, drain_seconds: float) -> None:
    """Serve until stdin ends and what was asked until then is answered, or nobody reads the answers any more.

    A signal ends the process at once. While this runs, whatever else writes to stdout writes to stderr.
    """
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, leave, 0)
    stdout = os.dup(sys.stdout.fileno())
    try:
        async with stdio_server() as (incoming, outgoing):
            await _Exchange(incoming, outgoing, drain_seconds, lambda: _has_no_reader(stdout)).run(server)
    except* (ConnectionError, anyio.BrokenResourceError):
        pass  # a broken pipe, or what was to go through it after that: the reader has gone, and nothing is left to say


class _Exchange:
    """Stands between the pipes and the server, which drops what is under way as soon as its input ends."""

    def __init__(
        self,
        incoming: "ReadStream[SessionMessage | Exception]",
        outgoing: "WriteStream[SessionMessage]",
        drain_seconds: float,
        has_no_reader: Callable[[], bool],
    ) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._drain_seconds = drain_seconds
        self._has_no_reader = has_no_reader
        self._open = OpenRequests()

    async def run(self, server: Server[Any]) -> None:
        to_server, from_client = anyio.create_memory_object_stream[SessionMessage | Exception]()
        to_client, from_server = anyio.create_memory_object_stream[SessionMessage]()
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._read, to_server, to_client.clone())
                tasks.start_soon(self._write, from_server)
                await server.run(from_client, to_client, server.create_initialization_options())
        except asyncio.CancelledError:
            # Only an answer that can't be written cancels us, and the thread that reads stdin would hold up the rest.
            leave(0)

    async def _read(
        self, to_server: "WriteStream[SessionMessage | Exception]", to_client: "WriteStream[SessionMessage]"
    ) -> None:
        async with to_server, to_client:
            async for item in self._incoming:
                if isinstance(item, SessionMessage):
                    self._open.note_read(item.message)
                    await to_server.send(item)
                elif refusal := _refusal_of(item):
                    await to_client.send(refusal)
            await self._drain()

    async def _write(self, from_server: "ReadStream[SessionMessage]") -> None:
        async with self._outgoing:
            async for item in from_server:
                self._open.note_written(item.message)
                await self._outgoing.send(item)

    async def _drain(self) -> None:
        """A client may close its end right after the last question, or be gone."""
        with anyio.move_on_after(self._drain_seconds):
            while self._open and not self._has_no_reader():  # noqa: ASYNC110 (of a reader that goes no event tells)
                await anyio.sleep(POLL_SECONDS)


def _has_no_reader(descriptor: int) -> bool:
    poll = select.poll()
    poll.register(descriptor, 0)  # errors and hang-ups are reported unasked
    return bool(poll.poll(0))


def _refusal_of(problem: Exception) -> SessionMessage | None:
    """Answer a line that is no message, so that whoever types them by hand hears of it; but not an empty one."""
    detail = problem.errors(include_url=False)[0] if isinstance(problem, ValidationError) else None
    if detail and not str(detail["input"]).strip():
        return None
    not_json = detail is not None and detail["type"] == "json_invalid"
    if detail and not_json and (waiting := _request_in(detail["input"])) is not None:
        return _error(waiting, INVALID_REQUEST, "this request holds half a surrogate pair, or is nested too deeply")
    code, what = (PARSE_ERROR, "not JSON") if not_json else (INVALID_REQUEST, "no JSON-RPC message")
    return _error(None, code, f"this line is {what}: send one JSON-RPC message a line")


def _request_in(line: str) -> RequestId | None:
    """The id of a request that only the SDK's parser refuses: a cut emoji is half a surrogate pair."""
    try:
        without_params = json.dumps({**json.loads(line), "params": None})
        return JSONRPCRequest.model_validate_json(without_params).id
    except (ValueError, TypeError, RecursionError):
        return None


def _error(request: RequestId | None, code: int, problem: str) -> SessionMessage:
    return SessionMessage(JSONRPCError(jsonrpc="2.0", id=request, error=ErrorData(code=code, message=problem)))
