"""The API as a server in a thread of this process, and a client that sees what went over the wire."""

import asyncio
import http.client
import json
import socket
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tests.waiting import eventually_sync

from eval_worker.doors.http_api.app import build_api
from eval_worker.doors.http_api.connection import ConnectionBounds
from eval_worker.doors.http_api.dashboard.app import build_dashboard
from eval_worker.doors.http_api.server import ApiServer
from eval_worker.doors.listening import listen
from eval_worker.evaluation.judges.model import JudgeModel
from eval_worker.settings import Settings, load_settings
from eval_worker.wiring.judge_model import build_judge_model
from eval_worker.wiring.judging import read_judges

EVALUATE = "/api/v1/evaluate"
RUN = "/run"
SECONDS = 60


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def document(self) -> Any:
        return json.loads(self.text)

    @property
    def error(self) -> str:
        assert self.headers["content-type"] == "application/json"
        (word,) = self.document
        assert word == "error"
        return self.document["error"]


@dataclass(frozen=True)
class Served:
    port: int
    server: ApiServer

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)

    def open(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=SECONDS)

    def get(self, path: str, **headers: str) -> Reply:
        return self.call("GET", path, None, headers)

    def post(self, path: str, body: Any, **headers: str) -> Reply:
        """Send a document as JSON, bytes and iterables of bytes as they are."""
        return self.call("POST", path, json.dumps(body) if isinstance(body, dict) else body, headers)

    def call(self, method: str, path: str, body: Any, headers: Mapping[str, str]) -> Reply:
        connection = self.connect()
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, named)
            return read_reply(connection.getresponse())
        finally:
            connection.close()

    def metric(self, line_start: str) -> float:
        lines = self.get("/metrics").text.splitlines()
        return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(line_start))


def read_reply(response: http.client.HTTPResponse) -> Reply:
    headers = {name.lower(): value for name, value in response.getheaders()}
    return Reply(response.status, headers, response.read().decode(errors="replace"))


def reply_on(connection: socket.socket) -> Reply:
    """The next answer on a connection that a test speaks on itself."""
    response = http.client.HTTPResponse(connection)
    response.begin()
    return read_reply(response)


def everything(connection: socket.socket) -> str:
    """What the server says until it hangs up."""
    said = bytearray()
    try:
        while part := connection.recv(65_536):
            said += part
    except ConnectionResetError:
        pass
    return said.decode()


@contextmanager
def serving(
    settings: Settings | None = None,
    model: JudgeModel | None = None,
    *,
    bounds: ConnectionBounds | None = None,
    body_seconds: float = SECONDS,
    page_alone: bool = False,
    **flags: Any,
) -> Generator[Served]:
    """Serve on a free port for as long as the block runs."""
    given = (settings or load_settings(judge_model="offline")).model_copy(update={"eval_agent_api_port": 0, **flags})
    judges = read_judges(given)
    judging = model or build_judge_model(given, judges)
    started: list[ApiServer] = []

    async def serve(listening: socket.socket) -> None:
        api = build_dashboard(given) if page_alone else build_api(given, judges, judging, body_seconds=body_seconds)
        server = ApiServer(api, given.drain_seconds, bounds)
        started.append(server)
        await server.serve(sockets=[listening])
        await api.close()

    with listen(given.api_host, given.eval_agent_api_port, settings="API_HOST") as listening:
        port = listening.getsockname()[1]
        thread = threading.Thread(target=lambda: asyncio.run(serve(listening)))
        thread.start()
        eventually_sync(lambda: (started and started[0].started) or not thread.is_alive())
        try:
            yield Served(port, started[0])
        finally:
            started[0].stop()
            thread.join()
            judging.close()
