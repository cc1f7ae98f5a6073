"""The worker: its lanes work until it is told to stop; then they drain."""

import asyncio
import contextvars
from collections.abc import Callable, Sequence

import structlog

from eval_worker.stream.cancellation import cancel_and_wait
from eval_worker.stream.lane import FINISHING_SECONDS, FINISHING_SHARE, LAST_READ_SECONDS, Deadlines, Lane
from eval_worker.telemetry.health import Health

log = structlog.get_logger()

LEAVING_SHARE = 0.2  # of DRAIN_SECONDS is kept for closing connections and the end of the process
LEAVING_SECONDS = 0.5  # but no more than this


class Worker:
    """One process: a lane for each stream that it serves, which is one unless they are partitioned."""

    def __init__(
        self, lanes: Sequence[Lane], *, health: Health, clock: Callable[[], float], drain_seconds: float
    ) -> None:
        """`drain_seconds`: from the stop to the exit."""
        self.lanes = lanes
        self._health = health
        self._clock = clock
        self._drain_seconds = drain_seconds
        self._stopping = asyncio.Event()

    def stop(self) -> None:
        """Begin the drain; `run` returns when it is done. Call it in the event loop's thread."""
        self._health.draining = True  # the first thing that anybody is told
        self._stopping.set()
        for lane in self.lanes:
            lane.stop()

    async def run(self) -> None:
        """Work until stopped, then drain. Raises what a loop of ours raised: a bug."""
        contexts = [_context_of(lane) for lane in self.lanes]
        working = [task for lane, context in zip(self.lanes, contexts, strict=True) for task in lane.start(context)]
        stopping = asyncio.create_task(self._stopping.wait(), name="stopping")
        try:
            await asyncio.wait([stopping, *working], return_when=asyncio.FIRST_COMPLETED)
            broken = [task for task in working if task.done() and not self._stopping.is_set()]
            self.stop()
            await self._drain(contexts)  # after a bug of ours too: what is held is not to blame for it
        finally:
            await cancel_and_wait([stopping, *working])
        for task in broken:
            task.result()

    async def _drain(self, contexts: Sequence[contextvars.Context]) -> None:
        """Drain all lanes side by side, within DRAIN_SECONDS; one whose Redis is away holds up no other."""
        seconds = self._drain_seconds
        log.info("draining", in_flight=sum(lane.held for lane in self.lanes), seconds=seconds)
        deadlines = _deadlines(self._clock(), seconds)
        draining = [
            asyncio.create_task(lane.drain(deadlines), context=context)
            for lane, context in zip(self.lanes, contexts, strict=True)
        ]
        for error in await asyncio.gather(*draining, return_exceptions=True):  # a bug in one cuts off no other
            if error is not None:
                raise error


def _deadlines(now: float, seconds: float) -> Deadlines:
    end = now + seconds - min(seconds * LEAVING_SHARE, LEAVING_SECONDS)
    reserve = min(seconds * FINISHING_SHARE, FINISHING_SECONDS)
    return Deadlines(
        judge=end - reserve,
        write=end - reserve / 2,
        end=end,
        last_read_seconds=min(LAST_READ_SECONDS, seconds * FINISHING_SHARE),
    )


def _context_of(lane: Lane) -> contextvars.Context:
    """What a lane logs, also from the tasks that it starts, names its partition."""
    context = contextvars.copy_context()
    if lane.partition is not None:
        context.run(structlog.contextvars.bind_contextvars, partition=lane.partition)
    return context
