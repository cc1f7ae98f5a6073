"""The streams as somebody who looks on sees them: the newest results and the backlog, caught up with in turn."""

from typing import TYPE_CHECKING

from eval_worker.redis_connection import REDIS_ERRORS, explain
from eval_worker.stream.backlog_sum import read_whole_backlog
from eval_worker.stream.partitioned_recent_results import recent_results_of

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from eval_worker.settings import Settings
    from eval_worker.stream.backlog import Backlog


class ObservedStreams:
    """`problem` says why Redis can't be used; then `results` and `backlog` are from before. Nothing is written."""

    def __init__(self, client: "Redis", settings: "Settings") -> None:
        self._client = client
        self._settings = settings
        self.results = recent_results_of(client, settings)
        self.backlog: Backlog | None = None
        self.problem: str | None = None

    async def read(self) -> None:
        """Catch up. While it goes on, what was read so far can be seen already."""
        try:
            self.backlog = await read_whole_backlog(self._client, self._settings)
            await self.results.catch_up()
        except REDIS_ERRORS as error:
            self.problem = str(explain(error, self._settings))
        else:
            self.problem = None

    def forget(self) -> None:
        self.results.forget()
        self.backlog = None
