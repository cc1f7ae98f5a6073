"""The partitions of the event stream: their keys, their names for people, and which of them an event goes to."""

import json
import re
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from eval_worker.errors import EvalWorkerError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eval_worker.settings import Settings

_ENTRY = re.compile(r"(?:(\d{1,4})/)?(\d{1,20}-\d{1,20})")


@dataclass(frozen=True, slots=True)
class Partition:
    """One event stream with its results and dead letters; `number` is None where the stream is not divided."""

    events: str
    results: str
    dead_letters: str
    number: int | None = None

    @property
    def prefix(self) -> str:
        """What stands before the id of an entry wherever it is shown or taken, which makes it unique over all."""
        return "" if self.number is None else f"{self.number}/"


def partitions_of(settings: "Settings") -> tuple[Partition, ...]:
    """Name the keys. Those of a partition share a slot of a Redis Cluster, and no two partitions have to."""
    name, count = settings.redis_stream_name, settings.stream_partitions
    if count == 1:
        return (Partition(name, settings.redis_result_stream, settings.redis_dead_letter_stream),)
    return tuple(partition(name, number) for number in range(count))


def partition(stream_name: str, number: int) -> Partition:
    events = f"{{{stream_name}:{number}}}"
    return Partition(events, f"{events}:results", f"{events}:dead-letters", number)


class UnknownEntryError(EvalWorkerError):
    """An id names a partition that there is not, or none where there are some."""


class Partitioner:
    """Sends events with the same key to the same partition, on every machine and in every version of Python.

    The key is the event's id or its agent's name; what has none is spread by all of its bytes.
    """

    def __init__(self, settings: "Settings") -> None:
        self.partitions = partitions_of(settings)
        self._by_agent = settings.partition_by == "agent"

    def partition_of(self, payload: bytes) -> Partition:
        if len(self.partitions) == 1:
            return self.partitions[0]
        return self.partitions[place(self._key(payload), len(self.partitions))]

    def _key(self, payload: bytes) -> bytes:
        try:
            document: Any = json.loads(payload)
            name = document["agent"].get("name") if self._by_agent and document.get("agent") else None
            return (name or document["event_id"]).encode()
        except (ValueError, RecursionError, TypeError, KeyError, AttributeError):
            return payload


def place(key: bytes, count: int) -> int:
    """Return the number of the key's partition: CRC-32, which every language has, modulo their count."""
    return zlib.crc32(key) % count


def split_id(partitions: "Sequence[Partition]", named: str) -> tuple[Partition, str]:
    """Return where an entry is and its id there, of `3/1700000000000-0`, or without partitions `1700000000000-0`.

    Raises:
        UnknownEntryError: it names no partition that there is.
    """
    match = _ENTRY.fullmatch(named)
    number = None if match is None or match[1] is None else int(match[1])
    found = next((each for each in partitions if each.number == number), None)
    if match is None or found is None:
        there_are = "no partitions here" if len(partitions) == 1 else f"{len(partitions)} (STREAM_PARTITIONS)"
        example = "1700000000000-0" if len(partitions) == 1 else f"{len(partitions) - 1}/1700000000000-0"
        raise UnknownEntryError(f"{named!r} names no entry such as {example}: there are {there_are}")
    return found, match[2]
