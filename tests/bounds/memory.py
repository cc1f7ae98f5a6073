"""The resident memory of a real worker process, watched while it judges."""

import json
import os
import subprocess
import urllib.request
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.events import EVENTS, event, rubbish
from tests.processes import Worker, environment_for
from tests.waiting import eventually_sync

from eval_worker.settings import Settings

JUDGED_ONE_IN = 50  # the others exit early
TOLERANCE = 0.10
PATIENCE = 120.0
_BATCH = 1_000


@dataclass(frozen=True)
class Sample:
    """`resident` bytes and `cpu_seconds` of the process, after so many events, with so many still on the stream."""

    events: int
    waiting: int
    resident: int
    cpu_seconds: float


def growth(samples: Sequence[Sample]) -> float:
    """How far the samples rise above the first one, as a share of it."""
    first = samples[0].resident
    return max(sample.resident - first for sample in samples) / first


def send_many(client: Any, count: int, *, first: int = 0) -> None:
    """Events that differ as real ones do; of so many, one is for the judges."""
    for start in range(first, first + count, _BATCH):
        pipeline = client.pipeline(transaction=False)
        for number in range(start, min(start + _BATCH, first + count)):
            pipeline.xadd(EVENTS, {"payload": json.dumps(_event(number))})
        pipeline.execute()


def watch(client: Any, worker: Worker, points: Sequence[int], *, of: int) -> Iterator[Sample]:
    """Yield a sample each time that so many of the entries that were sent have been settled, and so deleted."""
    for point in points:
        eventually_sync(lambda point=point: of - client.xlen(EVENTS) >= point, within=PATIENCE)
        yield sample(client, worker, point)


def sample(client: Any, worker: Worker, events: int) -> Sample:
    pid = worker.process.pid
    return Sample(events, client.xlen(EVENTS), resident(pid), cpu_seconds(pid))


def in_flight(worker: Worker) -> float:
    """How many entries it holds, by its own metrics."""
    with urllib.request.urlopen(f"{worker.address}/metrics", timeout=60) as reply:
        lines = reply.read().decode().splitlines()
    return next(float(line.partition(" ")[2]) for line in lines if line.startswith("eval_in_flight "))


def resident(pid: int) -> int:
    """/proc has it on Linux, ps elsewhere."""
    statm = Path(f"/proc/{pid}/statm")
    if statm.exists():
        return int(statm.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    done = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True)
    return int(done.stdout) * 1024


def cpu_seconds(pid: int) -> float:
    """Where there is no /proc it is not known."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return float("nan")
    fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()  # the name before it may hold anything
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def running(settings: Settings, *program: str) -> Generator[Worker]:
    """A worker process. Of its results only the last are kept, so that Redis stays small."""
    worker = Worker(environment_for(settings, RESULTS_MAXLEN="1000"), *program)
    try:
        worker.wait_until_ready()
        yield worker
    finally:
        worker.end()


def _event(number: int) -> dict[str, Any]:
    if number % JUDGED_ONE_IN:
        return rubbish(f"evt-{number:07}")
    return event(f"evt-{number:07}", answer=f"The capital of France is Paris, as document {number} says.")
