"""What the documents name is there."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GUARANTEES = ROOT / "docs" / "guarantees.md"


def named_tests() -> list[tuple[str, str]]:
    found = re.findall(r"\[`(\w+)`\]\(\.\./(tests/[\w/]+\.py)\)", GUARANTEES.read_text(encoding="utf-8"))
    return sorted({(path, name) for name, path in found})


def test_the_guarantees_name_tests():
    assert len(named_tests()) > 40


@pytest.mark.parametrize(("path", "name"), named_tests())
def test_a_guarantee_is_shown_by_a_test_that_exists(path: str, name: str):
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    assert name in defined
