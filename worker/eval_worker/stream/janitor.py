"""The janitor: trims what no group needs any more and removes consumers that are gone."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import structlog
from redis.asyncio import Redis

from eval_worker.stream.lua_script import LuaScript
from eval_worker.stream.names import StreamNames

log = structlog.get_logger()

INTERVAL_SECONDS = 10.0  # what comes in between is how far a stream with several groups grows beyond its need
CONSUMER_GONE_AFTER_SECONDS = 3_600.0
TRIM_STEP = 5_000  # entries a call: a million at once would hold up the server for a quarter of a second

_OVERRULED = "overruled"
_NEWS = {
    "holds": "a group is idle: what it has not read is kept for IDLE_GROUP_HOURS, then trimmed",
    _OVERRULED: "an idle group is overruled: entries that it has not read are being trimmed",
    "ageless": "an idle group keeps the stream from being trimmed, as the ids of its entries are no times",
}


class Janitor:
    """`retention` is how long entries are kept at least where KEEP_EVENTS is on, None where it is off.

    `idle_after` is how long a group other than ours may be silent before it holds back nothing older than that.
    """

    def __init__(
        self, client: Redis, names: StreamNames, *, retention: timedelta | None, idle_after: timedelta
    ) -> None:
        self._client = client
        self._names = names
        self._retention = "" if retention is None else _milliseconds(retention)
        self._idle_after = _milliseconds(idle_after)
        self._idle_groups: dict[str, str] = {}
        self._trim = LuaScript("trim.lua")
        self._delete_consumers = LuaScript("delete_consumers.lua")

    async def clean(self) -> None:
        trimmed = await self.trim()
        deleted = await self.delete_gone_consumers()
        if trimmed or deleted:
            log.debug("cleaned up", trimmed_entries=trimmed, deleted_consumers=deleted)

    async def trim(self) -> int:
        """Trim the event stream to what some group still needs, step by step; returns how many entries are gone."""
        arguments = [self._names.group, self._retention, self._idle_after, TRIM_STEP]
        total, more = 0, True
        while more:
            trimmed, more, idle = await self._trim(self._client, [self._names.events], arguments)
            total += int(trimmed)
            self._report({_text(name): _text(state) for name, state in idle})
        return total

    async def delete_gone_consumers(self) -> int:
        return await self._delete(CONSUMER_GONE_AFTER_SECONDS, leaving=False)

    async def leave(self) -> None:
        """Delete our own consumer, unless something is pending under its name."""
        await self._delete(CONSUMER_GONE_AFTER_SECONDS, leaving=True)

    def _report(self, found: Mapping[str, str]) -> None:
        """Say what has changed. Overruled is a group until it reads again, even while nothing more of it is trimmed."""
        known = self._idle_groups
        states = {name: _OVERRULED if known.get(name) == _OVERRULED else state for name, state in found.items()}
        for name, state in states.items():
            if known.get(name) != state:
                log.warning(_NEWS[state], group=name, stream=self._names.events)
        for name in known.keys() - states.keys():
            log.info("a group is idle no longer", group=name, stream=self._names.events)
        self._idle_groups = states

    async def _delete(self, idle_seconds: float, *, leaving: bool) -> int:
        arguments = [self._names.group, self._names.consumer, int(idle_seconds * 1000), int(leaving)]
        return int(await self._delete_consumers(self._client, [self._names.events], arguments))


def _milliseconds(time: timedelta) -> int:
    return int(time.total_seconds() * 1000)


def _text(raw: Any) -> str:
    return raw.decode(errors="replace")
