"""The dead-letter stream: looked through page by page, replayed one by one, purged."""

import json
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Any, Self, cast

from redis.asyncio import Redis

from eval_worker.dead_letter import RawFields, decode_fields
from eval_worker.errors import EvalWorkerError
from eval_worker.stream.lua_script import LuaScript

PAGE = 32  # an entry may be a megabyte, twice
PAGE_OF_NEWEST = 8  # whoever looks at those has a bound of bytes
MOST_FIELDS = 3_900  # Lua hands no more than 8,000 values on to a command
_REPLAY = LuaScript("replay.lua")


@dataclass(frozen=True, slots=True)
class StoredDeadLetter:
    """A dead letter as it lies in Redis. What it lacks is empty: anybody may have written to the stream."""

    id: str
    payload: bytes
    encoded_fields: bytes
    reason: str
    error: str
    source_id: str
    deliveries: str
    failed_at: str
    worker: str

    @classmethod
    def from_entry(cls, entry_id: bytes, fields: dict[bytes, bytes], prefix: str = "") -> Self:
        text = {name: fields.get(name.encode(), b"").decode(errors="replace") for name in cls.__slots__}
        return cls(
            id=prefix + entry_id.decode(),
            payload=fields.get(b"payload", b""),
            encoded_fields=fields.get(b"fields", b""),
            reason=text["reason"],
            error=text["error"],
            source_id=text["source_id"],
            deliveries=text["deliveries"],
            failed_at=text["failed_at"],
            worker=text["worker"],
        )

    @property
    def event_id(self) -> str | None:
        """The event's own id, if its payload got as far as having one."""
        try:
            document = json.loads(self.payload)
        except (ValueError, RecursionError):
            return None
        found = cast("dict[str, object]", document).get("event_id") if isinstance(document, dict) else None
        return found if isinstance(found, str) and found else None

    def original_fields(self) -> RawFields:
        """The event entry's fields, byte for byte.

        Raises:
            EvalWorkerError: if this entry was not written by a worker and so holds none.
        """
        unreadable = EvalWorkerError(f"dead letter {self.id} has no readable `fields`: it can't be replayed")
        try:
            fields = decode_fields(self.encoded_fields)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise unreadable from error
        if not fields:  # no entry is without
            raise unreadable
        return fields


class DeadLetters:
    """`prefix` stands before each id that is shown: the number of the partition, or nothing."""

    def __init__(self, client: Redis, *, events: str, dead_letters: str, prefix: str = "") -> None:
        self._client: Any = client  # the library's reply types are wider than what these commands reply
        self._events = events
        self._key = dead_letters
        self._prefix = prefix

    async def count(self) -> int:
        return await self._client.xlen(self._key)

    async def mark(self) -> tuple[str | None, int]:
        """Return what changes with each one that comes or goes: the newest id, and how many there are."""
        return await self._last_id(), await self.count()

    async def all(self) -> AsyncGenerator[StoredDeadLetter]:
        """Yield those that are there now, oldest first; what comes in meanwhile is left for the next time.

        So replaying all of them ends, even if each comes back dead at once.
        """
        last = await self._last_id()
        start = "-"
        while last is not None:
            page = await self._client.xrange(self._key, min=start, max=last, count=PAGE)
            if not page:
                return
            for entry_id, fields in page:
                yield StoredDeadLetter.from_entry(entry_id, fields, self._prefix)
            start = f"({page[-1][0].decode()}"

    async def newest(self) -> AsyncGenerator[StoredDeadLetter]:
        """Yield those that are there, newest first."""
        end = "+"
        while page := await self._client.xrevrange(self._key, max=end, count=PAGE_OF_NEWEST):
            for entry_id, fields in page:
                yield StoredDeadLetter.from_entry(entry_id, fields, self._prefix)
            end = f"({page[-1][0].decode()}"

    async def get(self, letter_id: str) -> StoredDeadLetter | None:
        page = await self._client.xrange(self._key, min=letter_id, max=letter_id, count=1)
        return StoredDeadLetter.from_entry(*page[0], prefix=self._prefix) if page else None

    async def replay(self, letter: StoredDeadLetter) -> str | None:
        """Move the event back, fields as they were, to be evaluated as a new entry.

        Returns the new entry's id, or None if the dead letter was gone already: it is never replayed twice.

        Raises:
            EvalWorkerError: it can't be replayed, since it holds no fields or too many.
        """
        fields = letter.original_fields()
        if len(fields) > MOST_FIELDS:
            raise EvalWorkerError(
                f"dead letter {letter.id} has {len(fields):,} fields, and at most {MOST_FIELDS:,} can be put back: "
                "eval-worker dead-letters show prints its payload, which eval-producer can send"
            )
        flat = [part for pair in fields for part in pair]
        entry_id = letter.id.removeprefix(self._prefix)
        new_id = await _REPLAY(self._client, [self._events, self._key], [entry_id, *flat])
        return None if new_id is None else self._prefix + new_id.decode()

    async def purge(self, ids: Sequence[str]) -> int:
        return await self._client.xdel(self._key, *ids)

    async def purge_all(self) -> int:
        """Delete what is there now. What comes in meanwhile has been seen by nobody and stays."""
        last = await self._last_id()
        if last is None:
            return 0
        milliseconds, _, sequence = last.partition("-")
        return await self._client.xtrim(self._key, minid=f"{milliseconds}-{int(sequence) + 1}", approximate=False)

    async def purge_older_than(self, seconds: float) -> int:
        """Delete what was written longer ago, by the server's clock."""
        return await self._client.xtrim(self._key, minid=await self._id_of(seconds), approximate=False)

    async def count_older_than(self, seconds: float) -> int:
        """Count them by reading them: Redis counts a whole stream only."""
        found, start, end = 0, "-", f"({await self._id_of(seconds)}"
        while page := await self._client.xrange(self._key, min=start, max=end, count=PAGE):
            found += len(page)
            start = f"({page[-1][0].decode()}"
        return found

    async def _id_of(self, seconds: float) -> str:
        now, _ = await self._client.time()
        return f"{int((now - seconds) * 1000)}-0"

    async def _last_id(self) -> str | None:
        newest = await self._client.xrevrange(self._key, count=1)
        return newest[0][0].decode() if newest else None
