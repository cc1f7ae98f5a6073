"""A cluster of three nodes on this machine, each with an append-only file, and the partitions that lie on it."""

import itertools
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from redis.exceptions import ResponseError
from tests.bounds.memory import cpu_seconds
from tests.servers.cluster import Cluster, plain_client

from benchmarks.events import Payload, numbered
from benchmarks.figures import Throughput
from benchmarks.processes import Program
from benchmarks.stream_names import EVENTS, GROUP, PAYLOAD_FIELD
from eval_worker.partitions import Partition, Partitioner
from eval_worker.settings import load_settings

# A rewrite of the append-only file in the middle of a run would be measured with one subject and not with the other.
_CONFIG = {"appendonly": "yes", "appendfsync": "everysec", "auto-aof-rewrite-percentage": "0"}
_IN_ONE_SLOT = {
    "redis_result_stream": f"{{{EVENTS}}}:results",
    "redis_dead_letter_stream": f"{{{EVENTS}}}:dead-letters",
}
_IN_A_PIPELINE = 500
_POLL_SECONDS = 0.02
_LONGEST_SILENCE_SECONDS = 60.0


@contextmanager
def benchmark_cluster() -> Generator[Cluster]:
    with Cluster(config=_CONFIG) as cluster:
        yield cluster


@dataclass(frozen=True, slots=True)
class Drained:
    """What the workers did, and for how many events a processor second of all three servers was enough."""

    workers: Throughput
    a_server_second: float

    def __str__(self) -> str:
        return f"{self.workers}, {self.a_server_second:,.0f} a processor second of the servers"


class ClusterStreams:
    """The event stream in so many partitions, on the nodes where their slots are."""

    def __init__(self, cluster: Cluster, partitions: int) -> None:
        names = _IN_ONE_SLOT if partitions == 1 else {}
        place = {"redis_addr": cluster.nodes[0].addr, "redis_cluster": True, "stream_partitions": partitions}
        self.environment = {name.upper(): str(value) for name, value in {**place, **names}.items()}
        self._cluster = cluster
        self._partitioner = Partitioner(load_settings(**place, **names))
        self._clients: dict[Partition, Any] = {
            each: cluster.client_at(each.events) for each in self._partitioner.partitions
        }

    def lay_out(self, payload: Payload, count: int) -> None:
        """Begin anew: these events unread, each where a producer would have sent it."""
        for node in self._cluster.nodes:
            with plain_client(node) as client:
                client.flushall()
        events = itertools.islice(numbered(payload), count)
        while batch := list(itertools.islice(events, _IN_A_PIPELINE)):
            pipelines = {each: client.pipeline(transaction=False) for each, client in self._clients.items()}
            for event in batch:
                partition = self._partitioner.partition_of(event)
                pipelines[partition].xadd(partition.events, {PAYLOAD_FIELD: event})
            for pipeline in pipelines.values():
                pipeline.execute()
        for partition, client in self._clients.items():
            client.xgroup_create(partition.events, GROUP, id="0", mkstream=True)

    def drained(self, warm_up: int, seconds: float, programs: Sequence[Program]) -> Drained:
        """Measure what these programs do in so many seconds, once so many results are there."""
        began_at, first = self._reach(warm_up, float("inf"), programs)
        by_workers, by_servers = _used(programs), self._used_by_servers()
        ended_at, last = self._reach(None, began_at + seconds, programs)
        done = last - first
        by_workers, by_servers = _used(programs) - by_workers, self._used_by_servers() - by_servers
        workers = Throughput(done / (ended_at - began_at), done / by_workers if by_workers else float("nan"))
        return Drained(workers, done / by_servers if by_servers else float("nan"))

    def close(self) -> None:
        for client in self._clients.values():
            client.close()

    def _reach(self, count: int | None, until: float, programs: Sequence[Program]) -> tuple[float, int]:
        seen, changed_at = -1, time.monotonic()
        while True:
            now, results = time.monotonic(), self._results()
            if results != seen:
                seen, changed_at = results, now
            if now >= until or (count is not None and results >= count):
                return now, results
            if now - changed_at > _LONGEST_SILENCE_SECONDS:
                raise TimeoutError(f"no result for {_LONGEST_SILENCE_SECONDS:.0f} s after {results}")
            for program in programs:
                program.check()
            time.sleep(_POLL_SECONDS)

    def _results(self) -> int:
        return sum(_added(client, each.results) for each, client in self._clients.items())

    def _used_by_servers(self) -> float:
        return sum(cpu_seconds(node.pid or 0) for node in self._cluster.nodes)


def _added(client: Any, key: str) -> int:
    try:
        return int(client.xinfo_stream(key)["entries-added"])
    except ResponseError:  # no result yet, so no such key
        return 0


def _used(programs: Sequence[Program]) -> float:
    return sum(program.processor_seconds for program in programs)
