"""A set of line numbers behaves as any set does, in an eighth of a byte a line."""

from hypothesis import given
from hypothesis import strategies as st

from eval_worker.doors.batch.line_set import LineSet


@given(st.lists(st.integers(1, 500)))
def test_it_holds_what_was_added(numbers: list[int]):
    lines = LineSet()
    for number in numbers:
        lines.add(number)

    assert [number for number in range(600) if number in lines] == sorted(set(numbers))
    assert len(lines) == len(set(numbers))


def test_a_million_lines_take_an_eighth_of_a_megabyte():
    lines = LineSet()
    for number in range(1, 1_000_001, 1000):
        lines.add(number)
    lines.add(1_000_000)
    assert len(lines._bits) <= 125_001
