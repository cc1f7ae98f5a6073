"""Calls are matched so that as many arguments as possible are right, and within bounds."""

import itertools
import math
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agentic.tools.calls import Call, call, score

from eval_worker.agentic.tools.arguments import compare_arguments
from eval_worker.agentic.tools.matching import Pair, match_calls
from eval_worker.agentic.tools.tool_correctness import check_comparable
from eval_worker.agentic.tools.tool_use import ExpectedCall, ToolCall


def match(used: list[Call], expected: list[Call]) -> list[Pair]:
    return match_calls([ToolCall(**one) for one in used], [ExpectedCall(**one) for one in expected])


def places(used: list[Call], expected: list[Call]) -> list[tuple[int, int]]:
    return [(pair.used, pair.expected) for pair in match(used, expected)]


def test_each_call_goes_to_the_expected_one_that_it_resembles_most():
    used = [call("t", a=1, b=9), call("t", a=2, b=2)]
    expected = [call("t", a=2, b=2), call("t", a=1, b=1)]

    assert places(used, expected) == [(1, 0), (0, 1)]


def test_an_identical_call_gives_way_where_the_sum_is_larger_without_it():
    """The second call is only right where the first, which would be right for either, does not go."""
    used = [call("t", x="a"), call("t", x="b")]
    expected = [{**call("t", x="a"), "accepted": {"x": ["b"]}}, {**call("t", x="c"), "accepted": {"x": ["a"]}}]

    assert places(used, expected) == [(1, 0), (0, 1)]
    assert score(used, expected).is_correct


def test_calls_of_different_tools_are_never_matched():
    assert match([call("a", x=1)], [call("b", x=1)]) == []


def test_calls_that_are_all_as_wrong_are_matched_in_order():
    used = [call("t", x=1), call("t", x=2), call("t", x=3)]

    assert places(used, [call("t", x=7), call("t", x=8), call("t", x=9)]) == [(0, 0), (1, 1), (2, 2)]
    assert places(used, [call("t", x=7)]) == [(0, 0)]


def test_identical_calls_are_matched_first_with_first():
    same = call("t", x=1)

    assert places([same, same, same], [same, same]) == [(0, 0), (1, 1)]


arguments = st.dictionaries(st.sampled_from("xyz"), st.integers(0, 2), max_size=3)
one_tool = arguments.map(lambda chosen: call("t", **chosen))
accepting = st.builds(
    lambda one, accepted, optional: {**one, "accepted": accepted, "optional": optional},
    one_tool,
    st.dictionaries(st.sampled_from("xy"), st.lists(st.integers(0, 2), max_size=2), max_size=2),
    st.lists(st.sampled_from("xyz"), max_size=1),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(one_tool, max_size=4), st.lists(one_tool, max_size=4) | st.lists(accepting, max_size=4))
def test_no_other_matching_has_more_right_arguments(used: list[Call], expected: list[Call]):
    def share(one: Call, other: Call) -> float:
        return compare_arguments(ToolCall(**one), ExpectedCall(**other)).share

    fewer = min(len(used), len(expected))
    best = max(
        math.fsum(share(used[i], expected[j]) for i, j in zip(some, others, strict=True))
        for some in itertools.combinations(range(len(used)), fewer)
        for others in itertools.permutations(range(len(expected)), fewer)
    )
    pairs = match(used, expected)

    assert len(pairs) == fewer
    assert math.fsum(pair.arguments.share for pair in pairs) == pytest.approx(best)


def test_thousands_of_identical_calls_take_no_time():
    started = time.process_time()

    assert score([call("t", x=1)] * 3000, [call("t", x=1)] * 3000, in_order=True).is_correct
    assert time.process_time() - started < 5


def test_as_many_different_calls_as_are_compared_do_not_stand_still():
    used = [call("t", **{str(n): (place * n) % 3 for n in range(8)}) for place in range(100)]
    expected = [call("t", **{str(n): (place * n) % 5 for n in range(8)}) for place in range(100)]
    started = time.process_time()

    assert 0 < score(used, expected, in_order=True).parameter_accuracy < 1
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("used", "expected", "problem"),
    [
        (
            [call("look", x=place) for place in range(200)],
            [call("look", x=-1 - place) for place in range(60)],
            'tools_used: 12000 pairs of calls to compare, at most 10000 .* in 200 calls of "look" against 60 expected',
        ),
        (
            [call("look", x=[place] * 200) for place in range(25)],
            [call("look", x=[-1 - place] * 200) for place in range(25)],
            "tools_used: 126250 values to compare, at most 100000",
        ),
        (
            [call("look", x=str(place) * 5000) for place in range(50)],
            [{**call("look", x=""), "accepted": {"x": [str(place) * 5001]}} for place in range(50)],
            "tools_used: .* values to compare",
        ),
    ],
)
def test_more_than_can_be_compared_in_time_is_refused_by_name(used: list[Call], expected: list[Call], problem: str):
    with pytest.raises(ValueError, match=problem):
        score(used, expected)
    with pytest.raises(ValueError, match=problem):
        check_comparable({"tools_used": used}, {"expected_tools": expected})


def test_many_calls_of_an_agent_in_a_loop_are_compared_with_the_few_that_were_expected():
    scored = score([call("look", x=place) for place in range(2000)], [call("look", x=1999), call("look", x=-1)])

    assert scored.parameter_accuracy == 0.5
    assert scored.selection_precision == 0.001
