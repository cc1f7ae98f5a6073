"""What a provider allows is used, and hardly a call throttled, however it counts and however many workers share it."""

import asyncio
import random
from collections.abc import Callable

import pytest
import structlog
from tests.provider_limits.providers import (
    JUDGES,
    AcrossANetwork,
    Clock,
    FixedWindow,
    Provider,
    SlidingWindow,
    TokenBucket,
    calling_without_end,
)
from tests.virtual_time import in_virtual_time

from eval_worker.provider_limits.pace import Quotas
from eval_worker.provider_limits.pace_keeper import PacesInMemory

CALLS_PER_SECOND = 50
PROVIDERS: dict[str, Callable[[Clock, float, float], Provider]] = {
    "a bucket for a second": lambda clock, rate, latency: TokenBucket(clock, rate, latency, burst=rate),
    "a small bucket": lambda clock, rate, latency: TokenBucket(clock, rate, latency, burst=5),
    "a sliding window": SlidingWindow,
    "seconds of the clock": FixedWindow,
}


@pytest.fixture(autouse=True)
def of_chance_and_logs():
    random.seed(7)
    with structlog.testing.capture_logs():
        yield


def workers_at(
    kind: str,
    workers: int,
    latency: float,
    *,
    seconds: float,
    change: Callable[[Provider, float], None] = lambda *_: None,
) -> Provider:
    async def scenario(clock: Clock) -> Provider:
        provider = PROVIDERS[kind](clock, CALLS_PER_SECOND, latency)
        keeper = AcrossANetwork(PacesInMemory(Quotas(), clock))
        calling = [
            asyncio.ensure_future(calling_without_end(provider, keeper, events_at_once=16)) for _ in range(workers)
        ]
        for second in range(int(seconds)):
            change(provider, second)
            await asyncio.sleep(1)
        for worker in calling:
            worker.cancel()
        await asyncio.gather(*calling, return_exceptions=True)
        return provider

    return in_virtual_time(scenario)


@pytest.mark.parametrize("workers", [1, 4])
@pytest.mark.parametrize("latency", [0.02, 0.5])
@pytest.mark.parametrize("kind", PROVIDERS)
def test_nine_tenths_are_used_and_less_than_a_twentieth_is_throttled(kind: str, latency: float, workers: int):
    provider = workers_at(kind, workers, latency, seconds=30)

    assert provider.used(0, 30) > 0.9  # the start, when nothing is known, included
    assert provider.throttled_share(0, 30) < 0.05
    assert provider.used(10, 30) > 0.95
    assert provider.throttled_share(10, 30) < 0.03


def test_a_provider_that_takes_less_from_now_on_is_soon_asked_less():
    def change(provider: Provider, second: float) -> None:
        provider.calls_per_second = 50 if second < 15 else 10

    provider = workers_at("a sliding window", 4, 0.1, seconds=40, change=change)

    assert provider.used(20, 40) > 0.8
    assert provider.throttled_share(20, 40) < 0.15


def test_a_provider_that_takes_more_from_now_on_is_soon_asked_more():
    def change(provider: Provider, second: float) -> None:
        provider.calls_per_second = 50 if second < 15 else 150

    provider = workers_at("a sliding window", 4, 0.1, seconds=60, change=change)

    assert provider.used(40, 60) > 0.9


def test_a_provider_that_took_nothing_for_a_while_is_used_again_as_before():
    def change(provider: Provider, second: float) -> None:
        provider.calls_per_second = 0 if 15 <= second < 25 else 50

    provider = workers_at("a sliding window", 2, 0.1, seconds=70, change=change)

    assert len([time for time in provider.throttled if 15 <= time < 25]) < 150
    assert provider.used(55, 70) > 0.85


def test_a_provider_that_does_not_throttle_is_not_held_back():
    def without_a_limit(provider: Provider, _second: float) -> None:
        provider.calls_per_second = 1e9

    provider = workers_at("a sliding window", 1, 0.5, seconds=10, change=without_a_limit)

    slowest_of_five = 0.6
    assert not provider.throttled
    assert provider.used(5, 10) * 1e9 > 0.95 * 16 * JUDGES / slowest_of_five  # 16 events at once, all the time
