"""docs/troubleshooting.md quotes messages that there are, and has every kind of dead letter."""

import re

import pytest
from tests.documentation.source_messages import VALUE, dead_letter_errors, texts_in_source
from tests.processes import ROOT

PAGE = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
QUOTED = [line for block in re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]
SHORTEST_THAT_TELLS = 10
_JOINTS = re.compile(rf"{VALUE}|: |[()]")


def fixed_parts(message: str) -> list[str]:
    """What stands between values, brackets and colons, where messages are put together; nothing too short to tell."""
    parts = [part.strip() for part in _JOINTS.split(message)]
    return [part for part in parts if len(part) >= SHORTEST_THAT_TELLS]


def test_the_page_quotes_messages():
    assert len(QUOTED) > 50


@pytest.mark.parametrize("message", QUOTED)
def test_a_quoted_message_is_one_that_the_source_has(message: str):
    parts = fixed_parts(message)

    assert parts, "nothing is left of it without the values"
    assert [part for part in parts if part not in texts_in_source()] == []


@pytest.mark.parametrize("error", sorted(dead_letter_errors()))
def test_every_kind_of_dead_letter_is_there(error: str):
    assert f"`{error}`: " in PAGE


def test_the_kinds_of_dead_letters_are_found_in_the_source():
    assert {"malformed_event", "max_deliveries"} < dead_letter_errors()
