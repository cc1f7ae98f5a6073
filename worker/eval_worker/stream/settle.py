"""Settle: an outcome is written and its entry acknowledged, both or neither, in batches."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from enum import IntEnum

from redis.asyncio import Redis

from eval_worker.redis_connection import REDIS_ERRORS
from eval_worker.stream.entry import Entry
from eval_worker.stream.lua_script import Argument, LuaScript
from eval_worker.stream.names import StreamNames
from eval_worker.stream.redis_patience import RedisPatience
from eval_worker.value_object import value_object

MOST_IN_A_BATCH = 128
WORTH_A_CALL = 64
REFUSED_WAIT_SECONDS = 1.0
MOST_BYTES_IN_A_BATCH = 4 * 1024 * 1024
_SETTLED = b"settled"
_GONE = b"gone"


class Target(IntEnum):
    """Where an outcome goes; the number is the key's place in the script."""

    RESULTS = 2
    DEAD_LETTERS = 3


@value_object
class Judged:
    """What the metrics tell of a result beside its verdict. `confidence` is None where no judge was asked."""

    agent: str | None
    confidence: float | None
    partial: bool


@value_object
class Settlement:
    """One entry's outcome. `label` counts it: a verdict and what was `judged`, or dead_letter with its `error`."""

    entry: Entry
    target: Target
    fields: Sequence[tuple[str, bytes]]
    label: str
    error: str | None = None  # the code of a dead letter
    judged: Judged | None = None

    @property
    def size(self) -> int:
        return sum([len(name) + len(value) for name, value in self.fields])

    def arguments(self) -> list[Argument]:
        flat: list[Argument] = [part for pair in self.fields for part in pair]
        return [self.entry.id, int(self.target), len(flat), *flat]


class Settler:
    """Repeats until Redis has taken each outcome: judged work is never thrown away.

    What Redis refuses (no memory, no rights, a key of another type) is for people to mend; readiness says what it is.

    `on_settled(settlement, first)` is called for each; `first` is False where the entry was no longer pending here:
    another worker finished it, or the group was lost and the entry will be read again.
    """

    def __init__(
        self,
        client: Redis,
        names: StreamNames,
        patience: RedisPatience,
        on_settled: Callable[[Settlement, bool], None],
        *,
        keep_events: bool,
        results_maxlen: int,
    ) -> None:
        self._client = client
        self._keys = [names.events, names.results, names.dead_letters]
        self._options: list[Argument] = [names.group, int(keep_events), results_maxlen]
        self._patience = patience
        self._on_settled = on_settled
        self._script = LuaScript("settle.lua")
        self._queue: deque[Settlement] = deque()
        self._wanted = asyncio.Event()
        self._empty = asyncio.Event()
        self._empty.set()
        self._batch_limit = MOST_IN_A_BATCH

    @property
    def waiting(self) -> int:
        """How many outcomes are not written yet."""
        return len(self._queue)

    def submit(self, settlement: Settlement) -> None:
        self._queue.append(settlement)
        self._empty.clear()
        self._wanted.set()

    async def flushed(self) -> None:
        """Wait until every outcome submitted so far is written."""
        await self._empty.wait()

    async def run(self) -> None:
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            while self._queue:
                await self._linger()
                await self._settle_batch(self._next_batch())
            self._empty.set()

    async def _linger(self) -> None:
        """Take along what comes with the next turns of the event loop: a call costs as much as a dozen outcomes in it.

        Where nothing more comes that is one turn, so that a lone outcome does not wait.
        """
        before = 0
        while before < len(self._queue) < min(WORTH_A_CALL, self._batch_limit):
            before = len(self._queue)
            await asyncio.sleep(0)

    def _next_batch(self) -> list[Settlement]:
        batch: list[Settlement] = []
        size = 0
        for settlement in self._queue:
            size += settlement.size
            if batch and (size > MOST_BYTES_IN_A_BATCH or len(batch) == self._batch_limit):
                break
            batch.append(settlement)
        return batch

    async def _settle_batch(self, batch: list[Settlement]) -> None:
        arguments = [*_ends_of(batch), *(argument for settlement in batch for argument in settlement.arguments())]
        try:
            replies: list[bytes] = await self._patience.attempt(
                lambda: self._script(self._client, self._keys, [*self._options, *arguments])
            )
        except REDIS_ERRORS as error:
            await self._patience.failed("settle", error)
            await self._after_a_failure(batch)
            return
        refused = self._take_off(batch, replies)
        if refused is None:
            self._batch_limit = MOST_IN_A_BATCH
            self._patience.succeeded("settle")
            return
        await self._patience.refused("settle", refused)
        await asyncio.sleep(REFUSED_WAIT_SECONDS)

    async def _after_a_failure(self, batch: list[Settlement]) -> None:
        """Go on one by one, this batch last: should an outcome itself be the trouble, the others pass it by."""
        self._batch_limit = 1
        self._queue.rotate(-len(batch))
        await asyncio.sleep(REFUSED_WAIT_SECONDS)

    def _take_off(self, batch: list[Settlement], replies: list[bytes]) -> str | None:
        """Take the settled ones off the queue, put the others last; returns why the first of those was refused."""
        problem: str | None = None
        for settlement, reply in zip(batch, replies, strict=True):
            self._queue.popleft()
            if reply in {_SETTLED, _GONE}:
                self._on_settled(settlement, reply == _SETTLED)
            else:
                self._queue.append(settlement)
                problem = problem or reply.decode(errors="replace")
        return problem


def _ends_of(batch: Sequence[Settlement]) -> tuple[str, str]:
    """Return the lowest and the highest id."""
    ids = sorted([settlement.entry.id for settlement in batch], key=_as_numbers)
    return ids[0], ids[-1]


def _as_numbers(entry_id: str) -> tuple[int, int]:
    milliseconds, _, sequence = entry_id.partition("-")
    return int(milliseconds), int(sequence)
