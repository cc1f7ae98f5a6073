"""Weights shift what counts, and wrong ones are refused by name."""

import sys
from typing import Any

import pytest
from tests.agentic.tools.calls import call, score


def unused_and_half_wrong(weights: dict[str, Any]) -> float:
    """Selection 1, parameters 0.5, sequence 1, utilization 0."""
    return score([call("t", a=1, b=2)], [call("t", a=1, b=3)], uses_tools=False, weights=weights).overall_correctness


def test_weights_are_scaled_to_a_sum_of_one():
    weights = {"selection": 2, "parameters": 4, "sequence": 0, "utilization": 2}

    assert unused_and_half_wrong(weights) == (2 + 4 * 0.5) / 8


def test_an_aspect_that_is_not_named_keeps_a_quarter():
    assert unused_and_half_wrong({"utilization": 0}) == pytest.approx(2.5 / 3)
    assert unused_and_half_wrong({}) == 2.5 / 4


@pytest.mark.parametrize("weight", [5e-324, sys.float_info.max, 10**300])
def test_weights_of_any_size_are_fine(weight: float):
    weights: dict[str, Any] = {"selection": weight, "parameters": weight, "sequence": weight, "utilization": weight}

    assert unused_and_half_wrong(weights) == 2.5 / 4


@pytest.mark.parametrize(
    ("weights", "problem"),
    [
        ({"selections": 1}, "weights: 'selections' is none of selection, parameters, sequence, utilization"),
        ({"selection": -0.1}, "weights: selection must be a finite number of at least 0, not -0.1"),
        ({"sequence": float("nan")}, "weights: sequence must be a finite number of at least 0, not nan"),
        ({"sequence": float("inf")}, "weights: sequence must be a finite number of at least 0, not inf"),
        ({"sequence": "0.5"}, "weights: sequence must be a finite number of at least 0, not '0.5'"),
        (dict.fromkeys(("selection", "parameters", "sequence", "utilization"), 0), "weights: all are 0"),
    ],
)
def test_weights_that_can_not_be_are_refused_by_name(weights: dict[str, Any], problem: str):
    with pytest.raises(ValueError, match=problem):
        unused_and_half_wrong(weights)
