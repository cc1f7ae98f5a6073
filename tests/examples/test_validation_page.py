"""docs/validation.md shows what validate prints of the annotated examples under the offline model."""

import json
import re
from pathlib import Path

from tests.command_line import run
from tests.processes import ROOT

PAGE = (ROOT / "docs" / "validation.md").read_text(encoding="utf-8")
VALIDATE = ("validate", "--input", str(ROOT / "examples" / "annotated.jsonl"), "--judge-model", "offline")


def test_the_table_and_the_figures_are_those_of_the_annotated_examples():
    ran = run("eval_worker", *VALIDATE)

    assert ran.code == 0
    lines = [line.rstrip() for line in ran.err.splitlines() if line.strip()]
    assert [line for line in lines if line not in PAGE] == []
    figures = json.loads(ran.out)
    assert f'"kendall_tau":{figures["kendall_tau"]},' in PAGE
    assert f'"agreement_rate":{figures["agreement_rate"]},' in PAGE


def test_the_disagreements_shown_are_the_first_three(tmp_path: Path):
    pairs = tmp_path / "pairs.jsonl"

    run("eval_worker", *VALIDATE, "--output", str(pairs))

    told = [json.loads(line) for line in pairs.read_text(encoding="utf-8").splitlines()]
    disagreements = [[one["id"], one["human"], one["verdict"], one["confidence"]] for one in told if not one["agrees"]]
    shown = re.findall(r'^\["example-\d+","\w+",.*\]$', PAGE, re.MULTILINE)
    assert [json.loads(line) for line in shown] == disagreements[:3]
