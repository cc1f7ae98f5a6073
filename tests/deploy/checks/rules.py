"""The rules as they stand in deploy/prometheus, read for the checks."""

from pathlib import Path
from typing import Any

import yaml

RULES = "deploy/prometheus/rules"
TESTS = "deploy/prometheus/tests"


def read_rules(root: Path) -> list[dict[str, Any]]:
    """Return every rule of every group, recording and alerting ones."""
    documents = (yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted((root / RULES).glob("*.yml")))
    return [rule for document in documents for group in document["groups"] for rule in group["rules"]]


def read_alert_cases(root: Path) -> list[dict[str, Any]]:
    """Return what promtool expects of alerts: `{eval_time, alertname, exp_alerts}`."""
    documents = (yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted((root / TESTS).glob("*.yml")))
    return [case for document in documents for test in document["tests"] for case in test.get("alert_rule_test", ())]
