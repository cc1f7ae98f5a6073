"""The pace itself, where a clock or a provider does what it should not."""

import pytest

from eval_worker.provider_limits.pace import BEGUN_ANEW_SECONDS, FIRST_RATE, Pace, Quotas

LONG_AGO = 1_000_000.0


def paced_since(began: float, quotas: Quotas | None = None) -> Pace:
    pace = Pace(quotas or Quotas())
    pace.take(began, [])
    pace.throttled(began, None, 10)
    return pace


def first_wait(pace: Pace, now: float) -> float:
    grant = pace.take(now, [100.0])
    assert grant is not None
    return grant.waits[0]


@pytest.mark.parametrize("quotas", [Quotas(), Quotas(calls_per_minute=60), Quotas(tokens_per_minute=60_000)])
def test_a_clock_that_is_set_back_makes_nobody_wait_for_it(quotas: Quotas):
    pace = paced_since(LONG_AGO, quotas)
    now = LONG_AGO + 5
    waits = [first_wait(pace, now) for _ in range(20)]

    assert first_wait(pace, now - 3_600) < waits[-1] + 2


def test_that_a_provider_answers_again_counts_once_however_many_workers_say_so():
    pace = paced_since(LONG_AGO)
    for second in range(2, 42):
        pace.take(LONG_AGO + second, [0.0])
        pace.throttled(LONG_AGO + second, pace.rate, 0)
    now = LONG_AGO + 42
    slow = pace.rate
    assert slow is not None
    assert slow < FIRST_RATE / 2

    pace.recovered(now)
    assert pace.rate == FIRST_RATE
    for second in range(5):
        pace.take(now + second, [0.0])
        pace.throttled(now + second, pace.rate, 0)
    slower = pace.rate
    pace.recovered(now + BEGUN_ANEW_SECONDS - 1)
    assert pace.rate == slower
