"""Starts the server: settings -> judges -> tools -> a transport."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import structlog
from mcp.server.lowlevel import Server

from eval_worker import __version__
from eval_worker.doors.mcp_server.evaluator_on_demand import EvaluatorOnDemand
from eval_worker.doors.mcp_server.http import serve_http
from eval_worker.doors.mcp_server.listener import Listener
from eval_worker.doors.mcp_server.server import build_server
from eval_worker.doors.mcp_server.stdio import serve_stdio
from eval_worker.doors.mcp_server.tool_calls import ToolCalls
from eval_worker.doors.mcp_server.tools import tool_definitions
from eval_worker.evaluation.judges.definition import JudgeSet
from eval_worker.evaluator import Evaluator
from eval_worker.settings import Settings
from eval_worker.telemetry.circuit import log_circuit
from eval_worker.telemetry.logs import configure_logs
from eval_worker.wiring.asking import memory_cache
from eval_worker.wiring.judge_model import build_judge_model
from eval_worker.wiring.judging import build_evaluator, read_judges

log = structlog.get_logger()


def run_over_stdio(settings: Settings) -> None:
    """Serve the client at the other end of stdin and stdout until it has gone.

    Raises:
        SettingsError: a setting is wrong. Missing credentials are none: calls are answered with what is missing.
    """
    configure_logs(settings.log_format, settings.log_level, settings.secrets)
    asyncio.run(_over_stdio(settings, read_judges(settings)))


def run_over_http(settings: Settings, listener: Listener) -> None:
    """Serve clients over streamable HTTP until SIGTERM or SIGINT, then finish what is under way.

    Raises:
        SettingsError: a setting is wrong, or the port is taken.
    """
    configure_logs(settings.log_format, settings.log_level, settings.secrets)
    asyncio.run(_over_http(settings, read_judges(settings), listener))


async def _over_stdio(settings: Settings, judges: JudgeSet) -> None:
    async with _serving(settings, judges) as (server, _calls):
        log.info("ready", version=__version__, transport="stdio", model=settings.judge_model)
        await serve_stdio(server, drain_seconds=settings.drain_seconds)


async def _over_http(settings: Settings, judges: JudgeSet, listener: Listener) -> None:
    with listener.listen() as (socket, url):
        async with _serving(settings, judges) as (server, calls):
            log.info("ready", version=__version__, transport="http", url=url, model=settings.judge_model)
            await serve_http(server, calls, settings, listener, socket)


@asynccontextmanager
async def _serving(settings: Settings, judges: JudgeSet) -> AsyncGenerator[tuple[Server[Any], ToolCalls]]:
    evaluator = EvaluatorOnDemand(partial(_build_evaluator, settings, judges))
    calls = ToolCalls(evaluator, judges.names, max_bytes=settings.max_event_bytes, concurrency=settings.concurrency)
    tools = tool_definitions(judges.names, calls_a_provider=settings.judge_model != "offline")
    warming_up = asyncio.create_task(evaluator.warm_up())
    try:
        yield build_server(tools, calls), calls
    finally:
        warming_up.cancel()


def _build_evaluator(settings: Settings, judges: JudgeSet) -> Evaluator:
    model = build_judge_model(settings, judges)
    return build_evaluator(settings, judges, model, on_circuit=log_circuit, cache=memory_cache(settings))
