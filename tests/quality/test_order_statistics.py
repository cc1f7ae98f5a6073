"""Figures of many resamples at once: each is what the textbook says of the records as they were drawn."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_worker.quality.order_statistics import Auroc, TauB, means, rightly_ordered, taus_of_groups
from eval_worker.validation.tau import tau_b

few = st.integers(min_value=0, max_value=3)
many = st.integers(min_value=0, max_value=40)
drawn = st.integers(min_value=0, max_value=3)


def columns(*arguments: list[float]) -> list[np.ndarray]:
    return [np.asarray(each, dtype=np.float64) for each in arguments]


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(few | many, few | many, drawn), min_size=1, max_size=40))
def test_tau_b_of_a_resample_is_the_tau_b_of_the_records_drawn(records: list[tuple[int, int, int]]):
    scores, human, draws = columns(*map(list, zip(*records, strict=True)))

    found = TauB(scores, human)(np.stack((np.ones(len(draws)), draws), axis=1))

    for figure, counts in zip(found, (np.ones(len(draws)), draws), strict=True):
        times = counts.astype(int)
        expected = tau_b(np.repeat(scores, times).tolist(), np.repeat(human, times).tolist())
        assert (expected is None and math.isnan(figure)) or math.isclose(figure, expected or 0.0, abs_tol=1e-12)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(few, st.booleans(), drawn), min_size=1, max_size=30))
def test_auroc_is_the_share_of_good_and_bad_that_are_in_order(records: list[tuple[int, bool, int]]):
    scores, draws = columns([each[0] for each in records], [each[2] for each in records])
    good = np.asarray([each[1] for each in records])

    (found,) = Auroc(scores, good)(draws[:, np.newaxis])

    times = draws.astype(int)
    above, below = np.repeat(scores[good], times[good]), np.repeat(scores[~good], times[~good])
    pairs = [(one > other) + (one == other) / 2 for one in above for other in below]
    assert math.isclose(found, sum(pairs) / len(pairs)) if pairs else math.isnan(found)


def test_of_a_large_sample_each_pair_is_counted_once():
    random = np.random.default_rng(3)
    scores, human = random.random(3_000), random.integers(0, 900, 3_000).astype(np.float64)

    (found,) = TauB(scores, human)(np.ones((3_000, 1)))

    assert found == pytest.approx(tau_b(scores.tolist(), human.tolist()), abs=1e-12)


def test_groups_that_people_found_all_alike_are_left_out_and_equal_scores_order_nothing():
    scores, human = columns([1, 2, 5, 5, 1, 2, 3], [0, 1, 0, 1, 1, 1, 1])

    taus = taus_of_groups(scores, human, np.asarray([0, 0, 1, 1, 2, 2, 3]), 4)

    assert taus[:2].tolist() == [1.0, 0.0]
    assert np.isnan(taus[2:]).all()
    assert means(taus, np.ones((4, 1))).tolist() == [0.5]
    assert means(taus, np.asarray([[3.0], [1.0], [9.0], [0.0]])).tolist() == [0.75]


def test_a_pair_with_equal_scores_is_half_right():
    assert rightly_ordered(*columns([2, 1, 0], [1, 1, 1])).tolist() == [1.0, 0.5, 0.0]
