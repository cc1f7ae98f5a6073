"""The figures in words."""

import pytest
from tests.validation.pairs_made import pair

from eval_worker.evaluation.aggregate import Verdict
from eval_worker.validation.interpretation import band, interpret
from eval_worker.validation.measures import measure
from eval_worker.validation.pairs import Pair


def words(pairs: list[Pair], threshold: float = 0.3) -> str:
    return interpret(measure(pairs, thresholds=(0.8, 0.5), seed=0), threshold)


@pytest.mark.parametrize(
    ("tau", "name"),
    [
        (1.0, "very strong"),
        (0.7, "very strong"),
        (0.69, "strong"),
        (0.3, "moderate"),
        (0.29, "weak"),
        (0.0, "no"),
        (-0.09, "no"),
        (-0.1, "reversed"),
    ],
)
def test_each_tau_has_its_band(tau: float, name: str):
    assert band(tau) == name


def test_labels_that_are_all_equal_are_named_as_the_reason():
    assert "all human labels are 'pass'" in words([pair("pass", 0.9), pair("pass", 0.1)])


def test_verdicts_that_are_all_equal_are_named_as_the_reason():
    assert "all verdicts are 'fail'" in words([pair("pass", 0.2), pair("fail", 0.1)])


@pytest.mark.parametrize(("count", "reason"), [(0, "no record"), (1, "1 record is too few")])
def test_too_few_records_are_named_as_the_reason(count: int, reason: str):
    assert reason in words([pair("pass", 0.9)] * count)


def test_a_threshold_within_the_interval_is_pointed_out():
    pairs = [pair("pass", 0.9), pair("fail", 0.1), pair("fail", 0.9), pair("review", 0.6)] * 4

    assert "lies within the interval" in words(pairs, 0.5)
    assert "lies within the interval" not in words(pairs, -0.9)


def test_few_records_have_no_interval_and_it_says_so():
    assert "too few records for an interval" in words([pair("pass", 0.9), pair("fail", 0.1, verdict=Verdict.FAIL)])
