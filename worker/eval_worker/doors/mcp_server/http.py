"""Serves many clients over streamable HTTP."""

import logging
import socket
import time
from types import FrameType
from typing import Any

import structlog
import uvicorn
from mcp.server.lowlevel import Server
from starlette.applications import Starlette

from eval_worker.doors.api_keys import ApiKeys
from eval_worker.doors.listening import warn_if_open_to_all
from eval_worker.doors.mcp_server.api_keys import RequireApiKey
from eval_worker.doors.mcp_server.departures import NoticeDepartures
from eval_worker.doors.mcp_server.listener import PATH, Listener
from eval_worker.doors.mcp_server.tool_calls import ToolCalls
from eval_worker.settings import Settings

log = structlog.get_logger()

FLUSH_SECONDS = 2
KEEP_ALIVE_SECONDS = 75  # assistants pause between calls; a connection closed under one is a failed call
MAX_SESSIONS = 2_000  # of about 40 kB each; one that is not used for half an hour ends
_ENVELOPE_BYTES = 65_536


async def serve_http(
    server: Server[Any], calls: ToolCalls, settings: Settings, listener: Listener, listening: socket.socket
) -> None:
    """Serve until SIGTERM or SIGINT, then let the calls under way end within DRAIN_SECONDS."""
    keys = settings.accepted_api_keys
    warn_if_open_to_all(listener.host, keys)
    config = uvicorn.Config(
        build_app(server, listener, keys, settings.max_event_bytes),
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=FLUSH_SECONDS,
    )
    await _DrainingServer(config, calls, settings.drain_seconds).serve([listening])


def build_app(server: Server[Any], listener: Listener, keys: tuple[str, ...], max_event_bytes: int) -> Starlette:
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        # Twice the size: what is a little too large is refused in words by the tool, not with a bare status.
        max_request_body_size=2 * max_event_bytes + _ENVELOPE_BYTES,
        max_sessions=MAX_SESSIONS,
        transport_security=listener.security(),
    )
    app.add_middleware(NoticeDepartures)
    if keys:
        app.add_middleware(RequireApiKey, keys=ApiKeys(keys))
    return app


class _DrainingServer(uvicorn.Server):
    """On the first signal it takes no more connections and leaves once no call is under way; on a second at once."""

    def __init__(self, config: uvicorn.Config, calls: ToolCalls, drain_seconds: float) -> None:
        super().__init__(config)
        self._calls = calls
        self._drain_seconds = drain_seconds
        self._leave_by: float | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        if self._leave_by is not None:
            self.should_exit = self.force_exit = True
            return
        self._leave_by = time.monotonic() + self._drain_seconds

    async def on_tick(self, counter: int) -> bool:
        if self._leave_by is not None:
            for each in self.servers:
                each.close()
            self.should_exit |= self._calls.idle or time.monotonic() > self._leave_by
        if self.should_exit:
            _silence_uvicorn()
        return await super().on_tick(counter)


def _silence_uvicorn() -> None:
    """Streams that clients keep open for news are cut on leaving, which it holds for an error."""
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
