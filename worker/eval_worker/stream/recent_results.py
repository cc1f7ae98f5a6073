"""The newest results of the stream, kept in memory as facts and caught up with, whoever looks at them."""

from collections import deque
from typing import TYPE_CHECKING, Any

from eval_worker.dashboard.facts import ResultFacts, facts_of
from eval_worker.stream.result_stream import StoredResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from redis.asyncio import Redis

MOST = 20_000
MOST_BYTES = 256 * 1024 * 1024  # read when looking back; results may hold whole interactions
PAGES_A_CALL = 40
_PAGE, _PAGE_OF_LARGE = 256, 8
_LARGE = 32 * 1024


class RecentResults:
    """`facts` are oldest first; `changes` grows with each change of them.

    `entries` is how many results the stream holds. `reaches_back` says that all of them, or as many as are kept, have
    been looked at; until then each call of `catch_up` goes on where the last one was stopped.
    """

    def __init__(self, client: "Redis", key: str, *, most: int = MOST, prefix: str = "") -> None:
        self._client: Any = client  # the library's reply types are wider than what these commands reply
        self._key = key
        self._prefix = prefix
        self._most = most
        self.changes = 0
        self.forget()

    def forget(self) -> None:
        """Begin anew with the next call."""
        self.facts: deque[ResultFacts] = deque(maxlen=self._most)
        self.entries = 0
        self.reaches_back = False
        self.changes += 1
        self._newest: str | None = None
        self._oldest: str | None = None
        self._bytes = 0
        self._page = _PAGE

    async def catch_up(self) -> None:
        """Read what is new, then go on looking back, if that is not done yet.

        Raises:
            RedisError, OSError: Redis did not answer or refused; what was read before stays.
        """
        self.entries = await self._client.xlen(self._key)
        if self.facts and not self.entries:  # the stream was deleted
            self.forget()
        if self._newest is not None:
            await self._read_new()
        while not self.reaches_back:
            await self._look_back()

    async def _read_new(self) -> None:
        for _ in range(PAGES_A_CALL):
            wanted = self._page
            page = await self._client.xrange(self._key, min=f"({self._newest}", count=wanted)
            self.facts.extend(self._taken(page))
            if page:
                self._newest = page[-1][0].decode()
            if len(page) < wanted:
                return

    async def _look_back(self) -> None:
        """Read one page towards the beginning."""
        wanted = max(min(self._page, self._most - len(self.facts)), 1)
        end = "+" if self._oldest is None else f"({self._oldest}"
        page = await self._client.xrevrange(self._key, max=end, count=wanted)
        for facts in self._taken(page):
            if len(self.facts) < self._most:
                self.facts.appendleft(facts)
        if self._newest is None:
            self._newest = page[0][0].decode() if page else "0-0"
        if page:
            self._oldest = page[-1][0].decode()
        full = len(self.facts) >= self._most or self._bytes > MOST_BYTES
        self.reaches_back = full or len(page) < wanted

    def _taken(self, page: "Sequence[tuple[bytes, dict[bytes, bytes]]]") -> list[ResultFacts]:
        """Count a page and choose the size of the next: of large entries fewer are held at once."""
        stored = [StoredResult.from_entry(entry_id, fields, self._prefix) for entry_id, fields in page]
        size = sum(len(each.payload) for each in stored)
        self._bytes += size
        if stored:
            self.changes += 1
            self._page = _PAGE_OF_LARGE if size / len(stored) > _LARGE else _PAGE
        return [facts_of(each.id, each.result) for each in stored if each.result is not None]
