"""A chaos run: judge calmly, then again while faults rain, then with an event that kills; and compare."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from redis.asyncio import Redis
from tests.chaos.account import Account, Recovery
from tests.chaos.bedrock_process import fake_bedrock
from tests.chaos.faults import Arena, fault_kinds
from tests.chaos.fleet import RUN, Exit, Fleet
from tests.chaos.interactions import Interaction, deadly_interaction, draw_interactions, teach
from tests.chaos.ledger import Ledger, Verdict
from tests.chaos.logs import read_logs
from tests.chaos.network import Network
from tests.chaos.options import READ_AHEAD, Options
from tests.chaos.plan import PlannedFault, plan_faults
from tests.chaos.probes import Drain
from tests.chaos.producer import Producer
from tests.chaos.witness import Witness
from tests.chaos.worker_with_a_weakness import EXIT_CODE
from tests.servers.ports import free_port

from eval_worker.embedded import EmbeddedServer
from eval_worker.redis_connection import connect
from eval_worker.settings import load_settings
from eval_worker.stream.cancellation import cancel_and_wait
from eval_worker.stream.names import StreamNames
from eval_worker.testing import RemoteFakeBedrock

STREAM, GROUP = "eval-events", "eval-group"
DISTINCT = 200  # interactions, each of which is sent many times under other event ids
BESIDE_THE_POISON = 30
MAX_DELIVERIES_OF_POISON = 5
SETTLE_SECONDS = 180.0  # the longest that may pass without any outcome once nothing disturbs any more


@dataclass(slots=True)
class Run:
    """What is there during all of a run, and what it has brought so far. `say` tells people how it goes."""

    options: Options
    directory: Path
    server: EmbeddedServer
    network: Network
    bedrock: RemoteFakeBedrock
    client: Redis
    witness: Witness
    interactions: Sequence[Interaction]
    say: Callable[[str], None]
    calm: Sequence[Verdict] = ()
    expected: dict[str, Verdict] = field(default_factory=dict[str, Verdict])
    sent: dict[str, str] = field(default_factory=dict[str, str])
    recoveries: list[Recovery] = field(default_factory=list[Recovery])
    exits: list[Exit] = field(default_factory=list[Exit])
    drains: list[Drain] = field(default_factory=list[Drain])

    @asynccontextmanager
    async def fleet(
        self, size: int, *, program: Sequence[str] = RUN, deadly: int | None = None, **settings: str
    ) -> AsyncGenerator[Fleet]:
        directory = self.directory / "workers"
        directory.mkdir(exist_ok=True)
        environment = self.options.environment(self.network.addr, self.bedrock) | settings
        fleet = Fleet(size, environment, directory, program=program, deadly=deadly)
        try:
            async with fleet:
                await fleet.until_ready()
                yield fleet
        finally:
            self.exits += fleet.exits


async def run_chaos(options: Options, directory: Path, say: Callable[[str], None]) -> Account:
    """Needs an empty directory, for the server's data and the workers' logs."""
    random = Random(options.seed)
    interactions = draw_interactions(random, min(DISTINCT, options.events))
    kinds = [
        kind for kind in fault_kinds(options.lease_seconds).values() if kind.name in options.only or not options.only
    ]
    faults = plan_faults(random, kinds, seconds=options.seconds, per_minute=options.faults_per_minute)
    async with _prepared(options, directory, interactions, say) as run:
        run.calm = await _judge_calmly(run)
        started = time.monotonic()
        await _judge_through(run, faults, random)
        if options.poison:
            await _judge_beside_poison(run)
        return await _account(run, time.monotonic() - started)


@asynccontextmanager
async def _prepared(
    options: Options, directory: Path, interactions: Sequence[Interaction], say: Callable[[str], None]
) -> AsyncGenerator[Run]:
    names = StreamNames(STREAM, "eval-results", "eval-dead-letters", GROUP, "chaos")
    # Without a write to disk for each command, the server's own death would take acknowledged ones along.
    always = {"appendfsync": "always"}
    with (
        fake_bedrock() as bedrock,
        EmbeddedServer.on_port(free_port(), directory / "server", config=always) as server,
    ):
        teach(bedrock)
        assert server.port is not None
        async with Network(server.port) as network, connect(load_settings(redis_addr=server.addr)) as client:
            witness = Witness(client, names)
            watching = asyncio.create_task(witness.run())
            try:
                yield Run(options, directory, server, network, bedrock, client, witness, interactions, say)
                if watching.done():
                    watching.result()  # a witness that failed has seen too little
            finally:
                await cancel_and_wait([watching])


async def _judge_calmly(run: Run) -> Sequence[Verdict]:
    """Judge each interaction once, with nothing in the way: these verdicts are the right ones."""
    payloads = [interaction.payload(f"calm-{number}") for number, interaction in enumerate(run.interactions)]
    producer = Producer(run.client, STREAM, payloads, 0)
    async with run.fleet(1):
        await producer.run()
        await _until_settled(run, producer.ids)
    await run.witness.until_all_is_seen()
    verdicts = {outcome.source_id: outcome.verdict for outcome in run.witness.outcomes}
    if len(run.witness.outcomes) != len(payloads):
        raise RuntimeError(f"the calm run had {len(run.witness.outcomes)} outcomes of {len(payloads)} events")
    run.say(f"calm run: {len(verdicts)} interactions judged")
    run.witness.outcomes.clear()
    return [verdicts[source_id] for source_id in producer.ids]


async def _judge_through(run: Run, faults: Sequence[PlannedFault], random: Random) -> None:
    drawn = random.choices(range(len(run.interactions)), k=run.options.events)
    names = [f"evt-{number:06}" for number in range(run.options.events)]
    payloads = [run.interactions[which].payload(name) for name, which in zip(names, drawn, strict=True)]
    producer = Producer(run.client, STREAM, payloads, run.options.seconds)
    run.sent |= dict(zip(producer.ids, names, strict=True))
    run.expected |= dict(zip(producer.ids, (run.calm[which] for which in drawn), strict=True))
    async with run.fleet(run.options.workers) as fleet:
        arena = Arena(
            run.server, asyncio.Lock(), run.client, run.network, fleet, run.bedrock, STREAM, GROUP, run.drains
        )
        started = time.monotonic()
        storm = [asyncio.create_task(_undergo(run, fault, arena, started)) for fault in faults]
        telling = asyncio.create_task(_tell(run, producer, started))
        try:
            await producer.run()
            await _until_settled(run, producer.ids)
            await _all_ended(storm)
        finally:
            await cancel_and_wait([telling, *storm])


async def _all_ended(storm: Sequence["asyncio.Task[None]"]) -> None:
    """A fault whose entries never were settled is in the ledger already; a bug of this run is raised."""
    done, _ = await asyncio.wait(storm, timeout=1) if storm else (set[Any](), None)
    for task in done:
        task.result()


async def _undergo(run: Run, fault: PlannedFault, arena: Arena, started: float) -> None:
    await asyncio.sleep(max(started + fault.at - time.monotonic(), 0))
    touched = await _in_flight_now(run)
    run.say(f"{fault.at:6.1f} s  {fault.kind.name}")
    begun = time.monotonic()
    await fault.kind.fault(arena, Random(fault.seed), fault.seconds)
    ended = time.monotonic()
    if touched is None:  # another fault had the server then
        touched = await run.witness.in_flight()
    recovery = Recovery(fault.kind.name, fault.at, ended - begun, len(touched), None)
    run.recoveries.append(recovery)
    await run.witness.until_settled(touched)
    run.recoveries.remove(recovery)
    run.recoveries.append(replace(recovery, seconds=time.monotonic() - ended))


async def _in_flight_now(run: Run) -> set[str] | None:
    try:
        async with asyncio.timeout(0.5):
            return await run.witness.in_flight()
    except TimeoutError:
        return None


async def _tell(run: Run, producer: Producer, started: float) -> None:
    while True:
        await asyncio.sleep(10)
        seconds = time.monotonic() - started
        run.say(f"{seconds:6.1f} s  sent {producer.sent}, settled {len(run.witness.outcomes)}")


async def _judge_beside_poison(run: Run) -> None:
    """One event kills whoever judges it: after MAX_DELIVERIES it is a dead letter, and all beside it are judged."""
    beside = [run.interactions[number % len(run.interactions)] for number in range(BESIDE_THE_POISON)]
    innocent = [interaction.payload(f"beside-{number}") for number, interaction in enumerate(beside)]
    deadly = deadly_interaction().payload("poison")
    producer = Producer(run.client, STREAM, [*innocent[::2], deadly, *innocent[1::2]], 0)
    calm = [run.calm[number % len(run.calm)] for number in range(BESIDE_THE_POISON)]
    verdicts = [*calm[::2], ("dead letter", "max_deliveries"), *calm[1::2]]
    names = [f"beside-{number}" for number in range(BESIDE_THE_POISON)]
    run.sent |= dict(zip(producer.ids, [*names[::2], "poison", *names[1::2]], strict=True))
    run.expected |= dict(zip(producer.ids, verdicts, strict=True))
    limits = {"MAX_DELIVERIES": str(MAX_DELIVERIES_OF_POISON), "LEASE_SECONDS": "2"}
    async with run.fleet(2, program=("-m", "tests.chaos.worker_with_a_weakness"), deadly=EXIT_CODE, **limits):
        await producer.run()
        await _until_settled(run, producer.ids)
    run.say("judged beside a poison event")


async def _until_settled(run: Run, source_ids: Sequence[str]) -> None:
    """Wait for the last outcome; give up when for long there was none at all. What is missing then is lost."""
    wanted = set(source_ids)
    while missing := wanted - run.witness.settled:
        before = len(missing)
        try:
            async with asyncio.timeout(SETTLE_SECONDS):
                while len(wanted - run.witness.settled) == before:  # noqa: ASYNC110 (the witness fills it)
                    await asyncio.sleep(0.2)
        except TimeoutError:
            run.say(f"nothing more is settled; {before} events are missing, such as {min(missing)}")
            return


async def _account(run: Run, seconds: float) -> Account:
    errors, outbursts = read_logs(run.directory / "workers")
    pending = await run.witness.in_flight()
    left = {"the event stream": int(await run.client.xlen(STREAM)), "the pending list": len(pending)}
    await run.witness.until_all_is_seen()
    ledger = Ledger(run.expected, run.sent, run.witness.outcomes)
    return Account(
        ledger=ledger,
        recoveries=run.recoveries,
        exits=run.exits,
        drains=run.drains,
        drain_seconds=run.options.drain_seconds,
        left=left,
        outbursts=outbursts,
        errors_logged=errors,
        read_ahead=READ_AHEAD,
        workers=run.options.workers,
        judged_seconds=seconds,
    )
