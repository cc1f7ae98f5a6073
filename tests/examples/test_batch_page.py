"""docs/batch.md quotes what a dry run of its events says."""

import re
from pathlib import Path

import pytest
from tests.command_line import run
from tests.processes import ROOT

PAGE = (ROOT / "docs" / "batch.md").read_text(encoding="utf-8")
EVENTS = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)[0]
((PRICES, ARGUMENTS, PRINTS),) = re.findall(
    r"\$ (INPUT_TOKEN_PRICE=\S+ OUTPUT_TOKEN_PRICE=\S+) eval-worker (.*)\n((?:[^`$].*\n)+)```", PAGE
)


def test_the_dry_run_says_what_stands_below_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "answers.jsonl").write_text(EVENTS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    finished = run("eval_worker", *ARGUMENTS.split(), environment=dict(price.split("=") for price in PRICES.split()))

    _, *summary = PRINTS.splitlines()  # the first is of line 4, which a pipe is told as JSON
    assert finished.err.splitlines()[-len(summary) :] == summary
