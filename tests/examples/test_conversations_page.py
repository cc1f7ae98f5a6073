"""docs/conversations.md shows what its commands and its Python print."""

import io
import re
from contextlib import redirect_stdout
from typing import Any

import pytest
from tests.command_line import run
from tests.processes import ROOT

PAGE = (ROOT / "docs" / "conversations.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"```python\n(.*?)```\n\n```\n(.*?)```", PAGE, re.DOTALL)
COMMAND = re.compile(r"```console\n\$ eval-worker (agentic [^\n|]*)\n(.*?)```", re.DOTALL)


def shown(text: str) -> list[str]:
    lines = [line.rstrip() for line in text.splitlines()]
    return "\n".join(lines).strip("\n").splitlines()


def test_the_page_has_programs_and_a_command():
    assert len(PYTHON) == PAGE.count("```python") == 3
    assert len(COMMAND.findall(PAGE)) == 1


@pytest.mark.parametrize(("program", "prints"), PYTHON)
def test_a_program_prints_what_stands_below_it(program: str, prints: str):
    names: dict[str, Any] = {"__name__": "a_program"}
    out = io.StringIO()

    with redirect_stdout(out):
        exec(program, names)

    assert shown(out.getvalue()) == shown(prints)


@pytest.mark.parametrize(("arguments", "prints"), COMMAND.findall(PAGE))
def test_a_command_prints_what_stands_below_it(arguments: str, prints: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(ROOT)

    finished = run("eval_worker", *arguments.split())

    assert finished.code == 0
    assert shown(finished.out) == shown(prints)
