"""Prometheus' configuration and rules, by promtool; and what promtool does not ask of an alert."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from tests.deploy.checks.metric_names import recorded_by, unknown_in, unknown_labels_in
from tests.deploy.checks.programs import complaints_if_it_fails, find_program
from tests.deploy.checks.report import Report
from tests.deploy.checks.rules import RULES, TESTS, read_alert_cases, read_rules

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
    yield from _rules_left_out(root)
    try:
        rules, cases, sections = read_rules(root), read_alert_cases(root), _sections(root / RUNBOOK)
    except (yaml.YAMLError, OSError) as error:
        yield str(error)
        return
    recorded = recorded_by(rules)
    for rule in rules:
        name = rule.get("alert") or rule["record"]
        yield from (f"{name}: nothing exposes {metric}" for metric in unknown_in(rule["expr"], recorded))
        unknown = unknown_labels_in(rule["expr"], *rule.get("annotations", {}).values())
        yield from (f"{name}: nothing has the label {label}" for label in unknown)
        if "alert" in rule:
            yield from _untested(name, cases)
            yield from _unfinished(rule, sections)


def _rules_left_out(root: Path) -> Iterator[str]:
    """Files that no pattern of the configuration finds: Prometheus says nothing of it."""
    configuration = root / CONFIGURATION
    patterns = yaml.safe_load(configuration.read_text(encoding="utf-8")).get("rule_files", ())
    loaded = {path for pattern in patterns for path in configuration.parent.glob(pattern)}
    for path in sorted(set((root / RULES).iterdir()) - loaded):
        yield f"{CONFIGURATION} does not load {path.relative_to(root)}"


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
