"""What lies on the server at one moment: the entries, who has what, what has come of it."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from redis.exceptions import ResponseError
from tests.events import DEAD_LETTERS, EVENTS, GROUP, RESULTS


@dataclass(frozen=True, slots=True)
class Pending:
    consumer: str
    deliveries: int
    idle_ms: int


@dataclass(frozen=True, slots=True)
class StreamsSeen:
    """`undelivered` is what the group has not read yet: everything, where there is no group."""

    on_stream: frozenset[str]
    undelivered: frozenset[str]
    pending: dict[str, Pending]
    outcomes: Counter[str]
    groups: frozenset[str]

    def pending_under(self, consumer: str) -> set[str]:
        return {entry_id for entry_id, pending in self.pending.items() if pending.consumer == consumer}

    @property
    def alone(self) -> bool:
        return self.groups == frozenset({GROUP})


def look(client: Any) -> StreamsSeen:
    """Several commands, since nothing else runs meanwhile."""
    on_stream = [entry_id.decode() for entry_id, _ in client.xrange(EVENTS)]
    last_delivered = _last_delivered(client)
    pending = client.xpending_range(EVENTS, GROUP, "-", "+", 10_000) if GROUP in last_delivered else []
    outcomes = [fields for key in (RESULTS, DEAD_LETTERS) for _, fields in client.xrange(key)]
    return StreamsSeen(
        on_stream=frozenset(on_stream),
        undelivered=frozenset(each for each in on_stream if _key(each) > last_delivered.get(GROUP, (0, 0))),
        pending={each["message_id"].decode(): _pending(each) for each in pending},
        outcomes=Counter(fields[b"source_id"].decode() for fields in outcomes),
        groups=frozenset(last_delivered),
    )


def _pending(row: dict[str, Any]) -> Pending:
    return Pending(row["consumer"].decode(), row["times_delivered"], row["time_since_delivered"])


def _last_delivered(client: Any) -> dict[str, tuple[int, ...]]:
    try:
        groups = client.xinfo_groups(EVENTS)
    except ResponseError:  # there is no stream
        return {}
    return {group["name"].decode(): _key(group["last-delivered-id"].decode()) for group in groups}


def _key(entry_id: str) -> tuple[int, ...]:
    return tuple(map(int, entry_id.split("-")))
