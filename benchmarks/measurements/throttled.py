"""What workers make of a provider that throttles: how much of it they use, and how many calls are in vain."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

from benchmarks.bench import Bench
from benchmarks.events import judged as judged_event
from benchmarks.figures import Figure, Samples, Target, in_turns
from benchmarks.processes import WORKER, fake_bedrock, running

NAME = "throttled"
CALLS_PER_SECOND = 50.0
LATENCY_SECONDS = 0.5
WORKERS = (1, 4)
_CALLS_AN_EVENT = 5
_SECONDS, _QUICK_SECONDS = 30.0, 2.0
_MOST_TURNS = 3  # they take long
_POLL_SECONDS = 0.005


def throttled(bench: Bench) -> Iterator[Figure]:
    """Count from the first call on, when nothing is known of the limit yet."""
    turns = min(bench.effort.repeat, _MOST_TURNS)
    found = in_turns(turns, [_meeting_a_limit(bench, workers) for workers in WORKERS])
    for workers, samples in zip(WORKERS, found, strict=True):
        who = f"{workers} worker{'s' if workers > 1 else ''} at a limit of {CALLS_PER_SECOND:.0f} calls/s"
        used = Samples(f"{who}, calls answered", "calls/s", tuple(used for used, _ in samples))
        limit = Samples("the limit", "calls/s", (CALLS_PER_SECOND,) * turns)
        yield Figure(NAME, used, limit, Target.at_least_ratio(0.9))
        in_vain = Samples(f"{who}, calls throttled", "% of the calls", tuple(share for _, share in samples))
        yield Figure(NAME, in_vain, Samples("none", "% of the calls", (0.0,) * turns), Target.at_most(5.0))


def _meeting_a_limit(bench: Bench, workers: int) -> Callable[[], tuple[float, float]]:
    """Return what measures the calls a second that are answered, and the percentage that is throttled."""
    seconds = _QUICK_SECONDS if bench.effort.quick else _SECONDS
    enough = int(2 * CALLS_PER_SECOND * seconds / _CALLS_AN_EVENT) + 100 * workers

    def measure() -> tuple[float, float]:
        bench.streams.lay_out(bench.streams.preload(judged_event, enough))
        with fake_bedrock(LATENCY_SECONDS) as fake, ExitStack() as stack:
            fake.limit(CALLS_PER_SECOND)
            programs = [
                stack.enter_context(running(WORKER, REDIS_URL=bench.server.url, **fake.environment()))
                for _ in range(workers)
            ]
            while not fake.counters().calls:
                for program in programs:
                    program.check()
                time.sleep(_POLL_SECONDS)
            began_at = time.monotonic()
            time.sleep(seconds)  # what is counted is what happens in this time
            by_outcome, passed = fake.counters().by_outcome, time.monotonic() - began_at
        answered, in_vain = by_outcome.get("Reply", 0), by_outcome.get("Throttle", 0)
        bench.announce(f"  {workers} workers: {answered / passed:.1f} calls/s, {in_vain} throttled")
        return answered / passed, 100 * in_vain / (answered + in_vain)

    return measure
