"""Waits for the verdicts of events that were just sent."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from eval_worker.partitions import partitions_of
from eval_worker.stream.dead_letters import StoredDeadLetter
from eval_worker.stream.result_stream import StoredResult

if TYPE_CHECKING:
    import redis

    from eval_worker.settings import Settings

BLOCK_SECONDS = 1
POLL_SECONDS = 0.02
PAGE = 256

Outcome = StoredResult | StoredDeadLetter


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of the entry that was added as `source_id`."""

    source_id: str
    outcome: Outcome


class VerdictWaiter:
    """Reads the result and the dead-letter stream from where they were when it was made: make it before sending."""

    def __init__(
        self, client: "redis.Redis", settings: "Settings", clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._client: Any = client
        partitions = partitions_of(settings)
        self._dead_letters = {each.dead_letters.encode(): each.prefix for each in partitions}
        self._positions = [
            {key: self._last_id(key) for key in (each.results.encode(), each.dead_letters.encode())}
            for each in partitions
        ]
        self._clock = clock
        self.waiting_for: set[str] = set()

    def poll(self) -> Iterator[Verdict]:
        """Yield what is there already, without waiting."""
        yield from self._read(block_ms=None)

    def wait(self, seconds: float) -> Iterator[Verdict]:
        """Yield verdicts as they come, until all are there or none has come for so long."""
        deadline = self._clock() + seconds
        while self.waiting_for and (left := deadline - self._clock()) > 0:
            for verdict in self._read(block_ms=max(int(min(left, BLOCK_SECONDS) * 1000), 1)):
                deadline = self._clock() + seconds
                yield verdict

    def _read(self, *, block_ms: int | None) -> Iterator[Verdict]:
        """Wait in the one stream that there is, or look at each partition in turn: a cluster waits in no two slots."""
        if len(self._positions) == 1:
            yield from self._read_one(self._positions[0], block_ms)
            return
        came = False
        for positions in self._positions:
            for verdict in self._read_one(positions, None):
                came = True
                yield verdict
        if block_ms is not None and not came:
            time.sleep(min(block_ms / 1000, POLL_SECONDS))

    def _read_one(self, positions: dict[bytes, bytes], block_ms: int | None) -> Iterator[Verdict]:
        reply = self._client.xread(positions, count=PAGE, block=block_ms)
        for key, entries in reply:
            for entry_id, fields in entries:
                positions[key] = entry_id
                verdict = self._ours(key, entry_id, _as_dict(fields))
                if verdict is not None:
                    yield verdict

    def _ours(self, key: bytes, entry_id: bytes, fields: dict[bytes, bytes]) -> Verdict | None:
        if key in self._dead_letters:
            letter = StoredDeadLetter.from_entry(entry_id, fields, self._dead_letters[key])
            source_id, outcome = letter.source_id, letter
        else:
            stored = StoredResult.from_entry(entry_id, fields)
            source_id, outcome = stored.result.source_id if stored.result else "", stored
        if source_id not in self.waiting_for:
            return None
        self.waiting_for.discard(source_id)  # a group that was lost may judge an entry again; the first verdict counts
        return Verdict(source_id, outcome)

    def _last_id(self, key: bytes) -> bytes:
        newest = self._client.xrevrange(key, count=1)
        return newest[0][0] if newest else b"0-0"


def _as_dict(fields: "dict[bytes, bytes] | list[bytes]") -> dict[bytes, bytes]:
    """A cluster's blocking client makes dicts of the fields by itself."""
    return fields if isinstance(fields, dict) else dict(zip(fields[::2], fields[1::2], strict=True))
