"""The evaluator, put together beside the serving: a cloud library loads slowly, and credentials may come later."""

import asyncio
from collections.abc import Callable

import structlog

from eval_worker.errors import SettingsError
from eval_worker.evaluator import Evaluator

log = structlog.get_logger()


class EvaluatorOnDemand:
    """Builds it once. What stands in the way of that is told to every caller, and looked at anew each time."""

    def __init__(self, build: Callable[[], Evaluator]) -> None:
        self._build = build
        self._building: asyncio.Task[Evaluator] | None = None

    async def get(self) -> Evaluator:
        """Return the evaluator; whoever asks while it is being built waits for the same one.

        Raises:
            SettingsError: it can't be built, for want of credentials above all.
        """
        if self._building is None or _has_failed(self._building):
            self._building = asyncio.create_task(asyncio.to_thread(self._build))
        return await asyncio.shield(self._building)

    async def warm_up(self) -> None:
        """Build it before it is needed. A failure is news for whoever reads the log, and the next call tries again."""
        try:
            await self.get()
        except SettingsError as error:
            log.warning("no judge model yet; calls are answered with the reason", reason=str(error))


def _has_failed(task: "asyncio.Task[Evaluator]") -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)
