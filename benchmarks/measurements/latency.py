"""How long an event takes from its enqueueing to its result, beyond what the judges take."""

import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from benchmarks.bench import Bench
from benchmarks.events import judged, numbered
from benchmarks.figures import Figure, Samples, Target, in_turns
from benchmarks.measurements.drain import BARE_LOOP, drained
from benchmarks.measurements.judged import IN_FLIGHT, LATENCY_SECONDS, judging_slowly
from benchmarks.processes import INSTANT_WORKER, WORKER, Program, fake_bedrock, running
from benchmarks.stream_names import EVENTS, PAYLOAD_FIELD, RESULTS

NAME = "latency"
_SECONDS_A_SAMPLE = 3  # times the usual: a p99 of fewer than some hundred events says little
_SLEEP_SECONDS = 0.0005
_WARM_UP = 64
_LOADS = {"half": 0.5, "full": 1.0}
_WANTED_MS = {50: 5.0, 99: 25.0}


@dataclass(frozen=True, slots=True)
class Subject:
    """A program, what its judges take, and the events a second that it can do at most."""

    what: str
    program: tuple[str, ...]
    judges_seconds: float
    capacity: float
    environment: dict[str, str] = field(default_factory=dict[str, str])


def latency(bench: Bench) -> Iterator[Figure]:
    """Send at an even pace, whatever the worker does, at half of what it can do and at all of it."""
    instant = drained(bench, judged, INSTANT_WORKER)().a_second
    bench.announce(f"  capacity with a model that answers at once: {instant:,.0f} events/s")
    yield from _beside_the_bare_loop(bench, Subject("answered at once in process", INSTANT_WORKER, 0, instant))
    with fake_bedrock(LATENCY_SECONDS) as fake:
        environment = {**fake.environment(), "CONCURRENCY": str(IN_FLIGHT)}
        what = f"a call takes {LATENCY_SECONDS * 1000:.0f} ms, {IN_FLIGHT} events in flight"
        capacity = judging_slowly(bench, environment)().a_second
        bench.announce(f"  capacity where {what}: {capacity:,.0f} events/s")
        yield from _beside_the_bare_loop(bench, Subject(what, WORKER, LATENCY_SECONDS, capacity, environment))


def _beside_the_bare_loop(bench: Bench, subject: Subject) -> Iterator[Figure]:
    bare = Subject("a bare redis-py loop at the same pace", BARE_LOOP, 0, subject.capacity)
    for load, share in _LOADS.items():
        pace = subject.capacity * share
        ours, theirs = in_turns(
            bench.effort.repeat,
            [lambda pace=pace: _added(bench, subject, pace), lambda pace=pace: _added(bench, bare, pace)],
        )
        for percentile, wanted in _WANTED_MS.items():
            what = f"p{percentile} added at {load} load ({pace:,.0f} events/s), {subject.what}"
            yield Figure(
                NAME,
                Samples(what, "ms", tuple(_percentile(added, percentile) for added in ours)),
                Samples(bare.what, "ms", tuple(_percentile(added, percentile) for added in theirs)),
                Target.at_most(wanted) if load == "half" else None,
            )


def _added(bench: Bench, subject: Subject, pace: float) -> list[float]:
    """Return each event's milliseconds from its entry to its result's, by the ids that the server gave them."""
    count = max(int(pace * bench.effort.seconds * _SECONDS_A_SAMPLE), _WARM_UP)
    bench.streams.lay_out()
    with running(subject.program, REDIS_URL=bench.server.url, **subject.environment) as process:
        _warm_up(bench, process)
        sent_at = _send_at_pace(bench, pace, count)
        bench.streams.reach(_WARM_UP + count, float("inf"), [process])
    results = bench.streams.client.xrange(RESULTS)
    done_at = {fields[b"event_id"].decode(): _milliseconds(entry_id) for entry_id, fields in results}
    added = [done_at[event] - sent - subject.judges_seconds * 1000 for event, sent in sent_at.items()]
    bench.announce(f"  {subject.what}, {pace:,.0f}/s: p50 {_percentile(added, 50):.1f} ms, "
                   f"p99 {_percentile(added, 99):.1f} ms")  # fmt: skip
    return added


def _warm_up(bench: Bench, process: Program) -> None:
    """Have every connection opened and every module imported."""
    events = numbered(judged, first=10**6)
    bench.streams.add([next(events) for _ in range(_WARM_UP)])
    bench.streams.reach(_WARM_UP, float("inf"), [process])


def _send_at_pace(bench: Bench, pace: float, count: int) -> dict[str, float]:
    """Send what is due, late or not, so that a slow worker is not spared; returns when each was enqueued."""
    payloads = [payload for _, payload in zip(range(count), numbered(judged), strict=False)]
    ids: list[bytes] = []
    began_at = time.monotonic()
    while len(ids) < count:
        due = min(int((time.monotonic() - began_at) * pace) + 1, count)
        pipeline = bench.streams.client.pipeline(transaction=False)
        for payload in payloads[len(ids) : due]:
            pipeline.xadd(EVENTS, {PAYLOAD_FIELD: payload})
        ids += pipeline.execute()
        time.sleep(_SLEEP_SECONDS)
    return {f"evt-{number:08}": _milliseconds(entry_id) for number, entry_id in enumerate(ids)}


def _milliseconds(entry_id: bytes) -> float:
    return float(entry_id.partition(b"-")[0])


def _percentile(values: list[float], percentile: int) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[percentile - 1]
