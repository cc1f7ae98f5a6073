"""The results of all partitions, read as one stream."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import TYPE_CHECKING

from eval_worker.partitions import partitions_of
from eval_worker.stream.cancellation import cancel_and_wait
from eval_worker.stream.merging import merged, newest, oldest
from eval_worker.stream.result_stream import BEGINNING, END, ENDING, Outages, ResultStream, StoredResult

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from eval_worker.settings import Settings


def results_of(client: "Redis", settings: "Settings") -> "AnyResults":
    """Read where the workers of these settings write."""
    streams = [ResultStream(client, each.results, each.prefix) for each in partitions_of(settings)]
    return streams[0] if len(streams) == 1 else PartitionedResults(streams)


class PartitionedResults:
    """Offers what a `ResultStream` does, by the time of the entries.

    A place in it, as `last_id` returns and `after` and `until` take it, is a place in each, with commas between them.
    """

    def __init__(self, streams: Sequence[ResultStream]) -> None:
        self._streams = streams

    def since(self, start: str = BEGINNING, until: str = END) -> AsyncGenerator[StoredResult]:
        parts = zip(self._streams, self._places(until), strict=True)
        return merged([stream.since(start, until=end) for stream, end in parts], oldest)

    def newest(self, start: str = BEGINNING, until: str = END) -> AsyncGenerator[StoredResult]:
        parts = zip(self._streams, self._places(until), strict=True)
        return merged([stream.newest(start, until=end) for stream, end in parts], newest)

    async def after(self, last_id: str, *, block_ms: int, outages: Outages = ENDING) -> AsyncGenerator[StoredResult]:
        """Yield as they come, until cancelled; a partition that fails holds up no other."""
        coming: asyncio.Queue[StoredResult] = asyncio.Queue(maxsize=1)

        async def read(stream: ResultStream, place: str) -> None:
            async for stored in stream.after(place, block_ms=block_ms, outages=outages):
                await coming.put(stored)

        parts = zip(self._streams, self._places(last_id), strict=True)
        reading = [asyncio.create_task(read(stream, place)) for stream, place in parts]
        try:
            while True:
                getting = asyncio.create_task(coming.get())
                done, _ = await asyncio.wait([getting, *reading], return_when=asyncio.FIRST_COMPLETED)
                if getting not in done:
                    getting.cancel()
                    for task in done:
                        task.result()
                    return
                yield getting.result()
        finally:
            await cancel_and_wait(reading)

    async def last_id(self) -> str:
        return ",".join([await stream.last_id() for stream in self._streams])

    def _places(self, place: str) -> list[str]:
        return place.split(",") if "," in place else [place] * len(self._streams)


AnyResults = ResultStream | PartitionedResults
