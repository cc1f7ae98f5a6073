"""The backlog of all partitions together."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from redis.asyncio import Redis

from eval_worker.partitions import Partition, partitions_of
from eval_worker.stream.backlog import Backlog, Consumer, OtherGroup, read_backlog

if TYPE_CHECKING:
    from eval_worker.settings import Settings

T = TypeVar("T", Consumer, OtherGroup)


async def read_whole_backlog(client: Redis, settings: "Settings") -> Backlog:
    """Read the figures of every partition and add them up; where the stream is not divided they are its own."""
    return sum_of(await read_backlogs(client, settings))


async def read_backlogs(client: Redis, settings: "Settings") -> dict[str, Backlog]:
    """Read each partition's, in the order of their numbers and by what stands before the ids of its entries."""
    partitions = partitions_of(settings)
    found = await asyncio.gather(*(read_partition_backlog(client, each, settings) for each in partitions))
    return {each.prefix: backlog for each, backlog in zip(partitions, found, strict=True)}


async def read_partition_backlog(client: Redis, partition: Partition, settings: "Settings") -> Backlog:
    return await read_backlog(
        client,
        events=partition.events,
        results=partition.results,
        dead_letters=partition.dead_letters,
        group=settings.redis_consumer_group,
        keep_events=settings.keep_events,
    )


def sum_of(backlogs: Mapping[str, Backlog]) -> Backlog:
    """Add up what is known under each prefix of ids. A consumer, and a group, is the one of its name everywhere.

    What is unknown of one is unknown of all. The group is there once it is there for one: each makes its own.
    """
    if len(backlogs) == 1:
        return next(iter(backlogs.values()))
    every = list(backlogs.values())
    others = [(prefix, group) for prefix, backlog in backlogs.items() for group in backlog.other_groups]
    return Backlog(
        entries=sum(each.entries for each in every),
        pending=sum(each.pending for each in every),
        lag=_sum(each.lag for each in every),
        oldest_pending_seconds=_most(each.oldest_pending_seconds for each in every),
        consumers=_by_name((consumer for each in every for consumer in each.consumers), _one_consumer),
        other_groups=tuple(
            _one_group([(prefix, group) for prefix, group in others if group.name == name])
            for name in sorted({group.name for _, group in others})
        ),
        results=sum(each.results for each in every),
        dead_letters=sum(each.dead_letters for each in every),
        group_exists=any(each.group_exists for each in every),
    )


def _by_name(each: Iterable[T], one: Callable[[Sequence[T]], T]) -> tuple[T, ...]:
    found: dict[str, list[T]] = {}
    for item in each:
        found.setdefault(item.name, []).append(item)
    return tuple(one(items) for _, items in sorted(found.items()))


def _one_consumer(parts: Sequence[Consumer]) -> Consumer:
    return Consumer(parts[0].name, sum(each.pending for each in parts), min(each.idle_seconds for each in parts))


def _one_group(parts: Sequence[tuple[str, OtherGroup]]) -> OtherGroup:
    groups = [group for _, group in parts]
    needing = [(group.oldest_needed_seconds or 0.0, prefix, group) for prefix, group in parts if group.oldest_needed_id]
    _, prefix, oldest = max(needing, key=lambda each: each[0], default=(0.0, "", None))
    return OtherGroup(
        name=groups[0].name,
        lag=_sum(each.lag for each in groups),
        pending=sum(each.pending for each in groups),
        consumers=max(each.consumers for each in groups),
        idle_seconds=min((each.idle_seconds for each in groups if each.idle_seconds is not None), default=None),
        oldest_needed_id=None if oldest is None else f"{prefix}{oldest.oldest_needed_id}",
        oldest_needed_seconds=None if oldest is None else oldest.oldest_needed_seconds,
    )


def _sum(figures: Iterable[int | None]) -> int | None:
    total = 0
    for figure in figures:
        if figure is None:
            return None
        total += figure
    return total


def _most(figures: Iterable[float | None]) -> float | None:
    return max((figure for figure in figures if figure is not None), default=None)
