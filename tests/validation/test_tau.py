"""Kendall's tau-b: scipy's own figure, computed from the table, with ties handled."""

import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from eval_worker.validation.agreement import confusion_table, known
from eval_worker.validation.tau import tau_b, taus_b_of_tables

places = st.integers(min_value=0, max_value=2)


def of_table(human: list[int], verdicts: list[int]) -> float | None:
    return known(float(taus_b_of_tables(confusion_table(human, verdicts))))


def of_scipy(human: list[int], verdicts: list[int]) -> float | None:
    found: Any = stats.kendalltau(human, verdicts)
    return known(float(found.statistic))


@settings(deadline=None)
@given(st.lists(st.tuples(places, places), min_size=2, max_size=60))
def test_tau_of_a_table_is_scipys_whatever_is_tied(pairs: list[tuple[int, int]]):
    human, verdicts = ([pair[side] for pair in pairs] for side in (0, 1))

    expected = of_scipy(human, verdicts) if len(set(human)) > 1 and len(set(verdicts)) > 1 else None

    found = of_table(human, verdicts)
    assert (found is None) == (expected is None)
    assert found is None or expected is None or math.isclose(found, expected, abs_tol=1e-12)
    assert tau_b(human, verdicts) == expected


@pytest.mark.parametrize("seed", range(3))
def test_a_stack_of_tables_has_each_tables_own_tau_and_many_records_do_not_overflow(seed: int):
    draw = random.Random(seed)
    samples = [[(draw.randrange(3), draw.randrange(3)) for _ in range(5_000)] for _ in range(3)]
    tables = np.stack([confusion_table(*map(list, zip(*sample, strict=True))) for sample in samples])

    expected = [of_scipy(*map(list, zip(*sample, strict=True))) for sample in samples]

    assert taus_b_of_tables(tables) == pytest.approx(expected, abs=1e-12)
    assert taus_b_of_tables(tables * 100_000)[0] == pytest.approx(expected[0], abs=1e-3)


def test_perfect_agreement_on_five_pass_and_five_fail_is_1_though_nearly_all_pairs_are_tied():
    labels = [2] * 5 + [0] * 5

    assert of_table(labels, labels) == tau_b(labels, labels) == 1.0
    without_ties = 25 / 45  # concordant pairs over all pairs
    assert round(without_ties, 2) == 0.56


def test_the_reverse_order_is_minus_1():
    assert of_table([0, 1, 2], [2, 1, 0]) == tau_b([0, 1, 2], [2, 1, 0]) == -1.0


@pytest.mark.parametrize(("human", "verdicts"), [([], []), ([2], [2]), ([2, 2], [0, 2]), ([0, 2], [1, 1])])
def test_tau_is_undefined_where_there_is_no_order(human: list[int], verdicts: list[int]):
    assert of_table(human, verdicts) is None
    assert tau_b(human, verdicts) is None
