"""A stub of the Lambda Runtime API, and the real runtime client driven by it in a process of its own."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from typing import Any

from tests.planted_secrets import overheard

HANDLER = "eval_worker.doors.aws_lambda.handler"
PREFIX = "/2018-06-01/runtime/"
SECONDS = 60


@dataclass(frozen=True)
class Invoked:
    """What the function made of one event: what it returned, or the error that it failed with."""

    returned: Any = None
    error: Any = None

    @property
    def body(self) -> Any:
        return json.loads(self.returned["body"])


@dataclass(frozen=True)
class _Invocation:
    id: str
    event: bytes
    seconds: float
    outcome: "Future[Invoked]" = field(default_factory=Future)


class RuntimeApi(ThreadingHTTPServer):
    """Hands out invocations one by one, and takes what came of them."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.waiting: Queue[_Invocation] = Queue()
        self.under_way: dict[str, _Invocation] = {}
        self.init_error: Future[Any] = Future()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.server_port}"

    def invoke(self, event: Any, *, seconds: float = SECONDS) -> Invoked:
        """Let the function handle an event that it is given so many seconds for."""
        invocation = _Invocation(f"request-{time.monotonic_ns()}", json.dumps(event).encode(), seconds)
        self.waiting.put(invocation)
        return invocation.outcome.result(timeout=SECONDS)


class _Handler(BaseHTTPRequestHandler):
    server: RuntimeApi  # pyright: ignore[reportIncompatibleVariableOverride]
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        assert self.path == f"{PREFIX}invocation/next"
        invocation = self.server.waiting.get()
        self.server.under_way[invocation.id] = invocation
        self.send_response(200)
        self.send_header("Lambda-Runtime-Aws-Request-Id", invocation.id)
        self.send_header("Lambda-Runtime-Deadline-Ms", str(int((time.time() + invocation.seconds) * 1000)))
        self.send_header(
            "Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:us-east-1:000000000000:function:agentic"
        )
        self.send_header("Content-Type", "application/json")
        self._finish(invocation.event)

    def do_POST(self) -> None:
        said = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        overheard.note("what a Lambda function said", json.dumps(said))
        _, _, path = self.path.partition(PREFIX)
        what, _, rest = path.partition("/")
        if what == "init":
            self.server.init_error.set_result(said)
        else:
            request_id, _, ending = rest.partition("/")
            outcome = Invoked(returned=said) if ending == "response" else Invoked(error=said)
            self.server.under_way.pop(request_id).outcome.set_result(outcome)
        self.send_response(202)
        self._finish(b"{}")

    def _finish(self, body: bytes) -> None:
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (its name there)
        pass


@dataclass(frozen=True)
class Function:
    """The running function."""

    api: RuntimeApi
    output: Path

    def invoke(self, event: Any, *, seconds: float = SECONDS) -> Invoked:
        return self.api.invoke(event, seconds=seconds)

    @property
    def log(self) -> str:
        return self.output.read_text(encoding="utf-8")

    def logged(self, event: str) -> list[dict[str, Any]]:
        documents = (json.loads(line) for line in self.log.splitlines() if line.startswith("{"))
        return [document for document in documents if document["event"] == event]


@contextmanager
def running_function(directory: Path, environment: Mapping[str, str] | None = None) -> Generator[Function]:
    """Run the handler as AWS's own base images do, for as long as the block runs."""
    api = RuntimeApi()
    threading.Thread(target=api.serve_forever, daemon=True).start()
    output = directory / "function.log"
    variables = {**os.environ, "AWS_LAMBDA_RUNTIME_API": api.address, "AWS_LAMBDA_FUNCTION_NAME": "agentic"}
    program = [sys.executable, "-m", "awslambdaric", HANDLER]
    with output.open("wb") as log:
        process = subprocess.Popen(
            program, env={**variables, **(environment or {})}, stdout=log, stderr=subprocess.STDOUT, cwd=directory
        )
    try:
        yield Function(api, output)
    finally:
        process.kill()
        process.wait()
        api.shutdown()
        api.server_close()
        overheard.note("a Lambda function's log", output.read_bytes())
