"""The server in this process, over a judge model that tests can break."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import uvicorn
from mcp import Client
from mcp.server.lowlevel import Server
from tests.failures.switchable_model import SwitchableModel

from eval_worker.doors.mcp_server.evaluator_on_demand import EvaluatorOnDemand
from eval_worker.doors.mcp_server.http import build_app
from eval_worker.doors.mcp_server.listener import Listener
from eval_worker.doors.mcp_server.server import build_server
from eval_worker.doors.mcp_server.tool_calls import ToolCalls
from eval_worker.doors.mcp_server.tools import tool_definitions
from eval_worker.evaluation.judges.model import JudgeModel
from eval_worker.settings import load_settings
from eval_worker.wiring.judging import build_evaluator, read_judges

MAX_EVENT_BYTES = 10_000


def server_over(model: JudgeModel, *, concurrency: int = 4, judge_seconds: float = 60) -> Server[Any]:
    settings = load_settings(judge_model="offline", judge_timeout_seconds=judge_seconds)
    judges = read_judges(settings)
    evaluator = EvaluatorOnDemand(lambda: build_evaluator(settings, judges, model))
    calls = ToolCalls(evaluator, judges.names, max_bytes=MAX_EVENT_BYTES, concurrency=concurrency)
    return build_server(tool_definitions(judges.names, calls_a_provider=False), calls)


@asynccontextmanager
async def client_of(model: JudgeModel, **how: Any) -> AsyncGenerator[Client]:
    async with Client(server_over(model, **how), mode="legacy") as client:
        yield client


@contextmanager
def http_server(
    model: JudgeModel | None = None, *, keys: tuple[str, ...] = (), allowed_hosts: tuple[str, ...] = ()
) -> Generator[str]:
    """Serve in a thread and yield the URL."""
    listener = Listener("127.0.0.1", 0, allowed_hosts)
    with listener.listen() as (listening, url):
        app = build_app(server_over(model or SwitchableModel()), listener, keys, MAX_EVENT_BYTES)
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, ws="none", timeout_graceful_shutdown=1))
        thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])))
        thread.start()
        try:
            yield url
        finally:
            server.should_exit = True
            thread.join()
