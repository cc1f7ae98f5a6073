"""Intervals: deterministic, as wide as they should be, and absent where there is too little to tell."""

import numpy as np
import pytest
from scipy import stats

from eval_worker.validation.agreement import agreement_rates, confusion_table
from eval_worker.validation.bootstrap import percentile_interval, resampled_tables


def interval_of_agreement(agreed: int, total: int, *, seed: int = 0) -> tuple[float, float]:
    table = confusion_table([2] * total, [2] * agreed + [0] * (total - agreed))
    drawn = resampled_tables(table, seed=seed)
    assert drawn is not None
    interval = percentile_interval(agreement_rates(drawn))
    assert interval is not None
    return interval


def test_the_same_seed_gives_the_same_interval_and_another_seed_nearly_the_same():
    assert interval_of_agreement(70, 100) == interval_of_agreement(70, 100)
    assert interval_of_agreement(70, 100, seed=1) == pytest.approx(interval_of_agreement(70, 100), abs=0.02)


def test_of_a_share_it_is_the_binomials_interval():
    low, high = interval_of_agreement(70, 100)

    assert (low, high) == pytest.approx(tuple(stats.binom(100, 0.7).ppf([0.025, 0.975]) / 100), abs=0.011)


def test_more_records_make_it_narrower():
    few, many = interval_of_agreement(70, 100), interval_of_agreement(7000, 10_000)

    assert many[1] - many[0] < (few[1] - few[0]) / 8


def test_there_is_none_of_fewer_than_ten_records():
    assert resampled_tables(confusion_table([0, 2] * 4, [0, 2] * 4), seed=0) is None


def test_there_is_none_where_the_figure_is_undefined_in_many_resamples():
    assert percentile_interval(np.asarray([0.5] * 90 + [np.nan] * 10)) is None
    assert percentile_interval(np.asarray([0.5] * 96 + [np.nan] * 4)) == (0.5, 0.5)
