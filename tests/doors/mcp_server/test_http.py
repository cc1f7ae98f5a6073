"""The server over real HTTP: who is let in, what is refused, and who has gone."""

import asyncio
import json
import os
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from tests.doors.mcp_server.line_client import COMMAND, GOOD, SECONDS, handshake, message, tool_call
from tests.doors.mcp_server.serving import MAX_EVENT_BYTES, http_server
from tests.failures.switchable_model import SwitchableModel
from tests.planted_secrets import API_KEY, AWS_KEYS
from tests.processes import Worker
from tests.waiting import eventually_sync

from eval_worker.testing import FakeBedrock

KEY = API_KEY
OTHER_KEY = "another-key-of-sixteen-characters"


class Session:
    """A session over plain HTTP, by the protocol of 2025, without any SDK."""

    def __init__(self, url: str, **headers: str) -> None:
        where = urlsplit(url)
        self._path = where.path
        self._headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            **headers,
        }
        self.connection = HTTPConnection(where.hostname or "", where.port, timeout=SECONDS)

    def start(self) -> "Session":
        for each in handshake("2025-06-18"):
            self.post(each)
        return self

    def of_this_session(self) -> dict[str, str]:
        return {name: value for name, value in self._headers.items() if name.casefold().startswith("mcp-")}

    def send(self, body: Any) -> None:
        self.connection.request(
            "POST", self._path, body if isinstance(body, bytes) else json.dumps(body), self._headers
        )

    def post(self, body: Any) -> tuple[int, str]:
        self.send(body)
        response = self.connection.getresponse()
        if session := response.getheader("Mcp-Session-Id"):
            self._headers |= {"Mcp-Session-Id": session, "MCP-Protocol-Version": "2025-06-18"}
        return response.status, response.read().decode()


Open = Callable[..., Session]


@pytest.fixture(name="open_session")
def closed_at_the_end() -> Iterator[Open]:
    opened: list[Session] = []

    def open_session(url: str, **headers: str) -> Session:
        opened.append(Session(url, **headers))
        return opened[-1]

    yield open_session
    for session in opened:
        session.connection.close()


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_sdks_client_lists_and_calls_the_tools(mode: Any):
    async def scenario(url: str) -> Any:
        async with Client(url, mode=mode) as client:
            assert len((await client.list_tools()).tools) == 3
            return await client.call_tool("evaluate_response", GOOD)

    with http_server() as url:
        result = asyncio.run(scenario(url))

    assert result.structured_content["verdict"] == "pass"


def test_only_who_shows_a_key_is_let_in(open_session: Open):
    async def with_key(url: str) -> int:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {OTHER_KEY}"}) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            return len((await client.list_tools()).tools)

    with http_server(keys=(KEY, OTHER_KEY)) as url:
        refusals = [
            open_session(url, **headers).post(handshake()[0])
            for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {KEY}"})
        ]
        assert asyncio.run(with_key(url)) == 3

    assert {status for status, _ in refusals} == {401}
    assert all("API key" in json.loads(body)["error"] for _, body in refusals)


def test_a_web_page_under_another_name_is_refused_unless_the_name_was_allowed(open_session: Open):
    with http_server(allowed_hosts=("mcp.internal",)) as url:
        foreign_host = open_session(url, Host="evil.example").post(handshake()[0])
        foreign_page = open_session(url, Origin="http://evil.example").post(handshake()[0])
        allowed = open_session(url, Host="mcp.internal:8080", Origin="https://mcp.internal").post(handshake()[0])

    assert (foreign_host[0], foreign_page[0], allowed[0]) == (421, 403, 200)


def test_a_body_that_is_too_large_is_refused_and_one_a_little_too_large_by_the_tool(open_session: Open):
    with http_server() as url:
        session = open_session(url).start()
        by_the_tool = session.post(tool_call(2, answer="x" * MAX_EVENT_BYTES))
        by_the_server = open_session(url).post(b"x" * (2 * MAX_EVENT_BYTES + 100_000))

    assert by_the_tool[0] == 200
    assert "more than MAX_EVENT_BYTES (10000)" in by_the_tool[1]
    assert by_the_server[0] == 413


def test_a_client_that_hangs_up_cancels_its_judges(open_session: Open):
    model = SwitchableModel(latency=60)
    with http_server(model) as url:
        session = open_session(url).start()
        session.send(tool_call(2))
        eventually_sync(lambda: model.in_flight == 4)

        session.connection.close()

        eventually_sync(lambda: model.in_flight == 0)


def test_a_cancelled_call_cancels_its_judges(open_session: Open):
    model = SwitchableModel(latency=60)
    with http_server(model) as url:
        session = open_session(url).start()
        session.send(tool_call(2))
        eventually_sync(lambda: model.in_flight == 4)
        other = open_session(url, **session.of_this_session())

        status, _ = other.post(message("notifications/cancelled", {"requestId": 2}))

        assert status == 202
        eventually_sync(lambda: model.in_flight == 0)


def test_on_sigterm_the_call_under_way_is_answered_and_no_more_are_taken(bedrock: FakeBedrock, open_session: Open):
    environment = {**os.environ, **bedrock.environment(), **AWS_KEYS, "LOG_FORMAT": "json"}
    server = Worker(environment, *COMMAND[1:], "--http", "--port", "0")
    try:
        server.wait_until_ready()
        ready = server.logged("ready")
        assert ready is not None
        open_session(ready["url"]).start()
        session = open_session(ready["url"]).start()
        bedrock.latency(1)
        session.send(tool_call(2))
        bedrock.wait_until(lambda seen: seen.in_flight == 4, timeout=SECONDS)

        server.signal(signal.SIGTERM)

        assert '"llm_calls":4' in session.connection.getresponse().read().decode().replace("\\", "")
        assert server.wait(SECONDS) == 0
    finally:
        server.end()


def test_a_port_that_is_taken_is_named():
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [*COMMAND, "--http", "--port", port, "--judge-model", "offline"],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )

    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"--host, --port: 127.0.0.1:{port} can't be had" in done.stderr
