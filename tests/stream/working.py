"""A worker in this process, around a model of the test's own."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from eval_worker.evaluation.judges.model import JudgeModel
from eval_worker.settings import Settings
from eval_worker.wiring import RunningParts, build_worker, read_judges


@asynccontextmanager
async def working(settings: Settings, model: JudgeModel) -> AsyncGenerator[RunningParts]:
    """Run a worker until the block ends, then drain it."""
    parts = build_worker(settings, read_judges(settings), model)
    try:
        await parts.group.ensure()
        running = asyncio.create_task(parts.worker.run())
        try:
            yield parts
        finally:
            parts.worker.stop()
            await running
    finally:
        await parts.close()


def with_settings(settings: Settings, **changes: object) -> Settings:
    return settings.model_copy(update=changes)
