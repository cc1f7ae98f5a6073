"""How many partitions there are, as the workers have written it down for all to see."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import structlog

from eval_worker.errors import RedisUnavailableError, SettingsError
from eval_worker.partitions import partition
from eval_worker.redis_connection import REDIS_ERRORS
from eval_worker.stream.backlog_sum import read_partition_backlog

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from eval_worker.settings import Settings

log = structlog.get_logger()

CHECKED_SECONDS = 10.0


def count_key(stream_name: str) -> str:
    """Where it is written: in the slot of the first partition, which there always is."""
    return f"{partition(stream_name, 0).events}:partitions"


def compare(written: bytes | None, settings: "Settings") -> str | None:
    """Compare a producer's count with what the workers wrote; returns what is to be said of it, if anything.

    Raises:
        SettingsError: events would go where nobody reads.
    """
    ours = settings.stream_partitions
    theirs = _number(written)
    if theirs is None:
        return f"no worker with STREAM_PARTITIONS has been here yet: events wait until one with {ours} or more is"
    if theirs < ours:
        raise SettingsError(
            f"STREAM_PARTITIONS: is {ours}, and the workers have {theirs}: they would not read what goes to "
            f"{partition(settings.redis_stream_name, theirs).events}; give them as many first"
        )
    return None


def _number(written: bytes | None) -> int | None:
    return int(written) if written is not None and written.isdigit() else None


class PartitionCount:
    """Workers write it, and producers keep to it: what goes to a partition beyond it nobody would read.

    So where the count grows, workers come first, and where it shrinks, producers do.
    """

    def __init__(self, client: "Redis", settings: "Settings", clock: Callable[[], float] = time.monotonic) -> None:
        self._client: Any = client
        self._settings = settings
        self._ours = settings.stream_partitions
        self._key = count_key(settings.redis_stream_name)
        self._clock = clock
        self._checked_until = clock()
        self._claimed = False
        self._told: set[str] = set()

    async def claim(self) -> None:
        """Write ours down; where Redis does not answer now, `watch` does it if ours is more.

        Raises:
            SettingsError: ours is less than what was written, and events lie in partitions beyond it.
        """
        try:
            written = await self._read()
            for number in range(self._ours, written or 0):
                await self._expect_drained(number)
            await self._write()
        except REDIS_ERRORS as error:
            log.warning("STREAM_PARTITIONS can't be compared with that of others", problem=type(error).__name__)

    async def watch(self) -> None:
        """Say what comes to lie where no worker of this count reads; write ours where it was lost, or not written yet.

        It is for people alone: where Redis does not answer, or refuses, others say so.
        """
        with suppress(*REDIS_ERRORS):
            await self._watch()

    async def expect_readers(self) -> None:
        """Make sure that workers read what a producer is about to send; now and then, as they may change.

        Raises:
            RedisUnavailableError: they have fewer partitions.
        """
        if self._clock() < self._checked_until:
            return
        try:
            warning = compare(await self._client.get(self._key), self._settings)
        except SettingsError as error:
            raise RedisUnavailableError(str(error)) from error
        except REDIS_ERRORS as error:
            warning = f"STREAM_PARTITIONS can't be compared with the workers' ({type(error).__name__})"
        if warning is not None:
            self._tell_once(warning)
        self._checked_until = self._clock() + CHECKED_SECONDS

    async def _watch(self) -> None:
        written = await self._read()
        if written is None or (written < self._ours and not self._claimed):
            await self._write()
        elif written > self._ours:
            self._tell_once(
                "another worker has more partitions: what is sent to those this one does not read", theirs=written
            )
        undivided = self._settings.redis_stream_name
        if await self._client.xlen(undivided):
            self._tell_once(
                "events lie in the stream without partitions, which this worker does not read: has a producer no "
                "STREAM_PARTITIONS, or are they from before?",
                stream=undivided,
            )

    async def _write(self) -> None:
        await self._client.set(self._key, self._ours)
        self._claimed = True

    async def _read(self) -> int | None:
        return _number(await self._client.get(self._key))

    async def _expect_drained(self, number: int) -> None:
        beyond = partition(self._settings.redis_stream_name, number)
        backlog = await read_partition_backlog(self._client, beyond, self._settings)
        unsettled = backlog.entries if backlog.lag is None else backlog.lag + backlog.pending
        if unsettled:
            raise SettingsError(
                f"STREAM_PARTITIONS: is {self._ours}, and {unsettled:,} events still lie in {beyond.events}: let a "
                f"worker with at least {number + 1} finish them first"
            )
        if backlog.dead_letters:
            log.warning("dead letters lie in a partition that is none any more", stream=beyond.dead_letters)

    def _tell_once(self, problem: str, **what: object) -> None:
        if problem not in self._told:
            self._told.add(problem)
            log.error(problem, ours=self._ours, **what)
