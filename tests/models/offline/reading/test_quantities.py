"""Numbers by value: whatever digits and signs stand together, they are read, as what they may mean."""

import time
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_worker.models.offline.reading.quantities import find_quantities
from eval_worker.models.offline.reading.tokens import in_plain_numbers

DIGITS_AND_SIGNS = st.text(alphabet="0123456789.,/-−'’ %km", max_size=40)


def values_in(text: str) -> list[set[Decimal]]:
    return [set(one.readings) for one in find_quantities(text)]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1,234,567.5", ["1234567.5"]),
        ("1.234.567,5", ["1234567.5"]),
        ("1'234.5", ["1234.5"]),
        ("1 234,5", ["1234.5"]),
        ("1/4", ["0.25"]),
    ],
)
def test_a_number_is_read_as_it_is_grouped(text: str, values: list[str]):
    assert values_in(text) == [{Decimal(value)} for value in values]


def test_numbers_in_a_row_without_blanks_are_numbers_each():
    assert values_in("1,200,50") == [{Decimal(1200), Decimal("1.2")}, {Decimal(50)}]


@pytest.mark.parametrize("text", ["192.168.100.20", "10.100.200.1", "1.234.567.89", "-1/0", "0/0", "7/0"])
def test_addresses_versions_and_impossible_fractions_break_nothing(text: str):
    find_quantities(f"It is {text} there.")


@settings(max_examples=300)
@given(DIGITS_AND_SIGNS)
def test_no_row_of_digits_and_signs_breaks_anything(text: str):
    for one in find_quantities(in_plain_numbers(text)):
        assert one.readings
        assert one.end > one.start


def test_a_long_row_of_numbers_costs_no_more_than_its_length():
    started = time.process_time()
    assert in_plain_numbers("1," * 100_000).startswith("1,1,")
    assert time.process_time() - started < 5  # what is quadratic takes minutes
