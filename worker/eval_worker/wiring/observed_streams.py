"""The streams as somebody who looks on sees them: the newest results and the backlog, caught up with in turn."""

from typing import TYPE_CHECKING

from eval_worker.redis_connection import REDIS_ERRORS, explain
from eval_worker.stream.backlog import Backlog, read_backlog
from eval_worker.stream.recent_results import RecentResults

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from eval_worker.settings import Settings


class ObservedStreams:
    """`problem` says why Redis can't be used; then `results` and `backlog` are from before. Nothing is written."""

    def __init__(self, client: "Redis", settings: "Settings") -> None:
        self._client = client
        self._settings = settings
        self.results = RecentResults(client, settings.redis_result_stream)
        self.backlog: Backlog | None = None
        self.problem: str | None = None

    async def read(self) -> None:
        """Catch up. While it goes on, what was read so far can be seen already."""
        names = self._settings
        try:
            self.backlog = await read_backlog(
                self._client,
                events=names.redis_stream_name,
                results=names.redis_result_stream,
                dead_letters=names.redis_dead_letter_stream,
                group=names.redis_consumer_group,
                keep_events=names.keep_events,
            )
            await self.results.catch_up()
        except REDIS_ERRORS as error:
            self.problem = str(explain(error, self._settings))
        else:
            self.problem = None

    def forget(self) -> None:
        self.results.forget()
        self.backlog = None
