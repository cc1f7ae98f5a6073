"""What is waiting, what is being worked on and by whom: the figures behind `status` and the metrics."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from redis.asyncio import Redis

from eval_worker.stream.lua_script import LuaScript

_SCRIPT = LuaScript("backlog.lua", read_only=True)
_EARLIEST_CLOCK_ID = 10**12
"""Ids below are no times (in September 2001, in ms): a producer numbers its entries itself."""


@dataclass(frozen=True, slots=True)
class Consumer:
    name: str
    pending: int
    idle_seconds: float


@dataclass(frozen=True, slots=True)
class OtherGroup:
    """A group that is not ours; where entries are kept for others, it may hold back the trimming of the stream.

    `idle_seconds` is None where it has no consumer, `oldest_needed_id` where nothing waits for it. The stream keeps
    everything from that id on; `oldest_needed_seconds` is its age.
    """

    name: str
    lag: int | None
    pending: int
    consumers: int
    idle_seconds: float | None
    oldest_needed_id: str | None
    oldest_needed_seconds: float | None

    def is_idle(self, after_seconds: float) -> bool:
        """Whether something waits for it and nobody has read in its name for so long."""
        silent = self.idle_seconds is None or self.idle_seconds > after_seconds
        return silent and self.oldest_needed_id is not None


@dataclass(frozen=True, slots=True)
class Backlog:
    """Figures of one moment. None is unknown, which is not 0.

    `lag` is what our group has not read yet. `oldest_pending_seconds` is how long ago the oldest entry that is read and
    not settled was added to the stream, by its id and the server's clock.
    """

    entries: int
    pending: int
    lag: int | None
    oldest_pending_seconds: float | None
    consumers: tuple[Consumer, ...]
    other_groups: tuple[OtherGroup, ...]
    results: int
    dead_letters: int
    group_exists: bool


async def read_backlog(
    client: Redis, *, events: str, results: str, dead_letters: str, group: str, keep_events: bool
) -> Backlog:
    """Read all figures at once; a stream or group that is not there yet has none."""
    reply = await _SCRIPT(client, [events, results, dead_letters], [group])
    now_ms, entries, result_count, dead_letter_count, groups, consumers, first_pending, others = reply
    by_name = {_text(info["name"]): info for info in map(_pairs, groups)}
    ours = by_name.pop(group, None)
    pending = 0 if ours is None else int(ours["pending"])
    return Backlog(
        entries=entries,
        pending=pending,
        lag=_lag(entries, ours, alone=not by_name, keep_events=keep_events),
        oldest_pending_seconds=_age(now_ms, first_pending[0][0]) if first_pending else None,
        consumers=tuple(_consumer(info) for info in map(_pairs, consumers)),
        other_groups=tuple(
            _other_group(by_name[_text(name)], entries, now_ms, silence_and_needs)
            for name, *silence_and_needs in sorted(others)
        ),
        results=result_count,
        dead_letters=dead_letter_count,
        group_exists=ours is not None,
    )


def _lag(entries: int, ours: dict[str, Any] | None, *, alone: bool, keep_events: bool) -> int | None:
    """What is not pending and not settled is unread. Redis knows, unless deletions made it lose count.

    Settling deletes entries where we are alone, and then what is there is either pending or unread.
    """
    if ours is None:
        return entries
    not_pending = max(entries - int(ours["pending"]), 0)
    by_redis = ours.get("lag")
    if by_redis is not None:
        return min(int(by_redis), not_pending)
    return not_pending if alone and not keep_events else None


def _other_group(info: dict[str, Any], entries: int, now_ms: int, silence_and_needs: Sequence[Any]) -> OtherGroup:
    idle_ms, pending_id, unread_id = silence_and_needs
    by_redis = info.get("lag")  # counts what was trimmed as well
    needed = min((entry_id for entry_id in (pending_id, unread_id) if entry_id), key=_order, default=None)
    return OtherGroup(
        name=_text(info["name"]),
        lag=0 if unread_id is None else None if by_redis is None else min(int(by_redis), entries),
        pending=int(info["pending"]),
        consumers=int(info["consumers"]),
        idle_seconds=None if idle_ms < 0 else idle_ms / 1000,
        oldest_needed_id=None if needed is None else _text(needed),
        oldest_needed_seconds=None if needed is None else _age(now_ms, needed),
    )


def _order(entry_id: bytes) -> tuple[int, int]:
    milliseconds, _, sequence = entry_id.partition(b"-")
    return int(milliseconds), int(sequence)


def _age(now_ms: int, entry_id: bytes) -> float | None:
    added_ms, _ = _order(entry_id)
    return (now_ms - added_ms) / 1000 if _EARLIEST_CLOCK_ID < added_ms <= now_ms else None


def _consumer(info: dict[str, Any]) -> Consumer:
    return Consumer(_text(info["name"]), int(info["pending"]), int(info["idle"]) / 1000)


def _pairs(flat: Sequence[Any]) -> dict[str, Any]:
    return {_text(name): value for name, value in zip(flat[::2], flat[1::2], strict=True)}


def _text(raw: bytes) -> str:
    return raw.decode(errors="replace")
