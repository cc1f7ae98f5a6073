"""What a worker costs that has nothing to do: processor time and commands to Redis."""

import time
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.bench import Bench
from benchmarks.events import early_exit
from benchmarks.figures import Figure, Samples, Target, in_turns
from benchmarks.measurements.drain import BARE_LOOP
from benchmarks.processes import WORKER, running

NAME = "idle"
_SECONDS, _QUICK_SECONDS = 20.0, 1.0
_MOST_TURNS = 2  # they take long and differ little
_OWN_COMMANDS = {"cmdstat_info", "cmdstat_config|resetstat"}


def idle(bench: Bench) -> Iterator[Figure]:
    """Count while nothing comes, after an event has been settled."""
    turns = min(bench.effort.repeat, _MOST_TURNS)
    measures = [_idling(bench, WORKER, JUDGE_MODEL="offline"), _idling(bench, BARE_LOOP)]
    ours, bare = in_turns(turns, measures)
    for index, (what, unit, bound) in enumerate([("processor", "% of a core", 1.0), ("commands", "a second", 5.0)]):
        mine = Samples(f"idle, {what}", unit, tuple(each[index] for each in ours))
        other = Samples("a bare redis-py loop", unit, tuple(each[index] for each in bare))
        yield Figure(NAME, mine, other, Target.at_most(bound))


def _idling(bench: Bench, program: tuple[str, ...], **environment: str) -> Callable[[], tuple[float, float]]:
    seconds = _QUICK_SECONDS if bench.effort.quick else _SECONDS

    def measure() -> tuple[float, float]:
        bench.streams.lay_out(bench.streams.preload(early_exit, 1))
        with running(program, REDIS_URL=bench.server.url, **environment) as process:
            bench.streams.reach(1, float("inf"), [process])
            time.sleep(1)  # what a start brings with it comes to rest; an idle process gives no sign to wait for
            used = process.processor_seconds
            bench.streams.client.config_resetstat()
            time.sleep(seconds)
            commands = _commands(bench.streams.client) / seconds
            share = (process.processor_seconds - used) / seconds * 100
        bench.announce(f"  {program[-1]}: {share:.2f}% of a core, {commands:.1f} commands a second")
        return share, commands

    return measure


def _commands(client: Any) -> int:
    """Count the commands since the last reset, those that scripts ran included."""
    statistics = client.info("commandstats")
    return sum(each["calls"] for name, each in statistics.items() if name not in _OWN_COMMANDS)
