"""Prometheus' configuration and rules, by promtool; and what promtool does not ask of an alert."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.deploy.checks.metric_names import recorded_by, unknown_in
from tests.deploy.checks.programs import complaints_if_it_fails, find_program
from tests.deploy.checks.report import Report
from tests.deploy.checks.rules import RULES, TESTS, read_alert_cases, read_rules
from yaml import YAMLError

CONFIGURATION = "deploy/prometheus/prometheus.yml"
RUNBOOK = "docs/operations.md"
SEVERITIES = {"warning", "critical"}


def check_prometheus(root: Path) -> Report:
    promtool = find_program("promtool", "apt-get install prometheus")
    rules, tests = _files(root, RULES), _files(root, TESTS)
    if not (rules and tests):
        return Report(())
    # Each only where the one before found nothing: what can't be read can't be tested, and tests take longest.
    problems = (
        # By its syntax: the file with the key, which it names, is there only in Compose.
        complaints_if_it_fails(promtool, "check", "config", "--syntax-only", CONFIGURATION, directory=root)
        or complaints_if_it_fails(promtool, "check", "rules", "--lint-fatal", *rules, directory=root)
        or tuple(_beyond_promtool(root))
        or complaints_if_it_fails(promtool, "test", "rules", *tests, directory=root)
    )
    return Report((CONFIGURATION, *rules, *tests), problems)


def _files(root: Path, folder: str) -> tuple[str, ...]:
    return tuple(str(path.relative_to(root)) for path in sorted((root / folder).glob("*.yml")))


def _beyond_promtool(root: Path) -> Iterator[str]:
    try:
        rules, cases, sections = read_rules(root), read_alert_cases(root), _sections(root / RUNBOOK)
    except (YAMLError, OSError) as error:
        yield str(error)
        return
    recorded = recorded_by(rules)
    for rule in rules:
        name = rule.get("alert") or rule["record"]
        yield from (f"{name}: nothing exposes {metric}" for metric in unknown_in(rule["expr"], recorded))
        if "alert" in rule:
            yield from _untested(name, cases)
            yield from _unfinished(rule, sections)


def _untested(name: str, cases: list[dict[str, Any]]) -> Iterator[str]:
    expected = [bool(case.get("exp_alerts")) for case in cases if case["alertname"] == name]
    if True not in expected:
        yield f"{name}: no test shows that it fires"
    if False not in expected:
        yield f"{name}: no test shows that it is silent"


def _unfinished(rule: dict[str, Any], sections: set[str]) -> Iterator[str]:
    name, annotations = rule["alert"], rule.get("annotations", {})
    if rule.get("labels", {}).get("severity") not in SEVERITIES:
        yield f"{name}: its severity is none of {', '.join(sorted(SEVERITIES))}"
    for each in ("summary", "description"):
        if not annotations.get(each):
            yield f"{name}: it has no {each}"
    section = re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()
    if annotations.get("runbook_url") != f"{RUNBOOK}#{section}":
        yield f"{name}: its runbook_url is not {RUNBOOK}#{section}"
    elif section not in sections:
        yield f"{name}: {RUNBOOK} has no section {section}"


def _sections(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {heading.strip().lower().replace(" ", "-") for heading in headings}
