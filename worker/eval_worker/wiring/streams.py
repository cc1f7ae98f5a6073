"""Opens the streams that a worker serves: for each its keys, its connections, and its patience with Redis."""

import secrets
import socket
from dataclasses import dataclass

from redis.asyncio import Redis

from eval_worker.errors import SettingsError
from eval_worker.partitions import partitions_of
from eval_worker.redaction import Redact
from eval_worker.redis_connection import connect
from eval_worker.settings import Settings
from eval_worker.stream.fetch import BLOCK_MS
from eval_worker.stream.group import ConsumerGroup
from eval_worker.stream.names import RELEASED, StreamNames
from eval_worker.stream.redis_patience import RedisPatience
from eval_worker.stream.rights import Rights
from eval_worker.telemetry.metrics import Metrics


@dataclass(frozen=True, slots=True)
class Stream:
    """One of them. `partition` is None where there is but this one."""

    names: StreamNames
    client: Redis
    blocking_client: Redis
    group: ConsumerGroup
    rights: Rights
    redis: RedisPatience
    partition: int | None

    @property
    def clients(self) -> tuple[Redis, Redis]:
        return self.client, self.blocking_client


def open_streams(settings: Settings, metrics: Metrics, redact: Redact) -> tuple[Stream, ...]:
    """Open them all; nothing is sent yet. Each has connections of its own.

    Where one of a cluster's connections fails the client library closes all that it has, those on which another
    stream's commands are under way to a node that is well.
    """
    return tuple(
        _open(settings, names, each.number, metrics, redact)
        for names, each in zip(stream_names(settings), partitions_of(settings), strict=True)
    )


def _open(settings: Settings, names: StreamNames, partition: int | None, metrics: Metrics, redact: Redact) -> Stream:
    client = connect(settings)
    group, rights = ConsumerGroup(client, names, metrics), Rights(client, names)
    return Stream(
        names=names,
        client=client,
        blocking_client=connect(settings, block_seconds=BLOCK_MS / 1000),
        group=group,
        rights=rights,
        redis=RedisPatience(group, redact, rights, partition),
        partition=partition,
    )


def stream_names(settings: Settings) -> tuple[StreamNames, ...]:
    """Name the keys, and this consumer: a name that no other process has, nor had before a crash."""
    host = settings.hostname or socket.gethostname()
    consumer = settings.redis_consumer_name or f"{host}-{secrets.token_hex(4)}"
    if consumer == RELEASED:
        raise SettingsError(f"REDIS_CONSUMER_NAME: {RELEASED!r} is taken: entries that were given back wait under it")
    group = settings.redis_consumer_group
    return tuple(
        StreamNames(each.events, each.results, each.dead_letters, group, consumer, each.prefix)
        for each in partitions_of(settings)
    )
