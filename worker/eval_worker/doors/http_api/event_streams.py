"""The two streams that this door reaches: events go in, results are looked up."""

import asyncio
import time
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from redis.exceptions import ResponseError

from eval_worker.errors import EvalWorkerError
from eval_worker.event import PAYLOAD_FIELD
from eval_worker.partitions import Partitioner
from eval_worker.redis_connection import REDIS_ERRORS, address, connect, explain, ping_or_explain
from eval_worker.stream.partition_count import PartitionCount
from eval_worker.stream.partitioned_results import results_of
from eval_worker.stream.result_stream import BEGINNING, StoredResult
from eval_worker.stream.sending import UNTRACED, Sending, SendObserver
from eval_worker.trace_context import TraceContext

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from eval_worker.result import Result
    from eval_worker.settings import Settings

MOST_CALLS = 16  # at once; the others wait, rather than open a connection each
MOST_LOOKED_THROUGH = 10_000
MOST_BYTES = 16 * 1024 * 1024


class MayHaveBeenTakenError(EvalWorkerError):
    """The event was sent, and no reply came: nobody knows whether it is on the stream."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which results: None is any. `start` is a moment, or so many seconds ago."""

    event_id: str | None
    verdict: str | None
    start: datetime | float | None
    limit: int

    def fits(self, stored: StoredResult) -> bool:
        return self.event_id in {None, stored.event_id} and self.verdict in {None, stored.verdict}


@dataclass(frozen=True, slots=True)
class Found:
    results: "list[Result]"
    complete: bool


class EventStreams:
    """`now` is the wall clock, as stream ids are."""

    def __init__(
        self,
        client: "Redis",
        settings: "Settings",
        now: Callable[[], float] = time.time,
        observer: SendObserver = UNTRACED,
    ) -> None:
        self._observer = observer
        self._client: Any = client
        self._settings = settings
        self._results = results_of(client, settings)
        self._partitioner = Partitioner(settings)
        self._count = PartitionCount(client, settings) if settings.stream_partitions > 1 else None
        self._now = now
        self._calls = asyncio.Semaphore(MOST_CALLS)

    @classmethod
    def where_configured(cls, settings: "Settings", observer: SendObserver = UNTRACED) -> "EventStreams | None":
        """Only a Redis that somebody named is used; the default address is a worker's."""
        if not any(settings.was_given(name) for name in ("redis_url", "redis_addr", "redis_sentinel")):
            return None
        return cls(connect(settings), settings, observer=observer)

    async def close(self) -> None:
        await self._client.aclose()

    async def add(self, payload: bytes, context: TraceContext | None = None) -> str:
        """Add one event and return its stream id. A ping goes first, so that most failures are known to be harmless.

        `context` is the trace that its sender named; it goes along with the event.

        Raises:
            RedisUnavailableError: it was not taken.
            MayHaveBeenTakenError: it may have been.
        """
        sending = self._observer.start(context)
        try:
            entry_id = await self._add(payload, sending)
        except BaseException as error:  # the sender may have hung up
            sending.failed(error)
            raise
        sending.sent(entry_id)
        return entry_id

    async def _add(self, payload: bytes, sending: Sending) -> str:
        async with self._calls:
            await ping_or_explain(self._client, self._settings)
            partition = self._partitioner.partition_of(payload)
            if self._count is not None:
                await self._count.expect_readers()
            try:
                command = ("XADD", partition.events, "*", PAYLOAD_FIELD, payload, *sending.fields)
                entry_id = await self._client.execute_command(*command)
            except ResponseError as error:
                raise explain(error, self._settings) from error
            except REDIS_ERRORS as error:
                raise MayHaveBeenTakenError(
                    f"the connection to Redis at {address(self._settings)} broke: the event may or may not have been "
                    "taken; look before sending it again, as an event sent twice is judged twice"
                ) from error
        return partition.prefix + entry_id.decode()

    async def newest_results(self, wanted: Wanted) -> Found:
        """Look back from the newest result, but through no more than a bounded number.

        Raises:
            RedisUnavailableError: Redis can't be used.
        """
        async with self._calls:
            try:
                return await self._look_back(wanted)
            except REDIS_ERRORS as error:
                raise explain(error, self._settings) from error

    async def _look_back(self, wanted: Wanted) -> Found:
        found: list[Result] = []
        looked_through = taken_bytes = 0
        async with aclosing(self._results.newest(self._first_id(wanted.start))) as past:
            async for stored in past:
                if looked_through == MOST_LOOKED_THROUGH or len(found) == wanted.limit or taken_bytes > MOST_BYTES:
                    return Found(found, complete=False)
                looked_through += 1
                result = stored.result if wanted.fits(stored) else None
                if result is not None:
                    found.append(result)
                    taken_bytes += len(stored.payload)
        return Found(found, complete=True)

    def _first_id(self, start: datetime | float | None) -> str:
        if start is None:
            return BEGINNING
        moment = start.timestamp() if isinstance(start, datetime) else self._now() - start
        return f"{max(int(moment * 1000), 0)}-0"
