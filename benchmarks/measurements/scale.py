"""More workers on one stream, and the parts of the work on their own: prechecks, offline model, batch, HTTP."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.servers.ports import free_port

from benchmarks.bench import Bench
from benchmarks.events import early_exit, judged
from benchmarks.figures import Figure, Throughput
from benchmarks.measurements.drain import drained
from benchmarks.processes import WORKER, listening, run_to_its_end, running, throughput_of

NAME = "scale"
_WORKERS = (2, 4)
_BATCH_EVENTS, _BATCH_EVENTS_QUICKLY = 1_000, 200
_API = ("-m", "eval_worker", "api", "--judge-model", "offline")
_ECHO = ("-m", "benchmarks.limits.echo_server")
_CONNECTIONS = "16"


def scale(bench: Bench) -> Iterator[Figure]:
    """Each line stands beside what it is made of."""
    yield from _workers(bench)
    yield from _parts(bench)
    yield _http(bench)


def _workers(bench: Bench) -> Iterator[Figure]:
    measures = [
        (f"early-exit events, {count} worker{'s' if count > 1 else ''}", _together(bench, count))
        for count in (1, *_WORKERS)
    ]
    one, *more = bench.throughputs("events", measures)
    for several in more:
        yield Figure(NAME, several.a_second, one.a_second)


def _parts(bench: Bench) -> Iterator[Figure]:
    seconds = bench.effort.seconds
    parts = {
        "early-exit events decoded and prechecked, in process": "early-exits",
        "events that pass decoded and prechecked, in process": "prechecks",
        "events judged by the offline model, in process": "offline",
        "events parsed and written as JSON": "json",
    }
    measures = [(what, _in_process(part, seconds)) for what, part in parts.items()]
    exits, prechecked, offline, parsed = bench.throughputs("events", measures)
    for each in (exits, prechecked, offline):
        yield Figure(NAME, each.a_second, parsed.a_second)
    (batch,) = bench.samples("events/s", [("eval-worker batch, offline model, start included", lambda: _batch(bench))])
    yield Figure(NAME, batch, offline.a_second)


def _http(bench: Bench) -> Figure:
    measures = [
        ("POST /api/v1/evaluate, early-exit events", _served(bench, _API, EVAL_AGENT_API_PORT="{port}")),
        ("FastAPI on uvicorn, the body sent back", _served(bench, _ECHO, PORT="{port}")),
    ]
    ours, echo = bench.samples("requests/s", measures)
    return Figure(NAME, ours, echo)


def _together(bench: Bench, count: int) -> Callable[[], Throughput]:
    return drained(bench, early_exit, WORKER, workers=count, JUDGE_MODEL="offline")


def _in_process(part: str, seconds: float) -> Callable[[], Throughput]:
    return lambda: throughput_of(("-m", "benchmarks.subjects.in_process", part, str(seconds)))


def _batch(bench: Bench) -> float:
    count = _BATCH_EVENTS_QUICKLY if bench.effort.quick else _BATCH_EVENTS
    with TemporaryDirectory(prefix="eval-worker-benchmark-") as folder:
        events, results = Path(folder) / "events.jsonl", Path(folder) / "results.jsonl"
        events.write_bytes(b"".join(judged(number) + b"\n" for number in range(count)))
        began_at = time.monotonic()
        options = ("--input", str(events), "--output", str(results), "--judge-model", "offline")
        run_to_its_end(("-m", "eval_worker", "batch", *options))
        return count / (time.monotonic() - began_at)


def _served(bench: Bench, program: tuple[str, ...], **environment: str) -> Callable[[], float]:
    """Return what measures the requests a second that a server answers."""
    seconds = bench.effort.seconds

    def measure() -> float:
        port = str(free_port())
        named = {name: value.format(port=port) for name, value in environment.items()}
        with running(program, **named) as server:
            listening(server, int(port))
            url = f"http://127.0.0.1:{port}"
            asking = ("-m", "benchmarks.limits.http_requests", "evaluate", url, _CONNECTIONS, str(seconds))
            return throughput_of(asking).a_second

    return measure
