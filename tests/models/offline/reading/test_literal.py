"""What is code, line by line."""

import pytest

from eval_worker.models.offline.reading.literal import is_line_of_code


@pytest.mark.parametrize(
    "line",
    [
        "def fibonacci(n):",
        "    a, b = 0, 1",
        "for _ in range(n):",
        "if x > 3:",
        "else:",
        "total += num",
        "self.x = y[0]",
        "return a",
        "return total / len(values)",
        "from os import path",
        "const a = 1;",
        "print(x)",
    ],
)
def test_a_statement_is_a_line_of_code(line: str):
    assert is_line_of_code(line)


@pytest.mark.parametrize(
    "line",
    [
        "The a = b case is nice.",
        "In short, a = 5.",
        "If it rains:",
        "for the win:",
        "pass",
        "return the goods within ten days",
        "while you wait:",
    ],
)
def test_prose_is_none(line: str):
    assert not is_line_of_code(line)
