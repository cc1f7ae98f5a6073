"""The evaluator, put together beside the serving: a cloud library loads slowly, and credentials may come later."""

import asyncio
from collections.abc import Callable

import structlog

from eval_worker.errors import SettingsError
from eval_worker.evaluator import Evaluator
from eval_worker.models.daemon_thread_pool import DaemonThreadPool

log = structlog.get_logger()


class EvaluatorOnDemand:
    """Builds it once. What stands in the way of that is told to every caller, and looked at anew each time."""

    def __init__(self, build: Callable[[], Evaluator]) -> None:
        self._build = build
        self._threads = DaemonThreadPool(1, "judge-model")  # nobody waits for one at the exit
        self._building: asyncio.Future[Evaluator] | None = None

    async def get(self) -> Evaluator:
        """Return the evaluator; whoever asks while it is being built waits for the same one.

        Raises:
            SettingsError: it can't be built, for want of credentials above all.
        """
        if self._building is None or _has_failed(self._building):
            self._building = self._threads.run(self._build)
        return await asyncio.shield(self._building)

    async def warm_up(self) -> None:
        """Build it before it is needed. A failure is news for whoever reads the log, and the next call tries again."""
        try:
            await self.get()
        except SettingsError as error:
            log.warning("no judge model yet; calls are answered with the reason", reason=str(error))


def _has_failed(building: "asyncio.Future[Evaluator]") -> bool:
    return building.done() and (building.cancelled() or building.exception() is not None)
