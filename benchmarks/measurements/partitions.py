"""One stream or several on a cluster of three nodes, and how many workers one server feeds."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

from tests.servers.cluster import Cluster

from benchmarks.bench import Bench
from benchmarks.cluster import ClusterStreams, Drained, benchmark_cluster
from benchmarks.events import early_exit
from benchmarks.figures import Figure, Samples, in_turns
from benchmarks.processes import WORKER, running

NAME = "partitions"
_PARTITIONS, _WORKERS = (1, 2, 4), (1, 2)
_FASTEST = 15_000  # events/s that no two workers here exceed
_WARM_UP, _WARM_UP_QUICKLY = 1_000, 100


def partitions(bench: Bench) -> Iterator[Figure]:
    """Rates beside those of one stream and one worker; then what an event costs the servers beside the workers."""
    cases = [(count, workers) for workers in _WORKERS for count in _PARTITIONS]
    with benchmark_cluster() as cluster:
        measures = [_announced(bench, cluster, *case) for case in cases]
        rows = dict(zip(cases, in_turns(bench.effort.repeat, measures), strict=True))
    base = rows[1, 1]
    for case in cases:
        if case != (1, 1):
            yield Figure(NAME, _rates(*case, rows[case]), _rates(1, 1, base))
    for case in cases:
        yield Figure(NAME, _server_costs(*case, rows[case]), _worker_costs(rows[case]))


def _announced(bench: Bench, cluster: Cluster, count: int, workers: int) -> Callable[[], Drained]:
    warm_up = _WARM_UP_QUICKLY if bench.effort.quick else _WARM_UP
    seconds = bench.effort.seconds

    def measure() -> Drained:
        with ExitStack() as stack:
            streams = ClusterStreams(cluster, count)
            stack.callback(streams.close)
            streams.lay_out(early_exit, int(_FASTEST * seconds) + warm_up)
            environment = {**streams.environment, "JUDGE_MODEL": "offline"}
            started = [stack.enter_context(running(WORKER, **environment)) for _ in range(workers)]
            found = streams.drained(warm_up, seconds, started)
        bench.announce(f"  {_case(count, workers)}: {found}")
        return found

    return measure


def _rates(count: int, workers: int, found: tuple[Drained, ...]) -> Samples:
    return Samples(_case(count, workers), "events/s", tuple(each.workers.a_second for each in found))


def _server_costs(count: int, workers: int, found: tuple[Drained, ...]) -> Samples:
    values = tuple(each.a_server_second for each in found)
    return Samples(f"{_case(count, workers)}: the servers", "events/CPU s", values)


def _worker_costs(found: tuple[Drained, ...]) -> Samples:
    return Samples("its workers", "events/CPU s", tuple(each.workers.a_processor_second for each in found))


def _case(count: int, workers: int) -> str:
    return f"{count} partition{'s' if count > 1 else ''}, {workers} worker{'s' if workers > 1 else ''}"
