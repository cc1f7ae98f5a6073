"""How much memory a worker takes while little waits, and while a million events do."""

import time
from collections.abc import Callable, Iterator

from tests.bounds.memory import resident

from benchmarks.bench import Bench
from benchmarks.events import Payload, early_exit, judged
from benchmarks.figures import Figure, Target
from benchmarks.processes import INSTANT_WORKER, WORKER, running

NAME = "memory"
_FEW, _MANY, _MANY_QUICKLY = 1_000, 1_000_000, 5_000
_CALL_SECONDS = "0.2"  # so slow that the few are not all judged while it is watched
_READ = 500  # results after which a worker that drains early exits is looked at
_MIB = 2**20
_POLL_SECONDS = 0.05


def memory(bench: Bench) -> Iterator[Figure]:
    """Watch a worker whose model is slow, and one that reads as fast as it can."""
    many = _MANY_QUICKLY if bench.effort.quick else _MANY
    slow = {"LATENCY_SECONDS": _CALL_SECONDS}
    measures = [
        (f"{count:,} waiting, {how}", _watched(bench, payload, count, program, environment))
        for how, payload, program, environment in (
            ("a slow model", judged, INSTANT_WORKER, slow),
            ("early exits", early_exit, WORKER, {"JUDGE_MODEL": "offline"}),
        )
        for count in (many, _FEW)
    ]
    judging_many, judging_few, reading_many, reading_few = bench.samples("MiB", measures)
    yield Figure(NAME, judging_many, judging_few, Target.at_most_ratio(1.1))
    yield Figure(NAME, reading_many, reading_few, Target.at_most_ratio(1.1))
    for payload in (judged, early_exit):
        bench.streams.forget(bench.streams.preload(payload, many))


def _watched(
    bench: Bench, payload: Payload, count: int, program: tuple[str, ...], environment: dict[str, str]
) -> Callable[[], float]:
    """Return what measures the most memory that is resident in the seconds after the first results, in MiB."""
    waiting_for = 1 if payload is judged else _READ

    def measure() -> float:
        bench.streams.lay_out(bench.streams.preload(payload, count))
        with running(program, REDIS_URL=bench.server.url, **environment) as process:
            reached_at, _ = bench.streams.reach(waiting_for, float("inf"), [process])
            most = resident(process.pid)
            while time.monotonic() < reached_at + bench.effort.seconds:
                most = max(most, resident(process.pid))
                time.sleep(_POLL_SECONDS)
            process.check()
        return most / _MIB

    return measure
