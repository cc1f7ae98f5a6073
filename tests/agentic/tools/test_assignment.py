"""The assignment is the best there is."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from eval_worker.agentic.tools.assignment import best_assignment


@st.composite
def matrices(draw: st.DrawFn) -> list[list[int]]:
    rows = draw(st.integers(1, 7))
    columns = draw(st.integers(rows, 9))
    cells = st.integers(-3, draw(st.sampled_from([0, 1, 5, 10**6])))
    return [[draw(cells) for _ in range(columns)] for _ in range(rows)]


@settings(max_examples=80, deadline=None)
@given(matrices())
def test_it_is_worth_as_much_as_scipys(values: list[list[int]]):
    columns = best_assignment(values)

    assert len(set(columns)) == len(values)
    worth = sum(row[column] for row, column in zip(values, columns, strict=True))
    assert worth == np.asarray(values)[linear_sum_assignment(values, maximize=True)].sum()


@pytest.mark.parametrize(("rows", "columns"), [(7, 7), (12, 15), (30, 30), (30, 40)])
def test_it_is_worth_as_much_as_scipys_where_many_rows_contend(rows: int, columns: int):
    draw = np.random.default_rng(rows * columns)
    for values in draw.integers(0, 1000, size=(20, rows, columns)):
        chosen = best_assignment(values.tolist())

        assert values[range(rows), chosen].sum() == values[linear_sum_assignment(values, maximize=True)].sum()


def test_whole_numbers_beyond_those_a_float_can_tell_apart_are_added_exactly():
    assert best_assignment([[10**30, 10**30 + 1], [10**30, 10**30]]) == [1, 0]


def test_a_hundred_rows_that_contend_for_the_same_columns_are_assigned():
    values = [[row * column for column in range(100)] for row in range(100)]

    assert best_assignment(values) == list(range(100))


def test_nothing_is_assigned_to_nothing():
    assert best_assignment([]) == []
