"""The shipped dashboard, its variables filled in the way Grafana does."""

import json
import re
from dataclasses import dataclass
from typing import Any

from tests.processes import ROOT

FILE = ROOT / "deploy" / "grafana" / "dashboards" / "eval-worker.json"
RATE_INTERVAL = "15s"
_LABEL_VALUES = re.compile(r"label_values\((?P<selector>.+), (?P<label>\w+)\)")
_SPECIAL = re.compile(r"[\\^$*+?.()|{}\[\]]")


@dataclass(frozen=True)
class Query:
    panel: str
    expression: str
    instant: bool

    def __str__(self) -> str:
        return f"{self.panel}: {self.expression}"


@dataclass(frozen=True)
class Variable:
    """A variable whose choices are the values of a label: of which one, and of which series."""

    name: str
    selector: str
    label: str
    all_value: str


def read_dashboard() -> dict[str, Any]:
    return json.loads(FILE.read_text(encoding="utf-8"))


def queries(**chosen: str) -> list[Query]:
    """Return every query, with what was chosen in place of its variables; what was not is `All`."""
    values = {variable.name: variable.all_value for variable in variables()} | chosen
    return [
        Query(panel["title"], filled(target["expr"], values), target.get("instant", False))
        for panel in read_dashboard()["panels"]
        for target in panel.get("targets", ())
    ]


def variables() -> list[Variable]:
    found: list[Variable] = []
    for variable in read_dashboard()["templating"]["list"]:
        if variable["type"] == "query":
            asked = _LABEL_VALUES.fullmatch(variable["query"]["query"])
            assert asked is not None, variable["query"]
            found.append(Variable(variable["name"], asked["selector"], asked["label"], variable["allValue"]))
    return found


def filled(text: str, values: dict[str, str]) -> str:
    for name, value in {"__rate_interval": RATE_INTERVAL, **values}.items():
        text = text.replace(f"${name}", value)
    assert "$" not in text, text
    return text


def several(*choices: str) -> str:
    """Several choices, as a regular expression inside a string of PromQL."""
    return "(" + "|".join(_SPECIAL.sub(r"\\\\\g<0>", choice) for choice in choices) + ")"
