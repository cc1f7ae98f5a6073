"""A worker in this process, around a model of the test's own."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from prometheus_client import generate_latest
from tests.planted_secrets import overheard

from eval_worker.evaluation.judges.model import JudgeModel
from eval_worker.settings import Settings
from eval_worker.telemetry.tracing.tracing import Tracing
from eval_worker.wiring.judging import read_judges
from eval_worker.wiring.worker import RunningParts, build_worker


@asynccontextmanager
async def working(
    settings: Settings,
    model: JudgeModel,
    *,
    clock: Callable[[], float] = time.monotonic,
    tracing: Tracing | None = None,
) -> AsyncGenerator[RunningParts]:
    """Run a worker until the block ends, then drain it."""
    parts = build_worker(settings, read_judges(settings), model, clock=clock, tracing=tracing)
    try:
        await parts.ensure_groups()
        running = asyncio.create_task(parts.worker.run())
        try:
            yield parts
        finally:
            overheard.note("the metrics", generate_latest(parts.metrics.registry))
            overheard.note("readiness", parts.health.not_ready())
            parts.worker.stop()
            await running
    finally:
        await parts.close()


def with_settings(settings: Settings, **changes: object) -> Settings:
    return settings.model_copy(update=changes)
