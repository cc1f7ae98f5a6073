"""The newest results of the stream, kept in memory as facts and caught up with, whoever looks at them."""

from collections import deque
from typing import TYPE_CHECKING, Any

from eval_worker.dashboard.facts import ResultFacts, facts_of
from eval_worker.stream.result_stream import StoredResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from redis.asyncio import Redis

    _Page = Sequence[tuple[bytes, dict[bytes, bytes]]]

MOST = 20_000
MOST_BYTES = 256 * 1024 * 1024  # read when looking back; results may hold whole interactions
PAGES_A_CALL = 160
PAGE_BYTES = 8 * 1024 * 1024
_FIRST_PAGE, _LARGEST_PAGE = 4, 64  # nobody says how large entries are before they are read


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
        self._page = _FIRST_PAGE

    async def catch_up(self) -> None:
        """Read what is new, then go on looking back, if that is not done yet.

        Raises:
            RedisError, OSError: Redis did not answer or refused; what was read before stays.
        """
        self._page = _FIRST_PAGE
        await self._drop_what_is_gone()
        if self._newest is not None:
            await self._read_new()
        while not self.reaches_back:
            await self._look_back()

    async def _drop_what_is_gone(self) -> None:
        """Drop what was trimmed, or all where the stream begins anew: its newest id never goes back otherwise."""
        entries = await self._client.xlen(self._key)
        oldest = await self._client.xrange(self._key, count=1)
        newest = await self._client.xrevrange(self._key, count=1)
        if self._newest is not None and _order(_id_of(newest)) < _order(self._newest):
            self.forget()
        first = _order(_id_of(oldest))
        while self.facts and _order(self.facts[0].id) < first:
            self.facts.popleft()
            self.changes += 1
        self.entries = entries

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
            self._newest = _id_of(page)
        if page:
            self._oldest = page[-1][0].decode()
        full = len(self.facts) >= self._most or self._bytes > MOST_BYTES
        self.reaches_back = full or len(page) < wanted

    def _taken(self, page: "_Page") -> list[ResultFacts]:
        """Count a page, and choose the size of the next by it."""
        if page:
            size = sum(len(value) for _, fields in page for value in fields.values())
            self._bytes += size
            self._page = max(min(2 * self._page, _LARGEST_PAGE, PAGE_BYTES * len(page) // max(size, 1)), 1)
            self.changes += 1
        stored = (StoredResult.from_entry(entry_id, fields, self._prefix) for entry_id, fields in page)
        return [facts_of(each.id, each.result) for each in stored if each.result is not None]


def _id_of(page: "_Page") -> str:
    """Return the id of its first entry; that of an empty stream is the least there is."""
    return page[0][0].decode() if page else "0-0"


def _order(entry_id: str) -> tuple[int, int]:
    """What an id is compared by, without the number of its partition."""
    milliseconds, _, sequence = entry_id.rpartition("/")[2].partition("-")
    return int(milliseconds), int(sequence)
