"""Grafana's dashboards, as far as they can be checked without it: their form, and queries that Prometheus can read."""

import json
import re
import tempfile
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import yaml
from tests.deploy.checks.grafana_schema import schema_problems
from tests.deploy.checks.metric_names import recorded_by, unknown_in, unknown_labels_in
from tests.deploy.checks.programs import complaints_if_it_fails, find_program
from tests.deploy.checks.report import Report
from tests.deploy.checks.rules import read_rules

DASHBOARDS = "deploy/grafana/dashboards"
PROVISIONING = "deploy/grafana/provisioning"
COLUMNS = 24
TYPES = {"row", "stat", "timeseries"}
UNITS = {"short", "none", "s", "bytes", "percentunit", "currencyUSD", "cps", "reqps"}
OUR_DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}
_VARIABLE = re.compile(r"\$(\w+|\{\w+\})")


def check_grafana(root: Path) -> Report:
    promtool = find_program("promtool", "apt-get install prometheus")
    dashboards = sorted((root / DASHBOARDS).glob("*.json"))
    provisioning = sorted((root / PROVISIONING).glob("*/*.yml"))
    problems = [problem for path in dashboards for problem in _problems_of(path, root, promtool)]
    problems += [problem for path in provisioning for problem in _provisioning_problems(path)]
    return Report(tuple(str(path.relative_to(root)) for path in (*dashboards, *provisioning)), tuple(problems))


def _problems_of(path: Path, root: Path, promtool: str) -> Iterator[str]:
    try:
        dashboard = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        yield f"{path.name}: {error}"
        return
    problems = tuple(schema_problems(dashboard)) or tuple(_form_problems(dashboard))
    yield from (f"{path.name}: {problem}" for problem in problems)
    if not problems:
        yield from _query_problems(dashboard["panels"], root, promtool)


def _form_problems(dashboard: dict[str, Any]) -> Iterator[str]:
    yield from _layout_problems(dashboard["panels"])
    yield from _panel_problems(dashboard["panels"])
    yield from _variable_problems(dashboard)


def _layout_problems(panels: list[dict[str, Any]]) -> Iterator[str]:
    ids = [panel["id"] for panel in panels]
    yield from (f"two panels have the id {each}" for each in sorted(set(ids)) if ids.count(each) > 1)
    for panel in panels:
        place = panel["gridPos"]
        if place["x"] < 0 or place["x"] + place["w"] > COLUMNS or min(place["w"], place["h"]) < 1:
            yield f"{panel['title']}: it is not within {COLUMNS} columns"
    for one, other in combinations(panels, 2):
        if _overlap(one["gridPos"], other["gridPos"]):
            yield f"{one['title']} and {other['title']} overlap"


def _overlap(one: dict[str, int], other: dict[str, int]) -> bool:
    across = one["x"] < other["x"] + other["w"] and other["x"] < one["x"] + one["w"]
    return across and one["y"] < other["y"] + other["h"] and other["y"] < one["y"] + one["h"]


def _panel_problems(panels: list[dict[str, Any]]) -> Iterator[str]:
    for panel in panels:
        title = panel["title"]
        if panel["type"] not in TYPES:
            yield f"{title}: {panel['type']!r} is no type of panel that is known here"
        if panel["type"] == "row":
            continue
        if (unit := panel["fieldConfig"]["defaults"].get("unit")) not in UNITS:
            yield f"{title}: {unit!r} is no unit that is known here"
        if not panel.get("description"):
            yield f"{title}: it has no description"
        if not panel["targets"]:
            yield f"{title}: it asks nothing"
        if any(each.get("datasource") != OUR_DATASOURCE for each in (panel, *panel["targets"])):
            yield f"{title}: its data source is not the one that was chosen"


def _variable_problems(dashboard: dict[str, Any]) -> Iterator[str]:
    declared = {variable["name"] for variable in dashboard["templating"]["list"]}
    for query in queries_of(dashboard["panels"]):
        used = {name.strip("{}") for name in _VARIABLE.findall(query)}
        yield from (f"${name} is not declared" for name in sorted(used - declared) if not name.startswith("__"))


def targets_of(panels: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [target for panel in panels for target in panel.get("targets", ())]


def queries_of(panels: list[dict[str, Any]]) -> list[str]:
    return [target["expr"] for target in targets_of(panels)]


def _query_problems(panels: list[dict[str, Any]], root: Path, promtool: str) -> Iterator[str]:
    recorded = recorded_by(read_rules(root))
    for target in targets_of(panels):
        query = target["expr"]
        yield from (f"nothing exposes {metric}: {query}" for metric in unknown_in(query, recorded))
        unknown = unknown_labels_in(query, target.get("legendFormat", ""))
        yield from (f"nothing has the label {label}: {query}" for label in unknown)
    yield from _syntax_problems(queries_of(panels), promtool)


def _syntax_problems(queries: list[str], promtool: str) -> Iterator[str]:
    """promtool reads rules, so each query becomes one, its variables filled in."""
    filled = [_VARIABLE.sub("5m", query) for query in queries]
    rules = [{"record": f"dashboard:query{number}", "expr": query} for number, query in enumerate(filled)]
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "queries.yml")
        path.write_text(yaml.safe_dump({"groups": [{"name": "queries", "rules": rules}]}), encoding="utf-8")
        yield from complaints_if_it_fails(promtool, "check", "rules", path.name, directory=Path(directory))


def _provisioning_problems(path: Path) -> Iterator[str]:
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    kind = {"datasources": "datasources", "dashboards": "providers"}[path.parent.name]
    if document.get("apiVersion") != 1 or not document.get(kind):
        yield f"{path.parent.name}/{path.name}: it needs apiVersion: 1 and {kind}"
