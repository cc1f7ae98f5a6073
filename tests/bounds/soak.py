"""The tests of bounds at full length: `make soak`, or `python -m tests.bounds.soak --events 300000 --waiting 1000000`.

Takes some ten minutes and much of two cores.
"""

import itertools
import sys
import time
from collections.abc import Iterator
from typing import Any

import click
from tests.bounds.memory import (
    PATIENCE,
    TOLERANCE,
    Sample,
    cpu_seconds,
    growth,
    in_flight,
    running,
    sample,
    send_many,
    watch,
)
from tests.bounds.script_times import fill, measure
from tests.events import EVENTS
from tests.processes import Worker
from tests.waiting import eventually_sync

from eval_worker.embedded import EmbeddedServer
from eval_worker.redis_connection import connect_sync
from eval_worker.settings import Settings, load_settings

WARM_UP = 5_000
AHEAD = 20_000  # how many events are sent before the worker has settled those before them
SAMPLES = 15
JUDGED_OF_WAITING = 100_000
IDLE_SECONDS = 20.0
IDLE_SHARE = 0.03  # of a core
PENDING = 100_000
MOST_MILLISECONDS = 50.0


@click.command()
@click.option("--events", type=click.IntRange(min=WARM_UP + AHEAD), default=300_000, show_default=True)
@click.option("--waiting", type=click.IntRange(min=WARM_UP + AHEAD), default=1_000_000, show_default=True)
def main(events: int, waiting: int) -> None:
    """Watch a worker's memory over many events and under a large backlog; end with 1 if anything grows."""
    with EmbeddedServer.on_socket() as server:
        settings = load_settings(redis_url=server.url, judge_model="offline")
        with connect_sync(settings) as client:
            problems = [*_over_many_events(client, settings, events), *_under_a_backlog(client, settings, waiting)]
            problems += _script_times(client, waiting)
    for problem in problems:
        click.echo(problem, err=True)
    sys.exit(1 if problems else 0)


def _over_many_events(client: Any, settings: Settings, events: int) -> Iterator[str]:
    """Send as fast as it judges, so that the backlog stays small; then let it stand idle."""
    click.echo(f"\n{events:,} events, sent as they are judged")
    with running(settings) as worker:
        send_many(client, WARM_UP)
        samples = [_shown(each) for each in watch(client, worker, [WARM_UP], of=WARM_UP)]
        step = max(events // SAMPLES, AHEAD)
        for start in range(0, events, step):
            count = min(step, events - start)
            send_many(client, count, first=WARM_UP + start)
            eventually_sync(lambda: client.xlen(EVENTS) == 0, within=PATIENCE)
            samples.append(_shown(sample(client, worker, WARM_UP + start + count)))
        yield from _grown(samples)
        yield from _idle(worker)


def _under_a_backlog(client: Any, settings: Settings, waiting: int) -> Iterator[str]:
    click.echo(f"\n{waiting:,} events waiting before the worker starts")
    send_many(client, waiting)
    judged = min(JUDGED_OF_WAITING, waiting - WARM_UP)
    with running(settings) as worker:
        points = [0, *range(WARM_UP, WARM_UP + judged + 1, max(judged // SAMPLES, 1))]
        samples = [_shown(each) for each in watch(client, worker, points, of=waiting)]
        if (held := in_flight(worker)) > settings.read_ahead:
            yield f"{held:.0f} events read and not settled: more than READ_AHEAD"
    yield from _grown(samples[1:])
    client.flushall()


def _idle(worker: Worker) -> Iterator[str]:
    before, started = cpu_seconds(worker.process.pid), time.monotonic()
    time.sleep(IDLE_SECONDS)  # an idle worker gives no sign to wait for
    share = (cpu_seconds(worker.process.pid) - before) / (time.monotonic() - started)
    click.echo(f"idle: {share:.1%} of a core")
    if share > IDLE_SHARE:
        yield f"an idle worker uses {share:.1%} of a core"


def _script_times(client: Any, entries: int) -> Iterator[str]:
    pending = min(PENDING, entries // 2)
    click.echo(f"\nscripts with {entries:,} entries and {pending:,} pending, ms of the server's time")
    fill(client, entries=entries, pending=pending)
    for took in measure(client):
        click.echo(f"{took.what:42}{took.milliseconds:8.2f}")
        if took.milliseconds > MOST_MILLISECONDS:
            yield f"{took.what} holds up the server for {took.milliseconds:.0f} ms"


def _shown(each: Sample) -> Sample:
    figures = f"{each.events:>10,} judged {each.waiting:>10,} waiting"
    click.echo(f"{figures} {each.resident / 2**20:>8.1f} MiB {each.cpu_seconds:>8.1f} s of processor")
    return each


def _grown(samples: list[Sample]) -> Iterator[str]:
    share = growth(samples)
    sizes = [each.resident / 2**20 for each in samples]
    click.echo(f"after the warm-up {sizes[0]:.1f} MiB, at most {max(sizes):.1f} MiB: {share:+.1%}")
    if share > TOLERANCE:
        steepest = max(later - earlier for earlier, later in itertools.pairwise(sizes))
        yield f"memory grew by {share:.1%}, at most {steepest:.1f} MiB between two samples"


if __name__ == "__main__":
    main()
