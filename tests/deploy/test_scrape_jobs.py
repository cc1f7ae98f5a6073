"""The rules name jobs, so these are called the same wherever a worker is scraped."""

import re
from typing import Any

import yaml
from tests.deploy.checks.rules import read_rules
from tests.processes import ROOT

DEPLOY = ROOT / "deploy"


def read(path: str) -> Any:
    return yaml.safe_load((DEPLOY / path).read_text(encoding="utf-8"))


def jobs_scraped() -> set[str]:
    return {job["job_name"] for job in read("prometheus/prometheus.yml")["scrape_configs"]}


def test_prometheus_scrapes_the_jobs_that_the_rules_name():
    named = {
        job
        for rule in read_rules(ROOT)
        for jobs in re.findall(r'job=~?"([^"]+)"', rule["expr"])
        for job in jobs.split("|")
    }
    assert named == jobs_scraped()


def test_in_kubernetes_the_job_is_the_pods_name_which_is_the_same():
    monitor = read("kubernetes/components/pod-monitor/pod-monitor.yaml")["spec"]
    assert monitor["selector"]["matchLabels"][monitor["jobLabel"]] in jobs_scraped()
