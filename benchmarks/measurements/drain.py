"""How fast one worker empties a stream of events that ask no provider, beside a bare redis-py loop."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

from benchmarks.bench import Bench
from benchmarks.events import Payload, early_exit, judged
from benchmarks.figures import Figure, Target, Throughput
from benchmarks.processes import INSTANT_WORKER, WORKER, running
from benchmarks.streams import Span

NAME = "drain"
BARE_LOOP = ("-m", "benchmarks.limits.redis_loop")
_FASTEST = 90_000  # events/s that nothing in here exceeds
_WARM_UP, _WARM_UP_QUICKLY = 2_000, 300


def drain(bench: Bench) -> Iterator[Figure]:
    """Early exits by a worker as a user starts it; prechecks alone by one whose model answers at once, in process."""
    rubbish, good = drained(bench, early_exit, WORKER, JUDGE_MODEL="offline"), drained(bench, judged, INSTANT_WORKER)
    ours = [("early-exit events", rubbish), ("precheck-only events, judged at once in process", good)]
    bare = [
        ("a bare redis-py loop", drained(bench, early_exit, BARE_LOOP)),
        ("a bare redis-py loop that deletes events", drained(bench, early_exit, BARE_LOOP, DELETE_EVENTS="1")),
    ]
    exits, prechecked, loop, deleting = bench.throughputs("events", ours + bare)
    yield Figure(NAME, exits.a_second, loop.a_second, Target.at_least_ratio(0.35))
    yield Figure(NAME, exits.a_processor_second, loop.a_processor_second)
    yield Figure(NAME, exits.a_second, deleting.a_second)
    yield Figure(NAME, prechecked.a_second, loop.a_second, Target.at_least_ratio(0.2))
    yield Figure(NAME, prechecked.a_processor_second, loop.a_processor_second)


def drained(
    bench: Bench, payload: Payload, program: tuple[str, ...], *, workers: int = 1, **environment: str
) -> Callable[[], Throughput]:
    """Return what measures the events a second that so many of a program settle of those preloaded, once warm."""
    warm_up = _WARM_UP_QUICKLY if bench.effort.quick else _WARM_UP
    count = int(_FASTEST * bench.effort.seconds) + warm_up
    span = Span(warm_up, count, bench.effort.seconds)

    def measure() -> Throughput:
        bench.streams.lay_out(bench.streams.preload(payload, count))
        with ExitStack() as stack:
            started = [
                stack.enter_context(running(program, REDIS_URL=bench.server.url, **environment)) for _ in range(workers)
            ]
            return bench.streams.throughput(span, *started)

    return measure
