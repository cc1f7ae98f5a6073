"""How long a process takes from its start to the first result."""

from collections.abc import Callable, Iterator

from benchmarks.bench import Bench
from benchmarks.events import Payload, early_exit, judged
from benchmarks.figures import Figure
from benchmarks.measurements.drain import BARE_LOOP
from benchmarks.processes import WORKER, fake_bedrock, running

NAME = "start"


def start(bench: Bench) -> Iterator[Figure]:
    """One event waits; the bare loop shows what Python and redis-py alone take."""
    with fake_bedrock(0) as fake:
        measures = [
            ("process start to first result, early exit", started(bench, early_exit, WORKER, JUDGE_MODEL="offline")),
            ("process start to first result, judged by the offline model",
             started(bench, judged, WORKER, JUDGE_MODEL="offline")),
            ("process start to first result, judged over boto3, calls take 0 ms",
             started(bench, judged, WORKER, **fake.environment())),
            ("a bare redis-py loop", started(bench, early_exit, BARE_LOOP)),
        ]  # fmt: skip
        *ours, bare = bench.samples("ms", measures)
    for each in ours:
        yield Figure(NAME, each, bare)


def started(bench: Bench, payload: Payload, program: tuple[str, ...], **environment: str) -> Callable[[], float]:
    """Return what measures the milliseconds until the one waiting event has its result."""

    def measure() -> float:
        bench.streams.lay_out(bench.streams.preload(payload, 1))
        with running(program, REDIS_URL=bench.server.url, **environment) as process:
            seen_at, _ = bench.streams.reach(1, float("inf"), [process])
            return (seen_at - process.started_at) * 1000

    return measure
