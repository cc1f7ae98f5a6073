"""The faults. Each is a coroutine that begins one, lets it last, and ends it, whatever happens meanwhile."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from random import Random

from redis.asyncio import Redis
from tests.chaos.fleet import Fleet
from tests.chaos.network import Network
from tests.chaos.probes import Drain, watch_drain

from eval_worker.embedded import EmbeddedServer
from eval_worker.redis_connection import REDIS_ERRORS
from eval_worker.testing import (
    AccessDenied,
    AwsError,
    Condition,
    Drop,
    Garbage,
    MalformedReply,
    ModelError,
    ModelTimeout,
    Outcome,
    PlainText,
    ServerError,
    Throttle,
    first_ask,
    judge,
)
from eval_worker.testing.fake_bedrock.steering import Steering

ONE_JUDGE_ONLY = 0.25  # the share of model faults that hit one judge, while the others are answered
_JUDGES = ("relevance", "faithfulness", "coherence", "completeness", "instruction")
_EVERYONE = Condition()


@dataclass(frozen=True, slots=True)
class Arena:
    """All that can be broken. Only one fault at a time has the server."""

    server: EmbeddedServer
    server_lock: asyncio.Lock
    client: Redis
    network: Network
    fleet: Fleet
    bedrock: Steering
    stream: str
    group: str
    drains: list[Drain]


Fault = Callable[[Arena, Random, float], Awaitable[None]]
"""Called with the arena, the random numbers to choose a victim by, and how many seconds to last."""


@dataclass(frozen=True, slots=True)
class FaultKind:
    """`weight`: how often it comes, beside the others. `seconds`: how long it lasts, from and to."""

    name: str
    weight: int
    seconds: tuple[float, float]
    fault: Fault


async def _kill_a_worker(arena: Arena, random: Random, _seconds: float) -> None:
    if worker := arena.fleet.pick(random):
        worker.end("killed", signal.SIGKILL)


async def _terminate_a_worker(arena: Arena, random: Random, _seconds: float) -> None:
    """As Kubernetes does it: the probes go on until the process is gone."""
    if worker := arena.fleet.pick(random):
        watching = asyncio.create_task(watch_drain(worker.name, worker.address))
        worker.end("terminated", signal.SIGTERM)
        arena.drains.append(await watching)


async def _freeze_a_worker(arena: Arena, random: Random, seconds: float) -> None:
    """A zombie: it wakes when others have long taken its events over, and goes on as if nothing had happened."""
    worker = arena.fleet.pick(random)
    if worker is None:
        return
    worker.fate = "frozen"
    worker.send(signal.SIGSTOP)
    try:
        await asyncio.sleep(seconds)
    finally:
        worker.send(signal.SIGCONT)
        if worker.fate == "frozen":
            worker.fate = None


async def _kill_the_server(arena: Arena, _random: Random, seconds: float) -> None:
    async with arena.server_lock:
        arena.server.kill()
        try:
            await asyncio.sleep(seconds)
        finally:
            arena.server.start()


async def _freeze_the_server(arena: Arena, _random: Random, seconds: float) -> None:
    """Frozen, it neither answers nor closes a connection."""
    async with arena.server_lock:
        pid = arena.server.pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds)
        finally:
            os.kill(pid, signal.SIGCONT)


async def _lose_the_replies(arena: Arena, _random: Random, seconds: float) -> None:
    """What the workers ask for is done, but none of them hears of it."""
    async with arena.network.losing_replies():
        await asyncio.sleep(seconds)


async def _stall_the_network(arena: Arena, random: Random, seconds: float) -> None:
    """What was sent meanwhile arrives when it is over: renewals and outcomes of leases that are long lost."""
    async with arena.network.half_stalled(random):
        await asyncio.sleep(seconds)


async def _slow_the_network(arena: Arena, random: Random, seconds: float) -> None:
    async with arena.network.slow(random.choice([0.05, 0.3, 1.0])):
        await asyncio.sleep(seconds)


async def _cut_all_connections(arena: Arena, _random: Random, _seconds: float) -> None:
    await _tell(arena, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")


async def _destroy_the_group(arena: Arena, _random: Random, _seconds: float) -> None:
    await _tell(arena, "XGROUP", "DESTROY", arena.stream, arena.group)


async def _flush_the_scripts(arena: Arena, _random: Random, _seconds: float) -> None:
    await _tell(arena, "SCRIPT", "FLUSH")


async def _tell(arena: Arena, *words: str) -> None:
    """Whoever is away at the moment does not hear it."""
    with suppress(*REDIS_ERRORS):
        await arena.client.execute_command(*words)  # pyright: ignore[reportUnknownMemberType]  # it is not annotated


async def _slow_the_model(arena: Arena, random: Random, seconds: float) -> None:
    """From a little slower than usual to never within anybody's patience."""
    latency = random.choice([0.5, 2.0, 30.0])
    await asyncio.to_thread(arena.bedrock.latency, latency, for_seconds=seconds)
    await asyncio.sleep(seconds)


def _let_the_model(outcome: Outcome, when: Condition | None = None) -> Fault:
    async def fault(arena: Arena, random: Random, seconds: float) -> None:
        narrowed = when
        if narrowed is None:
            narrowed = judge(random.choice(_JUDGES)) if random.random() < ONE_JUDGE_ONLY else _EVERYONE
        await asyncio.to_thread(arena.bedrock.script, outcome, when=narrowed, seconds=seconds)
        await asyncio.sleep(seconds)

    return fault


_EXPIRED = AwsError(403, "ExpiredTokenException", "The security token included in the request is expired")


def fault_kinds(lease_seconds: float) -> Mapping[str, FaultKind]:
    """All of them, by name. What outlasts a lease has to know how long one is."""
    at_once, briefly, a_while = (0.0, 0.0), (0.5, 3.0), (0.2 * lease_seconds, lease_seconds)
    beyond_a_lease = (lease_seconds + 1, lease_seconds + 4)
    kinds = [
        FaultKind("worker killed", 6, at_once, _kill_a_worker),
        FaultKind("worker terminated", 5, at_once, _terminate_a_worker),
        FaultKind("worker frozen beyond its lease", 5, beyond_a_lease, _freeze_a_worker),
        FaultKind("server killed and restarted", 2, briefly, _kill_the_server),
        FaultKind("server frozen beyond a lease", 1, beyond_a_lease, _freeze_the_server),
        FaultKind("all connections cut", 3, at_once, _cut_all_connections),
        FaultKind("replies lost", 3, a_while, _lose_the_replies),
        FaultKind("network stalled beyond a lease", 3, beyond_a_lease, _stall_the_network),
        FaultKind("network slow", 2, a_while, _slow_the_network),
        FaultKind("group destroyed", 2, at_once, _destroy_the_group),
        FaultKind("scripts flushed", 1, at_once, _flush_the_scripts),
        FaultKind("model throttled", 2, a_while, _let_the_model(Throttle())),
        FaultKind("model throttled, come back later", 1, a_while, _let_the_model(Throttle(retry_after=1))),
        FaultKind("model answers 500", 1, a_while, _let_the_model(ServerError())),
        FaultKind("model answers 503", 1, a_while, _let_the_model(ServerError(503))),
        FaultKind("model timed out", 1, a_while, _let_the_model(ModelTimeout())),
        FaultKind("model failed", 1, a_while, _let_the_model(ModelError())),
        FaultKind("model drops connections", 1, a_while, _let_the_model(Drop())),
        FaultKind("model cuts replies short", 1, a_while, _let_the_model(Drop(after_bytes=20))),
        FaultKind("a proxy answers for the model", 1, a_while, _let_the_model(Garbage())),
        FaultKind("model malformed at first", 1, a_while, _let_the_model(MalformedReply(), first_ask())),
        FaultKind("model chats at first", 1, a_while, _let_the_model(PlainText(), first_ask())),
        FaultKind("model slow", 2, a_while, _slow_the_model),
        FaultKind("access withdrawn and returned", 2, a_while, _let_the_model(AccessDenied())),
        FaultKind("credentials expired and renewed", 1, a_while, _let_the_model(_EXPIRED)),
    ]
    return {kind.name: kind for kind in kinds}
