"""A worker's memory depends neither on how much it has judged nor on how much waits. `make soak` takes longer looks."""

from typing import Any

from tests.bounds import leaky_worker
from tests.bounds.memory import TOLERANCE, growth, in_flight, running, send_many, watch

from eval_worker.settings import Settings

WARM_UP = 2_000
READ_AHEAD = 256


def test_memory_is_flat_over_the_events_and_the_backlog_is_not_read_ahead(settings: Settings, redis_client: Any):
    events = 20_000
    send_many(redis_client, events)

    with running(settings) as worker:
        samples = []
        for sample in watch(redis_client, worker, range(WARM_UP, events + 1, 2_000), of=events):
            samples.append(sample)
            assert in_flight(worker) <= READ_AHEAD

    assert samples[0].waiting > events * 0.5
    assert samples[-1].waiting == 0
    assert growth(samples) < TOLERANCE, samples


def test_a_leak_of_a_thousand_bytes_an_event_is_seen(settings: Settings, redis_client: Any):
    events = 10_000
    send_many(redis_client, events)

    with running(settings, leaky_worker.__file__) as worker:
        samples = list(watch(redis_client, worker, range(WARM_UP, events + 1, 2_000), of=events))

    assert growth(samples) > TOLERANCE, samples
