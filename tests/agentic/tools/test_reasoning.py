"""The reason names what was missing, extra and wrong, on one line that stays short."""

import json

from tests.agentic.tools.calls import call, score


def test_all_that_is_wrong_stands_in_one_sentence():
    used = [call("search", query="x", page=1), call("calculator"), call("calculator"), call("calculator")]
    expected = [call("calculator"), call("search", query="y", page=1), call("book", seat="1A")]

    assert score(used, expected, in_order=True, uses_tools=False).reasoning == (
        "calculator was called 3 times, expected 1; book was not called, expected once; "
        'search(query): got "x", expected "y"; '
        "order: called search, calculator, calculator, calculator, expected calculator, search, book; "
        "the answer does not use what the tools returned"
    )


def test_two_calls_of_one_tool_in_the_wrong_order_are_not_told_by_names_alone():
    adult, child = call("fare", category="adult"), call("fare", category="child")

    assert score([child, adult], [adult, child], in_order=True).reasoning == (
        "order: called fare, fare as expected, but with the arguments in another order"
    )


def test_accepted_values_are_shown_where_no_value_is_expected():
    expected = [{**call("t"), "accepted": {"unit": ["km", "miles"]}}]

    assert score([call("t", unit="ell")], expected).reasoning == 't(unit): got "ell", expected one of ["km", "miles"]'


def test_long_values_are_cut():
    reasoning = score([call("t", x="a" * 10_000)], [call("t", x="b" * 10_000)]).reasoning

    assert reasoning == f't(x): got "{"a" * 58}…, expected "{"b" * 58}…'


def test_long_names_are_cut():
    scored = score([call("n" * 10_000)], [])

    assert scored.extra_tools == ["n" * 59 + "…"]
    assert scored.reasoning is not None
    assert len(scored.reasoning) < 120


def test_of_many_findings_the_first_are_named():
    reasoning = score([], [call(f"tool-{number}") for number in range(25)]).reasoning

    assert reasoning is not None
    assert reasoning.endswith("tool-9 was not called, expected once; and 15 more")


def test_what_can_not_be_printed_is_spelled_out():
    scored = score([call("new\nline"), call("u", x="half \ud83d, turned \u202e")], [call("u", x="é")])

    assert scored.extra_tools == ["new\\nline"]
    assert json.loads(scored.model_dump_json())["reasoning"] == (
        'new\\nline was called once, expected none; u(x): got "half \\ud83d, turned \\u202e", expected "é"'
    )
