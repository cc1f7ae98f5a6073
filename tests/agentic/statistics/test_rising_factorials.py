"""The one closed form behind moments and binomial quotients, against exact arithmetic and known identities."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agentic.statistics.fractions_of_counts import off_by, rising

from eval_worker.agentic.statistics.rising_factorials import log_rising_ratio


@pytest.mark.parametrize("k", [1, 2, 15, 16, 17, 1000])
@pytest.mark.parametrize(("a", "b"), [(1, 1), (1, 10**6), (10**6, 1), (15, 16), (17, 3), (700_000, 300_000)])
def test_it_is_what_exact_arithmetic_says(a: int, b: int, k: int):
    ratio = Fraction(rising(a, k), rising(a + b, k))

    if ratio > Fraction(1, 10**300):
        assert off_by(math.exp(log_rising_ratio(a, b, k)), ratio) < 1e-12
        assert off_by(-math.expm1(log_rising_ratio(a, b, k)), 1 - ratio) < 1e-14


def test_a_million_steps_take_no_longer_than_a_few_and_have_a_closed_form_of_their_own():
    # (a)_k / (a + 1)_k = a / (a + k)
    assert log_rising_ratio(0.5, 1, 10**15) == pytest.approx(math.log(0.5 / (0.5 + 10**15)), rel=1e-14)
    assert log_rising_ratio(300.25, 1, 10**6) == pytest.approx(math.log(300.25 / 1_000_300.25), rel=1e-14)


@settings(max_examples=60, deadline=None)
@given(a=st.floats(1e-9, 1e6), b=st.floats(1e-9, 1e6), k=st.integers(1, 10**6), split=st.floats(0, 1))
def test_k_steps_are_some_of_them_and_then_the_others(a: float, b: float, k: int, split: float):
    first = int(split * k)

    in_two = log_rising_ratio(a, b, first) + log_rising_ratio(a + first, b, k - first)

    assert in_two == pytest.approx(log_rising_ratio(a, b, k), rel=1e-12)


def test_with_nothing_added_or_no_step_nothing_changes():
    assert log_rising_ratio(123.5, 0.0, 1000) == 0.0
    assert log_rising_ratio(3.0, 2.0, 0) == 0.0
