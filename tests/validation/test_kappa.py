"""Cohen's kappa with quadratic weights, against figures worked out by hand and by another formula."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_worker.validation.agreement import agreement_rates, confusion_table, known
from eval_worker.validation.kappa import weighted_kappas

places = st.integers(min_value=0, max_value=2)


def kappa(human: list[int], verdicts: list[int]) -> float | None:
    return known(float(weighted_kappas(confusion_table(human, verdicts))))


def test_worked_out_by_hand():
    # Weights 0, 1/4, 1. Observed: one of four is a step apart: 1/16. Expected from margins (2, 1, 1) and (1, 2, 1):
    # ((2*2 + 1*1 + 1*1 + 1*2) / 4 + (2*1 + 1*1)) / 16 = 5/16.
    assert kappa([0, 0, 1, 2], [0, 1, 1, 2]) == pytest.approx(1 - (1 / 16) / (5 / 16))


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(places, places), min_size=1, max_size=40))
def test_quadratic_weights_are_the_concordance_of_means_and_variances(pairs: list[tuple[int, int]]):
    """With these weights kappa is 2 cov / (var + var + (difference of means)^2) (Fleiss and Cohen, 1973)."""
    human, verdicts = (np.asarray([pair[side] for pair in pairs], dtype=float) for side in (0, 1))
    covariance = float(np.mean(human * verdicts) - human.mean() * verdicts.mean())
    spread = float(human.var() + verdicts.var() + (human.mean() - verdicts.mean()) ** 2)

    found = kappa(human.astype(int).tolist(), verdicts.astype(int).tolist())

    if spread < 1e-12:
        assert found is None
    else:
        assert found == pytest.approx(2 * covariance / spread, abs=1e-9)


def test_a_far_miss_costs_more_than_a_near_one():
    near, far = kappa([0, 1, 2, 2], [0, 1, 2, 1]), kappa([0, 1, 2, 2], [0, 1, 2, 0])

    assert near is not None
    assert far is not None
    assert near > far


def test_it_is_undefined_where_both_always_say_the_same():
    assert kappa([2, 2, 2], [2, 2, 2]) is None


def test_the_agreement_rate_is_the_share_on_the_diagonal_and_undefined_without_records():
    assert known(float(agreement_rates(confusion_table([0, 1, 2, 2], [0, 1, 2, 1])))) == 0.75
    assert known(float(agreement_rates(confusion_table([], [])))) is None
