"""`python -m benchmarks.subjects.in_process WHAT SECONDS`: a part of the work alone, in one thread, without Redis.

WHAT is `json` (each event parsed and written again: what comparing them to costs least), `prechecks` (decoded and
prechecked) or `offline` (judged by the offline model, and written as a result).
"""

import asyncio
import json
import sys
import time
from collections.abc import Callable

from benchmarks.events import early_exit, judged
from benchmarks.figures import Throughput
from benchmarks.limits.timing import Stopwatch, tell
from eval_worker.evaluator import Evaluator
from eval_worker.event import decode_event
from eval_worker.models.offline import OfflineModel
from eval_worker.result import Result
from eval_worker.settings import load_settings
from eval_worker.wiring.judging import build_assessor, build_evaluator, read_judges

_WARM_UP = 200
_LARGEST = 2**20


def parsed_and_written() -> Callable[[int], object]:
    return lambda number: json.dumps(json.loads(judged(number)))


def prechecked(payload: Callable[[int], bytes]) -> Callable[[int], object]:
    settings = load_settings(judge_model="offline")
    assessor = build_assessor(settings, read_judges(settings), OfflineModel())
    return lambda number: assessor.begin(decode_event(payload(number), max_bytes=_LARGEST))


async def judged_offline(seconds: float) -> Throughput:
    settings = load_settings(judge_model="offline")
    evaluator: Evaluator = build_evaluator(settings, read_judges(settings), OfflineModel())
    for number in range(_WARM_UP):
        await _judge(evaluator, number)
    stopwatch, ends_at, done = Stopwatch(0), time.monotonic() + seconds, 0
    while time.monotonic() < ends_at:
        await _judge(evaluator, _WARM_UP + done)
        done += 1
    return stopwatch.throughput(done)


async def _judge(evaluator: Evaluator, number: int) -> None:
    result = await evaluator.evaluate(decode_event(judged(number), max_bytes=_LARGEST))
    assert isinstance(result, Result), result


def timed(work: Callable[[int], object], seconds: float) -> Throughput:
    for number in range(_WARM_UP):
        work(number)
    stopwatch, ends_at, done = Stopwatch(0), time.monotonic() + seconds, 0
    while time.monotonic() < ends_at:
        work(_WARM_UP + done)
        done += 1
    return stopwatch.throughput(done)


def main(what: str, seconds: float) -> Throughput:
    match what:
        case "json":
            return timed(parsed_and_written(), seconds)
        case "prechecks":
            return timed(prechecked(judged), seconds)
        case "early-exits":
            return timed(prechecked(early_exit), seconds)
        case "offline":
            return asyncio.run(judged_offline(seconds))
        case _:
            raise ValueError(f"{what} is none of json, prechecks, early-exits, offline")


if __name__ == "__main__":
    tell(main(sys.argv[1], float(sys.argv[2])))
