"""Arguments compare as JSON does, and as leniently as the expected call says."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agentic.tools.calls import call, score


def accuracy(used: dict[str, Any], expected: dict[str, Any], **lenience: Any) -> float:
    return score([call("t", **used)], [{**call("t", **expected), **lenience}]).parameter_accuracy


@pytest.mark.parametrize(
    ("used", "expected"),
    [
        (1, 1.0),
        (10**20, 1e20),
        (0.0, -0.0),
        (None, None),
        (float("nan"), float("nan")),
        (float("inf"), float("inf")),
        ([1, [2.0, "x"]], [1.0, [2, "x"]]),
        ((1, 2), [1, 2]),
        ({"a": 1, "b": [None]}, {"b": [None], "a": 1.0}),
        ("", ""),
    ],
)
def test_what_json_holds_equal_is_equal(used: Any, expected: Any):
    assert accuracy({"x": used}, {"x": expected}) == 1.0


@pytest.mark.parametrize(
    ("used", "expected"),
    [
        ("1", 1),
        (True, 1),
        (0, False),
        (1.0, True),
        (None, 0),
        (None, "null"),
        ("", None),
        ("Paris", "paris"),
        ("Paris ", "Paris"),
        ([1, 2], [2, 1]),
        ([1], 1),
        ([1], [1, 1]),
        ([True], [1]),
        ({"a": 1}, {"a": 1, "b": None}),
        ({"a": "1"}, {"a": 1}),
        ({"A": 1}, {"a": 1}),
        (0.1 + 0.2, 0.3),
    ],
)
def test_what_json_tells_apart_is_wrong(used: Any, expected: Any):
    assert accuracy({"x": used}, {"x": expected}) == 0.0


def test_null_is_a_value_and_not_a_missing_argument():
    assert accuracy({}, {"x": None}) == 0.0
    assert accuracy({"x": None}, {}) == 0.0


def test_a_call_without_arguments_is_right_as_a_whole():
    assert accuracy({}, {}) == 1.0
    assert score([{"tool_name": "t"}], [{"tool_name": "t", "parameters": None}]).is_correct


def test_the_share_is_of_the_arguments_of_both_calls():
    assert accuracy({"a": 1, "b": 2, "d": 4}, {"a": 1, "b": 0, "c": 3}) == 1 / 4


def test_each_accepted_value_is_right_and_so_is_the_expected_one():
    for city in ("Rome", "Roma", "FCO"):
        assert accuracy({"to": city}, {"to": "Rome"}, accepted={"to": ["Roma", "FCO"]}) == 1.0
    assert accuracy({"to": "Milan"}, {"to": "Rome"}, accepted={"to": ["Roma", "FCO"]}) == 0.0


@pytest.mark.parametrize("spelling", ["new york city", "New-York_City", "NEW YORK, CITY.", "*New* York/City^"])
def test_accepted_text_is_compared_without_case_spaces_and_punctuation(spelling: str):
    assert accuracy({"x": spelling}, {"x": "New York City"}, accepted={"x": ["NYC"]}) == 1.0
    assert accuracy({"x": spelling}, {"x": "New York City"}) == 0.0


def test_quotes_of_either_kind_are_the_same_in_accepted_text():
    assert accuracy({"x": "year = '2020'"}, {"x": 'year = "2020"'}, accepted={"x": []}) == 1.0


@pytest.mark.parametrize(("used", "expected"), [("-5", "5"), ("1.5", "15"), ("1.5", "-1.5")])
def test_a_number_in_accepted_text_keeps_its_sign_and_its_point(used: str, expected: str):
    assert accuracy({"x": used}, {"x": expected}, accepted={"x": [expected]}) == 0.0


@pytest.mark.parametrize(("used", "expected"), [("2,024", "2024"), ("2024.", "2024"), ("1.50 ", "1.50")])
def test_a_number_in_accepted_text_may_be_punctuated(used: str, expected: str):
    assert accuracy({"x": used}, {"x": expected}, accepted={"x": [expected]}) == 1.0


def test_accepted_values_keep_their_types():
    assert accuracy({"x": "5"}, {"x": 5}, accepted={"x": [5, 6]}) == 0.0
    assert accuracy({"x": True}, {"x": 1}, accepted={"x": [1]}) == 0.0


def test_an_accepted_argument_that_the_expected_call_leaves_out_may_be_left_out():
    assert accuracy({}, {}, accepted={"unit": ["km"]}) == 1.0
    assert accuracy({"unit": "KM"}, {}, accepted={"unit": ["km"]}) == 1.0
    assert accuracy({"unit": "miles"}, {}, accepted={"unit": ["km"]}) == 0.0
    assert accuracy({"unit": None}, {}, accepted={"unit": ["km"]}) == 0.0


def test_an_empty_text_among_the_accepted_values_says_that_it_may_be_left_out():
    assert accuracy({}, {"unit": "km"}, accepted={"unit": ["km", ""]}) == 1.0
    assert accuracy({}, {"unit": "km"}, accepted={"unit": ["km"]}) == 0.0


def test_text_within_accepted_lists_and_objects_is_compared_leniently_too():
    assert accuracy({"x": ["a b"]}, {"x": ["AB"]}, accepted={"x": [["C"]]}) == 1.0
    assert accuracy({"x": {"k": "c."}}, {"x": {"k": 1}}, accepted={"x": [{"k": "no"}, {"k": "C"}]}) == 1.0


def test_an_accepted_object_of_lists_offers_a_choice_for_each_key():
    options = {"accepted": {"size": [{"width": [20, 21], "unit": ["cm", ""]}]}}
    expected = {"size": {"width": 20, "unit": "cm"}}

    for right in ({"width": 21, "unit": "CM"}, {"width": 20}):
        assert accuracy({"size": right}, expected, **options) == 1.0
    for wrong in ({"width": 22}, {"unit": "cm"}, {"width": 20, "depth": 1}, {"width": [20, 21]}):
        assert accuracy({"size": wrong}, expected, **options) == 0.0


def test_a_choice_may_itself_be_a_list():
    options = {"accepted": {"filter": [{"tags": [["a", "b"], ["b", "a"]]}]}}

    assert accuracy({"filter": {"tags": ["b", "a"]}}, {"filter": {"tags": ["a", "b"]}}, **options) == 1.0
    assert accuracy({"filter": {"tags": "a"}}, {"filter": {"tags": ["a", "b"]}}, **options) == 0.0


def test_an_accepted_object_with_lists_of_its_own_is_taken_as_it_is():
    options = {"accepted": {"filter": [{"ids": [1, 2]}, {"ids": [3]}]}}

    for right in ([1, 2], [3]):
        assert accuracy({"filter": {"ids": right}}, {"filter": {"ids": [1, 2]}}, **options) == 1.0
    assert accuracy({"filter": {"ids": 1}}, {"filter": {"ids": [1, 2]}}, **options) == 0.0


def test_objects_in_an_accepted_list_offer_choices_as_well():
    options = {"accepted": {"rules": [[{"field": ["age"], "op": ["<", "lt"]}]]}}

    assert (
        accuracy({"rules": [{"field": "age", "op": "lt"}]}, {"rules": [{"field": "age", "op": "<"}]}, **options) == 1.0
    )
    assert (
        accuracy({"rules": [{"field": "age", "op": ">"}]}, {"rules": [{"field": "age", "op": "<"}]}, **options) == 0.0
    )


def test_an_optional_argument_may_be_left_out_but_not_be_wrong():
    assert accuracy({"a": 1}, {"a": 1, "b": 2}, optional=["b"]) == 1.0
    assert accuracy({"a": 1, "b": 2}, {"a": 1, "b": 2}, optional=["b"]) == 1.0
    assert accuracy({"a": 1, "b": 3}, {"a": 1, "b": 2}, optional=["b"]) == 0.5


def test_an_optional_argument_of_which_no_value_is_told_may_have_any():
    assert accuracy({"a": 1, "b": "whatever"}, {"a": 1}, optional=["b"]) == 1.0


def test_an_ignored_argument_is_not_compared():
    assert accuracy({"id": "8f3a", "a": 1}, {"id": "?", "a": 1}, ignored=["id"]) == 1.0
    assert accuracy({"a": 1}, {"id": "?", "a": 1}, ignored=["id"]) == 1.0
    assert accuracy({"id": "8f3a", "a": 2}, {"a": 1}, ignored=["id"]) == 0.0


def test_with_subset_further_arguments_may_be_given():
    assert accuracy({"a": 1, "b": 2, "c": 3}, {"a": 1}, subset=True) == 1.0
    assert accuracy({"b": 2}, {"a": 1}, subset=True) == 0.0
    assert accuracy({"a": 1, "unit": "m"}, {"a": 1}, subset=True, accepted={"unit": ["km"]}) == 0.5


def test_a_number_within_the_tolerance_is_right():
    assert accuracy({"x": 1.1}, {"x": 1}, tolerance=0.1) == 1.0
    assert accuracy({"x": 1.11}, {"x": 1}, tolerance=0.1) == 0.0
    assert accuracy({"x": [1, {"y": 2.05}]}, {"x": [1, {"y": 2}]}, tolerance=0.1) == 1.0


def test_a_tolerance_is_for_numbers_alone():
    assert accuracy({"x": True}, {"x": 1}, tolerance=5) == 0.0
    assert accuracy({"x": "1"}, {"x": 1}, tolerance=5) == 0.0
    assert accuracy({"x": float("inf")}, {"x": 1}, tolerance=1e308) == 0.0
    assert accuracy({"x": float("nan")}, {"x": 1}, tolerance=5) == 0.0
    assert accuracy({"x": float("nan")}, {"x": float("nan")}, tolerance=5) == 1.0
    assert accuracy({"x": 2**1022}, {"x": 0.5}, tolerance=5) == 0.0


def test_each_argument_may_have_a_tolerance_of_its_own():
    assert accuracy({"x": 1.4, "y": 1.4}, {"x": 1, "y": 1}, tolerance={"x": 0.5}) == 0.5


def test_accepted_numbers_have_the_tolerance_too():
    assert accuracy({"x": 9.5}, {"x": 1}, accepted={"x": [9]}, tolerance=0.5) == 1.0


values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.floats() | st.text("aA.", max_size=2),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("kl"), inner, max_size=2),
    max_leaves=4,
)


@settings(max_examples=60, deadline=None)
@given(values, st.lists(values, max_size=3), st.sampled_from([0, 0.5]))
def test_whatever_is_accepted_beside_it_the_expected_value_is_right(expected: Any, others: list[Any], tolerance: float):
    assert accuracy({"x": expected}, {"x": expected}, accepted={"x": others}, tolerance=tolerance) == 1.0


@settings(max_examples=60, deadline=None)
@given(values, values)
def test_lenience_makes_nothing_wrong(used: Any, expected: Any):
    exact = accuracy({"x": used}, {"x": expected})

    assert accuracy({"x": used}, {"x": expected}, accepted={"x": []}, tolerance=0.1) >= exact
    assert accuracy({"x": used}, {"x": expected}, tolerance=0.1, subset=True, optional=["x"]) >= exact
