"""`python -m benchmarks.limits.converse_threads THREADS SECONDS`: bare boto3 threads that do nothing but converse.

They share one client, as the worker's do, and send what the worker would: five judges' requests an event, made
beforehand. Retries are off.
"""

import itertools
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import boto3
from botocore.config import Config

from benchmarks.events import judged
from benchmarks.figures import Throughput
from benchmarks.limits.timing import Stopwatch, tell
from eval_worker.evaluation.judges.request import JudgeRequest
from eval_worker.event import Event, decode_event
from eval_worker.models.bedrock.request import OutputMode, converse_request
from eval_worker.settings import DEFAULT_MODEL_ID, load_settings
from eval_worker.wiring.judging import read_judges

_EVENTS = 100
_WARM_UP_SECONDS = 0.5
_MEGABYTE = 2**20


def requests() -> list[dict[str, Any]]:
    """Return the requests of every judge for a hundred events, one event after the other."""
    judges = read_judges(load_settings(judge_model="offline")).judges
    return [
        converse_request(JudgeRequest(judge, event.as_interaction()), DEFAULT_MODEL_ID, OutputMode.TOOL, nonce="0" * 16)
        for event in _events()
        for judge in judges
    ]


def _events() -> Iterator[Event]:
    for number in range(_EVENTS):
        event = decode_event(judged(number), max_bytes=_MEGABYTE)
        assert isinstance(event, Event)
        yield event


def main(threads: int, seconds: float) -> None:
    tell(converse(threads, seconds))


def converse(threads: int, seconds: float) -> Throughput:
    config = Config(max_pool_connections=threads, retries={"total_max_attempts": 1, "mode": "standard"})
    client: Any = boto3.client("bedrock-runtime", config=config)
    pending = itertools.cycle(requests())  # its next() is one step to the interpreter, so threads may share it
    answered = itertools.count()
    ended = threading.Event()

    def call() -> None:
        while not ended.is_set():
            client.converse(**next(pending))
            next(answered)

    for _ in range(threads):
        threading.Thread(target=call, daemon=True).start()
    time.sleep(_WARM_UP_SECONDS)
    stopwatch = Stopwatch(next(answered))
    time.sleep(seconds)
    throughput = stopwatch.throughput(next(answered) - 1)
    ended.set()
    return throughput


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
