"""The newest dead letters in short, read once for all who look, and again only when there are others."""

import asyncio
import time
from collections.abc import Callable
from contextlib import aclosing

from eval_worker.doors.http_api.dashboard.wire import MOST_IDS, LetterReply, LettersReply
from eval_worker.stream.dead_letters import StoredDeadLetter
from eval_worker.stream.partitioned_dead_letters import PartitionedDeadLetters

MOST_BYTES = 16 * 1024 * 1024  # looked through for a list
LOOK_SECONDS = 1.0  # so long what is known is shown: while many come in, each look would read all of them
LONGEST_REASON = 2_000


class LetterList:
    def __init__(self, letters: PartitionedDeadLetters, clock: Callable[[], float] = time.monotonic) -> None:
        self._letters = letters
        self._clock = clock
        self._one_reader = asyncio.Lock()
        self._looked: float | None = None
        self._mark: list[tuple[str | None, int]] | None = None
        self._newest: list[LetterReply] = []
        self._total = 0

    def read_again(self) -> None:
        """Look again with the next call, as something was changed."""
        self._looked = None

    async def newest(self, limit: int) -> LettersReply:
        """Give so many, at most MOST_IDS.

        Raises:
            RedisError, OSError: Redis did not answer or refused.
        """
        async with self._one_reader:
            if self._looked is None or self._clock() - self._looked >= LOOK_SECONDS:
                self._looked = self._clock()
                try:
                    await self._look()
                except BaseException:
                    self.read_again()
                    raise
        found = self._newest[:limit]
        return LettersReply(letters=found, total=self._total, complete=self._total == len(found))

    async def _look(self) -> None:
        mark = await self._letters.mark()
        if mark == self._mark:
            return
        self._newest = await self._read()
        self._total = max(sum(count for _, count in mark), len(self._newest))
        self._mark = mark

    async def _read(self) -> list[LetterReply]:
        """Read as many as a list may have. A letter never changes, and finding its event's id takes time."""
        known = {each.id: each for each in self._newest}
        found: list[LetterReply] = []
        taken_bytes = 0
        async with aclosing(self._letters.newest()) as every:
            async for letter in every:
                found.append(known.get(letter.id) or in_short(letter))
                taken_bytes += len(letter.payload) + len(letter.encoded_fields)
                if len(found) == MOST_IDS or taken_bytes > MOST_BYTES:
                    break
        return found


def in_short(letter: StoredDeadLetter) -> LetterReply:
    return LetterReply(
        id=letter.id,
        event_id=_storable(letter.event_id),
        reason=letter.reason[:LONGEST_REASON],
        error=letter.error[:LONGEST_REASON],
        deliveries=letter.deliveries[:100],
        failed_at=letter.failed_at[:100],
        source_id=letter.source_id[:100],
        worker=letter.worker[:LONGEST_REASON],
        size=len(letter.payload),
    )


def _storable(text: str | None) -> str | None:
    """JSON may hold half a character, which no reply can."""
    return None if text is None else text[:LONGEST_REASON].encode(errors="replace").decode()
