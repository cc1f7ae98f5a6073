"""Several streams read as one, by the time of their entries."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack, aclosing
from typing import Protocol, TypeVar


class Timed(Protocol):
    """An entry whose `id` is `3/1700000000000-0`, or without partitions `1700000000000-0`."""

    @property
    def id(self) -> str: ...


T = TypeVar("T", bound=Timed)


async def merged(streams: Sequence[AsyncGenerator[T]], first: Callable[[Sequence[T]], T]) -> AsyncGenerator[T]:
    """Yield of all that come next in a stream the one that `first` takes, until there are no more."""
    async with AsyncExitStack() as stack:
        heads: dict[int, T] = {}
        for number, stream in enumerate(streams):
            await stack.enter_async_context(aclosing(stream))
            await _advance(stream, number, heads)
        while heads:
            chosen = first(list(heads.values()))
            number = next(number for number, head in heads.items() if head is chosen)
            await _advance(streams[number], number, heads)
            yield chosen


def oldest(entries: Sequence[T]) -> T:
    return min(entries, key=_when)


def newest(entries: Sequence[T]) -> T:
    return max(entries, key=_when)


async def _advance(stream: AsyncGenerator[T], number: int, heads: dict[int, T]) -> None:
    heads.pop(number, None)
    async for entry in stream:
        heads[number] = entry
        return


def _when(entry: Timed) -> tuple[int, int, str]:
    partition, _, entry_id = entry.id.rpartition("/")
    milliseconds, _, sequence = entry_id.partition("-")
    return int(milliseconds), int(sequence), partition
