"""The result stream, as its readers see it."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, Self

from pydantic import ValidationError

from eval_worker.redis_connection import REDIS_ERRORS
from eval_worker.result import Result

if TYPE_CHECKING:
    from redis.asyncio import Redis

PAGE = 128
BEGINNING, END = "-", "+"


class Outages(Protocol):
    """What a reader does about a Redis that fails."""

    async def wait(self, key: str, error: Exception) -> None:
        """Wait a moment before the next try, or raise the error."""
        ...

    def over(self, key: str) -> None:
        """Hear that this key could be read."""
        ...


class EndingOutages:
    async def wait(self, key: str, error: Exception) -> None:  # noqa: ARG002 (the first one ends it)
        raise error

    def over(self, key: str) -> None: ...


ENDING = EndingOutages()


@dataclass(frozen=True)  # no slots: a result is decoded once, when it is asked for
class StoredResult:
    """A result as it lies in Redis: `payload` is its JSON, the texts beside it are what redis-cli users see."""

    id: str
    event_id: str
    verdict: str
    confidence: str
    payload: bytes

    @classmethod
    def from_entry(cls, entry_id: bytes, fields: dict[bytes, bytes], prefix: str = "") -> Self:
        return cls(
            id=prefix + entry_id.decode(),
            event_id=fields.get(b"event_id", b"").decode(errors="replace"),
            verdict=fields.get(b"verdict", b"").decode(errors="replace"),
            confidence=fields.get(b"confidence", b"").decode(errors="replace"),
            payload=fields.get(b"payload", b""),
        )

    @classmethod
    def from_raw(cls, entry_id: bytes, flat_fields: Sequence[bytes], prefix: str = "") -> Self:
        """Read one entry of an XREAD reply, whose fields are `[name, value, name, value, …]`."""
        return cls.from_entry(entry_id, dict(zip(flat_fields[::2], flat_fields[1::2], strict=True)), prefix)

    @cached_property
    def result(self) -> Result | None:
        """The whole result, or None if this is not one that this version can read."""
        try:
            return Result.model_validate_json(self.payload)
        except ValidationError:
            return None


class ResultStream:
    """`prefix` stands before each id that is shown: the number of the partition, or nothing."""

    def __init__(self, client: "Redis", key: str, prefix: str = "") -> None:
        self._client: Any = client  # the library's reply types are wider than what these commands reply
        self._key = key
        self._prefix = prefix

    async def since(self, start: str = BEGINNING, until: str = END) -> AsyncGenerator[StoredResult]:
        """Yield from an id on, oldest first, up to another or until there are no more."""
        while True:
            page = await self._client.xrange(self._key, min=start, max=until, count=PAGE)
            for entry_id, fields in page:
                yield StoredResult.from_entry(entry_id, fields, self._prefix)
            if len(page) < PAGE:
                return
            start = f"({page[-1][0].decode()}"

    async def newest(self, start: str = BEGINNING, until: str = END) -> AsyncGenerator[StoredResult]:
        """Yield back to an id, newest first; `until` is the newest that is wanted."""
        end = until
        while True:
            page = await self._client.xrevrange(self._key, max=end, min=start, count=PAGE)
            for entry_id, fields in page:
                yield StoredResult.from_entry(entry_id, fields, self._prefix)
            if len(page) < PAGE:
                return
            end = f"({page[-1][0].decode()}"

    async def after(self, last_id: str, *, block_ms: int, outages: Outages = ENDING) -> AsyncGenerator[StoredResult]:
        """Yield what comes after an id, until cancelled.

        Where Redis fails meanwhile `outages` waits, upon which the reading goes on where it was, or raises the error.

        The client sends through `asyncio.wait_for`, which before Python 3.12 loses a cancellation that arrives while
        the command goes out (Ctrl+C, for one), so this looks for itself.
        """
        task = asyncio.current_task()
        while task is None or not task.cancelling():
            try:
                reply = await self._client.xread({self._key: last_id}, count=PAGE, block=block_ms)
            except REDIS_ERRORS as error:
                await outages.wait(self._key, error)
                continue
            outages.over(self._key)
            for entry_id, flat_fields in reply[0][1] if reply else ():
                last_id = entry_id.decode()
                yield StoredResult.from_raw(entry_id, flat_fields, self._prefix)
        raise asyncio.CancelledError

    async def last_id(self) -> str:
        newest = await self._client.xrevrange(self._key, count=1)
        return newest[0][0].decode() if newest else "0-0"
