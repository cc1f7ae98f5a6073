"""What the source can print: the fixed parts of its texts, with `…` where a value stands."""

import ast
from collections.abc import Iterator
from functools import cache

from tests.processes import ROOT

VALUE = "…"


@cache
def texts_in_source() -> str:
    """Every text of both packages, one a line; a text that is written in pieces is one."""
    sources = sorted(path for package in ("worker", "producer") for path in (ROOT / package).rglob("*.py"))
    return "\n".join(text for path in sources for text in _texts(ast.parse(path.read_text(encoding="utf-8"))))


@cache
def dead_letter_errors() -> frozenset[str]:
    """Every `error` that a dead letter can have, by the calls that write one."""
    sources = sorted((ROOT / "worker" / "eval_worker" / "stream").glob("*.py"))
    calls = (node for path in sources for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    return frozenset(
        call.args[1].value
        for call in calls
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "dead_letter"
        if len(call.args) > 1 and isinstance(call.args[1], ast.Constant) and isinstance(call.args[1].value, str)
    )


def _texts(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(_piece(value) for value in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _piece(value: ast.expr) -> str:
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else VALUE
