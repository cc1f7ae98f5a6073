"""How long each Lua script holds up a server that holds a lot: processor time, by the server's own account."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from tests.servers.kinds import DEAD_LETTERS, EVENTS, GROUP, RESULTS

from eval_worker.stream.janitor import TRIM_STEP
from eval_worker.stream.lua_script import MOST_IN_A_CALL
from eval_worker.stream.reclaim import PAGE_SIZE, SUSPECTS_LOOKED_AT
from eval_worker.stream.settle import MOST_IN_A_BATCH

PAYLOAD = b'{"event_id": "evt-001", "interaction": {"user_query": "q", "answer": "%s"}}' % (b"x" * 690)
CRASHED, BUSY = "crashed", "busy"
LEASE_MS = 60_000
TIMES = 3


@dataclass(frozen=True)
class ScriptTime:
    """The quickest of a few runs. Time on the clock would be that of whatever else the machine does as well."""

    what: str
    milliseconds: float


def fill(client: Any, *, entries: int, pending: int) -> None:
    """So many entries on the stream, so many of them pending in the name of one consumer that has just crashed."""
    client.xgroup_create(EVENTS, GROUP, id="0", mkstream=True)
    for start in range(0, entries, 1_000):
        pipeline = client.pipeline(transaction=False)
        for _ in range(min(1_000, entries - start)):
            pipeline.xadd(EVENTS, {"payload": PAYLOAD})
        pipeline.execute()
    for start in range(0, pending, 1_000):
        client.xreadgroup(GROUP, CRASHED, {EVENTS: ">"}, count=min(1_000, pending - start))


def measure(client: Any) -> Iterator[ScriptTime]:
    """Run every script as the worker does, on what `fill` left. The last one empties the stream."""
    ids = [each["message_id"] for each in client.xpending_range(EVENTS, GROUP, "-", "+", 200_000)]
    yield _timed(client, "backlog.lua", [GROUP], keys=(EVENTS, RESULTS, DEAD_LETTERS))
    yield _timed(client, "trim.lua", [GROUP, "", 3_600_000, TRIM_STEP], "trim.lua, nothing to trim")
    yield _timed(client, "renew.lua", [GROUP, CRASHED, *ids[:MOST_IN_A_CALL]])
    reclaim = [GROUP, BUSY, LEASE_MS, "-", PAGE_SIZE, PAGE_SIZE, 3, 5, "released"]
    suspect = [GROUP, BUSY, LEASE_MS, SUSPECTS_LOOKED_AT, 3, 5, "released"]
    yield _timed(client, "reclaim.lua", reclaim, "reclaim.lua, every lease runs")
    yield _timed(client, "claim_suspect.lua", suspect, "claim_suspect.lua, every lease runs")
    _age(client, ids, deliveries=1)
    yield _timed(client, "reclaim.lua", reclaim, "reclaim.lua, every lease has run out")
    _age(client, ids, deliveries=3)
    yield _timed(client, "reclaim.lua", reclaim, "reclaim.lua, all are suspects")
    yield _timed(client, "claim_suspect.lua", suspect, "claim_suspect.lua, all are suspects")
    strays = [GROUP, CRASHED, "released", LEASE_MS, 10**9, "-", MOST_IN_A_CALL]
    yield _timed(client, "release_strays.lua", strays)
    releases = [argument for entry_id in ids[-MOST_IN_A_CALL:] for argument in (entry_id, 1, LEASE_MS)]
    yield _timed(client, "release.lua", [GROUP, CRASHED, "released", *releases], times=1)
    batch = [part for entry_id in ids[:MOST_IN_A_BATCH] for part in (entry_id, 2, 2, "payload", PAYLOAD)]
    keys = (EVENTS, RESULTS, DEAD_LETTERS)
    yield _timed(client, "settle.lua", [GROUP, 0, 100_000, ids[0], ids[-1], *batch], keys=keys, times=1)
    for number in range(500):
        client.xgroup_createconsumer(EVENTS, GROUP, f"gone-{number}")
    yield _timed(client, "backlog.lua", [GROUP], "backlog.lua, 500 consumers", keys=keys)
    yield _timed(client, "delete_consumers.lua", [GROUP, BUSY, -1, 0], "delete_consumers.lua, 500 of them", times=1)
    client.xgroup_destroy(EVENTS, GROUP)
    client.xgroup_create(EVENTS, GROUP, id="$")
    yield _timed(client, "trim.lua", [GROUP, "", 3_600_000, TRIM_STEP], "trim.lua, everything to trim")


def _timed(
    client: Any,
    script: str,
    arguments: Sequence[Any],
    what: str = "",
    *,
    keys: Sequence[str] = (EVENTS,),
    times: int = TIMES,
) -> ScriptTime:
    source = resources.files("eval_worker.stream").joinpath(script).read_text(encoding="utf-8")
    took: list[float] = []
    for _ in range(times):
        before = _processor_seconds(client)
        client.eval(source, len(keys), *keys, *arguments)
        took.append(_processor_seconds(client) - before)
    return ScriptTime(what or script, min(took) * 1_000)


def _processor_seconds(client: Any) -> float:
    used = client.info("cpu")
    suffix = "_main_thread" if "used_cpu_user_main_thread" in used else ""
    return used[f"used_cpu_user{suffix}"] + used[f"used_cpu_sys{suffix}"]


def _age(client: Any, ids: Sequence[bytes], *, deliveries: int) -> None:
    for start in range(0, len(ids), 1_000):
        some = list(ids[start : start + 1_000])
        client.xclaim(EVENTS, GROUP, CRASHED, 0, some, idle=LEASE_MS * 2, retrycount=deliveries, justid=True)
