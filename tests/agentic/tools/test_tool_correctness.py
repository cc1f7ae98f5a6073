"""What each kind of deviation costs, and what it does not."""

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agentic.tools.calls import Call, at, call, score

from eval_worker.agentic.tools.tool_correctness import tool_correctness

ADD = call("calculator", operation="add", a=5, b=3)
SEARCH = call("search", query="flights to Rome")
BOOK = call("book", flight="AZ 611")


def aspects(of: Any) -> tuple[float, float, float, float]:
    return (of.tool_selection_correct, of.parameter_accuracy, of.sequence_correct, of.result_utilization)


def test_the_right_call_with_the_right_arguments_is_all_correct():
    scored = score([{**ADD, "result": 8, "step": 1}], [{**ADD, "step": 1}])

    assert aspects(scored) == (1.0, 1.0, 1.0, 1.0)
    assert scored.overall_correctness == 1.0
    assert scored.is_correct
    assert scored.reasoning == "all tools were called as expected"


def test_the_documented_fields_come_first_and_in_the_documented_order():
    documented = [
        "tool_selection_correct", "parameter_accuracy", "sequence_correct", "result_utilization",
        "overall_correctness", "is_correct", "reasoning",
    ]  # fmt: skip

    assert list(json.loads(score([ADD], [ADD]).model_dump_json()))[:7] == documented


def test_a_tool_called_three_times_and_expected_once_costs_selection():
    scored = score([ADD, ADD, ADD], [ADD])

    assert (scored.selection_precision, scored.selection_recall, scored.selection_f1) == (1 / 3, 1.0, 0.5)
    assert aspects(scored) == (0.5, 1.0, 1.0, 1.0)
    assert not scored.is_correct
    assert scored.extra_tools == ["calculator"]
    assert scored.reasoning == "calculator was called 3 times, expected 1"


def test_missing_calls_cost_selection_and_not_the_arguments_of_those_that_were_made():
    scored = score([ADD], [ADD, SEARCH, BOOK])

    assert (scored.selection_precision, scored.selection_recall, scored.selection_f1) == (1.0, 1 / 3, 0.5)
    assert aspects(scored) == (0.5, 1.0, 1.0, 1.0)
    assert scored.missing_tools == ["search", "book"]
    assert scored.reasoning == "search was not called, expected once; book was not called, expected once"


def test_calls_of_a_tool_are_counted_and_not_only_named():
    assert score([SEARCH], [SEARCH, SEARCH]).selection_recall == 0.5


def test_no_call_at_all_where_some_were_expected_leaves_only_what_does_not_depend_on_calls():
    scored = tool_correctness(None, {"expected_tools": [ADD]})

    assert aspects(scored) == (0.0, 0.0, 1.0, 1.0)
    assert (scored.selection_precision, scored.selection_recall, scored.selection_f1) == (0.0, 0.0, 0.0)
    assert scored.overall_correctness == 0.5


@pytest.mark.parametrize(
    "agentic", [None, {}, {"tools_used": []}, {"tools_used": None, "final_answer_uses_tools": False}]
)
def test_no_tools_expected_and_none_used_is_all_correct(agentic: dict[str, Any] | None):
    scored = tool_correctness(agentic, {"expected_tools": [], "tool_sequence_matters": True})

    assert aspects(scored) == (1.0, 1.0, 1.0, 1.0)
    assert scored.is_correct
    assert scored.reasoning == "no tool was needed and none was called"


def test_a_tool_used_where_none_was_expected_is_not_correct_by_either_default_threshold():
    scored = score([SEARCH], [], threshold=0.75)

    assert aspects(scored) == (0.0, 0.0, 1.0, 1.0)
    assert not scored.is_correct
    assert scored.reasoning == "search was called once, expected none"


def test_without_a_ground_truth_there_is_no_score():
    assert tool_correctness({"tools_used": [ADD]}, None) is None


def test_swapped_order_costs_sequence_where_it_matters():
    assert score([BOOK, SEARCH], [SEARCH, BOOK], in_order=True).sequence_correct == 0.5
    assert score([BOOK, SEARCH], [SEARCH, BOOK], in_order=False).sequence_correct == 1.0


def test_shifted_step_numbers_change_nothing():
    expected = [at(1, SEARCH), at(2, BOOK)]

    assert score([at(11, SEARCH), at(12, BOOK)], expected, in_order=True).is_correct
    assert score([at(3, SEARCH), at(90, BOOK)], expected, in_order=True).is_correct
    assert not score([at(12, SEARCH), at(11, BOOK)], expected, in_order=True).is_correct


def test_a_number_is_not_its_text():
    scored = score([call("wait", seconds="1")], [call("wait", seconds=1)])

    assert scored.parameter_accuracy == 0.0
    assert scored.reasoning == 'wait(seconds): got "1", expected 1'


def test_an_omitted_argument_costs_its_share():
    scored = score([call("calculator", operation="add", a=5)], [ADD])

    assert scored.parameter_accuracy == 2 / 3
    assert scored.reasoning == "calculator(b): missing, expected 3"


def test_an_argument_nobody_asked_for_costs_its_share():
    scored = score([call("search", query="flights to Rome", language="en")], [SEARCH])

    assert scored.parameter_accuracy == 0.5
    assert scored.reasoning == 'search(language): got "en", expected no such argument'


def test_arguments_are_averaged_over_matched_calls():
    assert score([ADD, call("search", query="x"), BOOK], [ADD, SEARCH]).parameter_accuracy == 0.5


def test_tool_names_compare_exactly():
    assert score([{**ADD, "tool_name": "Calculator"}], [ADD]).tool_selection_correct == 0.0


@pytest.mark.parametrize(("uses_tools", "expected"), [(True, 1.0), (False, 0.0), (None, 1.0)])
def test_utilization_is_what_the_agent_says_and_silence_is_not_held_against_it(
    uses_tools: bool | None, expected: float
):
    assert score([ADD], [ADD], uses_tools=uses_tools).result_utilization == expected


def test_an_answer_that_does_not_use_its_tools_is_named():
    assert score([ADD], [ADD], uses_tools=False).reasoning == "the answer does not use what the tools returned"


def test_a_forbidden_tool_costs_all_of_selection_and_is_named():
    ground_truth = {"expected_tools": [SEARCH], "forbidden_tools": ["book"]}
    scored = tool_correctness({"tools_used": [SEARCH, BOOK, BOOK]}, ground_truth)

    assert scored.tool_selection_correct == 0.0
    assert scored.selection_recall == 1.0
    assert scored.forbidden_tools_used == ["book"]
    assert scored.reasoning == "book is forbidden and was called 2 times"


def test_tools_can_be_forbidden_in_every_interaction():
    assert score([SEARCH, BOOK], [SEARCH], forbidden_tools=["book"]).tool_selection_correct == 0.0
    assert score([SEARCH], [SEARCH], forbidden_tools=["book"]).is_correct


def test_a_tool_that_is_expected_and_forbidden_is_refused():
    with pytest.raises(ValueError, match=r"ground_truth_agentic.expected_tools.0.tool_name: \"book\" is forbidden as"):
        score([], [BOOK], forbidden_tools=["book"])


def test_where_nothing_is_expected_by_name_only_forbidden_tools_are_held_against_the_agent():
    ground_truth = {"forbidden_tools": ["book"]}

    assert tool_correctness({"tools_used": [SEARCH]}, ground_truth).is_correct
    assert tool_correctness({"tools_used": [SEARCH, BOOK]}, ground_truth).tool_selection_correct == 0.0


@pytest.mark.parametrize(("measure", "expected"), [("f1", 2 / 3), ("precision", 0.5), ("recall", 1.0)])
def test_which_measure_of_selection_counts_can_be_chosen(measure: str, expected: float):
    assert score([ADD, BOOK], [ADD], selection=measure).tool_selection_correct == pytest.approx(expected)


def test_the_threshold_is_reached_by_what_equals_it():
    one_wrong_aspect = score([ADD], [ADD], uses_tools=False, threshold=0.75)

    assert one_wrong_aspect.overall_correctness == 0.75
    assert one_wrong_aspect.is_correct


def test_a_sum_that_binary_fractions_leave_a_little_short_reaches_the_threshold():
    weights = {"selection": 0.3, "parameters": 0.3, "sequence": 0.3, "utilization": 0.1}

    assert score([ADD], [ADD], uses_tools=False, weights=weights, threshold=0.9).is_correct
    assert score([ADD], [ADD], weights=weights).overall_correctness == 1.0


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"threshold": 1.5}, "threshold must be from 0 to 1, not 1.5"),
        ({"threshold": float("nan")}, "threshold must be from 0 to 1, not nan"),
        ({"selection": "F1"}, "selection must be one of f1, precision, recall, not 'F1'"),
        ({"sequence": "strict"}, "sequence must be one of in_order, exact, any, not 'strict'"),
        ({"forbidden_tools": "book"}, "forbidden_tools must be a list of names, not 'book'"),
    ],
)
def test_an_option_that_can_not_be_is_refused_by_name(options: dict[str, Any], problem: str):
    with pytest.raises(ValueError, match=problem):
        score([], [], **options)


def test_it_loads_nothing_heavy():
    program = "import sys, eval_worker.agentic.tools.tool_correctness; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert set(done.stdout.split()) & {"numpy", "scipy", "redis", "boto3", "langchain_core"} == set()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=4,
)
calls = st.builds(
    lambda name, parameters, step: {"tool_name": name, "parameters": parameters, "step": step},
    st.sampled_from("ab"),
    st.dictionaries(st.sampled_from("xyz"), json_values, max_size=3),
    st.none() | st.integers(1, 3),
)
lists_of_calls = st.lists(calls, max_size=4)


@settings(max_examples=25, deadline=None)
@given(lists_of_calls, lists_of_calls, st.booleans(), st.booleans() | st.none())
def test_every_score_is_a_share_whatever_was_called(
    used: list[Call], expected: list[Call], in_order: bool, uses_tools: bool | None
):
    for mode in ("in_order", "exact", "any"):
        scored = score(used, expected, in_order=in_order, uses_tools=uses_tools, sequence=mode)

        assert all(0 <= aspect <= 1 for aspect in (*aspects(scored), scored.overall_correctness))
        assert scored.is_correct == (scored.overall_correctness == 1)
        assert scored.is_correct == (scored.reasoning in {
            "all tools were called as expected", "no tool was needed and none was called",
        })  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(lists_of_calls)
def test_what_is_expected_is_correct_against_itself(expected: list[Call]):
    for mode in ("in_order", "exact"):
        assert score(expected, expected, in_order=True, sequence=mode).overall_correctness == 1.0


@settings(max_examples=25, deadline=None)
@given(lists_of_calls, lists_of_calls, st.randoms(use_true_random=False))
def test_the_order_of_calls_changes_nothing_where_it_does_not_matter(
    used: list[Call], expected: list[Call], random: Any
):
    shuffled = [{**one, "step": None} for one in used]
    random.shuffle(shuffled)

    assert aspects(score(shuffled, expected)) == pytest.approx(aspects(score(used, expected)))
