"""Order is relative, may be left open by equal steps, and is as good as the longest run of calls that keeps it."""

import itertools
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agentic.tools.calls import at, call, score

A, B, C, D = (call(name) for name in "abcd")


def sequence(used: list[Any], expected: list[Any], mode: str = "in_order") -> float:
    return score(used, expected, in_order=True, sequence=mode).sequence_correct


def test_other_calls_may_come_between():
    assert sequence([A, D, B, D, C], [A, B, C]) == 1.0


def test_only_the_order_of_matched_calls_counts_what_is_missing_costs_selection():
    assert sequence([A, C], [A, B, C]) == 1.0
    assert sequence([C, A], [A, B, C]) == 0.5


def test_exact_order_allows_no_call_more_and_none_less():
    assert sequence([A, B, C], [A, B, C], "exact") == 1.0
    assert sequence([A, D, B, C], [A, B, C], "exact") == 3 / 4
    assert sequence([A, C], [A, B, C], "exact") == 2 / 3
    assert sequence([B, A, C], [A, B, C], "exact") == 2 / 3


def test_any_order_is_right_where_any_is_asked_for():
    assert sequence([C, B, A], [A, B, C], "any") == 1.0


def test_with_no_matched_call_nothing_came_in_order():
    assert sequence([D], [A, B]) == 0.0
    assert sequence([], [A]) == 0.0
    assert sequence([A], []) == 0.0


def test_a_step_written_with_a_point_is_the_same_step():
    assert sequence([at(2.0, A), at(1.0, B)], [at(1, B), at(2, A)]) == 1.0


def test_without_steps_the_list_is_the_order():
    assert sequence([B, A], [A, B]) == 0.5
    assert sequence([at(2, A), at(1, B)], [A, B]) == 0.5


def test_where_one_call_has_no_step_the_list_is_the_order_of_all():
    assert sequence([at(2, A), B, at(1, C)], [A, B, C]) == 1.0


def test_steps_are_the_order_whatever_the_list_says():
    assert sequence([at(30, C), at(-1, A), at(2, B)], [at(1, A), at(2, B), at(3, C)]) == 1.0


def test_calls_that_were_expected_side_by_side_may_come_in_any_order():
    side_by_side = [at(1, A), at(1, B), at(2, C)]

    assert sequence([B, A, C], side_by_side) == 1.0
    assert sequence([A, B, C], side_by_side) == 1.0
    assert sequence([A, C, B], side_by_side) == 2 / 3


def test_calls_that_were_made_side_by_side_have_no_order_to_be_wrong():
    assert sequence([at(1, B), at(1, A), at(2, C)], [A, B, C]) == 1.0


def test_which_of_two_equal_calls_was_meant_is_decided_in_favour_of_order():
    assert sequence([B, A, C, A], [A, B, A, C]) == 3 / 4


def longest_by_brute_force(used: str, expected: str) -> int:
    def is_within(some: tuple[str, ...], whole: str) -> bool:
        rest = iter(whole)
        return all(letter in rest for letter in some)

    return max(
        length
        for length in range(len(used) + 1)
        if any(is_within(some, expected) for some in itertools.combinations(used, length))
    )


@settings(max_examples=60, deadline=None)
@given(st.text("abc", min_size=1, max_size=6), st.text("abc", min_size=1, max_size=6))
def test_it_is_the_longest_common_subsequence_that_brute_force_finds(used: str, expected: str):
    matched = sum(min(used.count(letter), expected.count(letter)) for letter in "abc")
    scored = sequence([call(letter) for letter in used], [call(letter) for letter in expected])

    assert scored == (longest_by_brute_force(used, expected) / matched if matched else 0.0)


five_steps = st.lists(st.integers(0, 2), min_size=5, max_size=5)


@settings(max_examples=60, deadline=None)
@given(st.permutations(range(5)), five_steps, five_steps)
def test_with_equal_steps_it_is_the_largest_set_of_calls_without_a_contradiction(
    names: list[int], used_steps: list[int], expected_steps: list[int]
):
    used = [at(step, call(str(name))) for name, step in zip(names, used_steps, strict=True)]
    expected = [at(step, call(str(name))) for name, step in enumerate(expected_steps)]
    steps = [(step, expected_steps[name]) for name, step in zip(names, used_steps, strict=True)]
    largest = max(
        len(some)
        for size in range(1, 6)
        for some in itertools.combinations(steps, size)
        if not any((one[0] - other[0]) * (one[1] - other[1]) < 0 for one, other in itertools.combinations(some, 2))
    )

    assert sequence(used, expected) == pytest.approx(largest / 5)


def test_hundreds_of_repeated_calls_out_of_order_take_no_time():
    draw = random.Random(5)
    calls = [call(draw.choice("abcd"), x=draw.randrange(2)) for _ in range(800)]
    shuffled = draw.sample(calls, len(calls))

    assert 0.4 < sequence(shuffled, calls) < 0.95
