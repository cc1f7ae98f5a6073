"""Early-exit events by other frameworks, which run the same prechecks the way their documentation shows."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchmarks.bench import Bench
from benchmarks.events import early_exit
from benchmarks.figures import Figure, Target, Throughput
from benchmarks.measurements.drain import drained
from benchmarks.peers.environments import NotInstalledError, python_with
from benchmarks.processes import WORKER, run_to_its_end, running
from benchmarks.streams import Span

NAME = "peers"
_WARM_UP = 300


@dataclass(frozen=True, slots=True)
class Peer:
    """`packages` names the list of what it needs. `sent` events a second are more than it can do."""

    what: str
    packages: str
    program: str
    work: tuple[str, ...]
    sent: int = 1_500
    target: Target | None = None


PEERS = (
    Peer(
        "FastStream, one message a call",
        "faststream",
        "faststream_messages",
        ("-m", "faststream", "run", "benchmarks.peers.faststream_messages:app"),
        sent=3_000,
        target=Target.at_least_ratio(5),
    ),
    Peer(
        "FastStream, 256 messages a call",
        "faststream",
        "faststream_batches",
        ("-m", "faststream", "run", "benchmarks.peers.faststream_batches:app"),
        sent=12_000,
    ),
    Peer(
        "taskiq-redis",
        "taskiq",
        "taskiq_tasks",
        ("-m", "taskiq", "worker", "benchmarks.peers.taskiq_tasks:broker", "--workers", "1"),
    ),
    Peer(
        "streaQ",
        "streaq",
        "streaq_tasks",
        ("-m", "streaq", "run", "benchmarks.peers.streaq_tasks:worker"),
    ),
    Peer(
        "dramatiq",
        "dramatiq",
        "dramatiq_actors",
        ("-m", "dramatiq", "benchmarks.peers.dramatiq_actors", "--processes", "1"),
        sent=3_000,
    ),
    Peer("arq", "arq", "arq_jobs", ("-m", "arq", "benchmarks.peers.arq_jobs.WorkerSettings")),
    Peer(
        "Celery, solo pool",
        "celery",
        "celery_tasks",
        ("-m", "celery", "--app", "benchmarks.peers.celery_tasks", "worker", "--pool", "solo"),
    ),
)


def peers(bench: Bench) -> Iterator[Figure]:
    """Measure the worker and every peer that can be installed here."""
    installed = [(peer, python) for peer in PEERS if (python := _python(bench, peer)) is not None]
    ours = ("early-exit events, eval-worker", drained(bench, early_exit, WORKER, JUDGE_MODEL="offline"))
    theirs = [(peer.what, _working(bench, peer, python)) for peer, python in installed]
    worker, *others = bench.throughputs("events", [ours, *theirs])
    for (peer, _), other in zip(installed, others, strict=True):
        yield Figure(NAME, worker.a_second, other.a_second, peer.target)
        yield Figure(NAME, worker.a_processor_second, other.a_processor_second)


def _python(bench: Bench, peer: Peer) -> str | None:
    try:
        return python_with(peer.packages)
    except NotInstalledError as problem:
        bench.announce(f"  {peer.what} is left out, since it can't be installed here: {problem}")
        return None


def _working(bench: Bench, peer: Peer, python: str) -> Callable[[], Throughput]:
    """Return what measures the events a second that the peer settles of those that its own client has sent."""
    count = int(peer.sent * bench.effort.seconds) + _WARM_UP
    span = Span(_WARM_UP, count, bench.effort.seconds)

    def measure() -> Throughput:
        bench.streams.lay_out()
        run_to_its_end(("-m", "benchmarks.peers", peer.program, str(count)), python=python, REDIS_URL=bench.server.url)
        with running(peer.work, python=python, REDIS_URL=bench.server.url) as started:
            return bench.streams.throughput(span, started)

    return measure
