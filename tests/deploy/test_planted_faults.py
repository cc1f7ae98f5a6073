"""Each check of what is deployed fails on a fault of its kind, the same way it runs in `make check-deploy`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.deploy.tree_with_a_fault import Fault, plant
from tests.processes import IMPORT_PATH, ROOT

PROMETHEUS = "deploy/prometheus"
DASHBOARD = "deploy/grafana/dashboards/eval-worker.json"

FAULTS = (
    Fault("dockerfiles", "Dockerfile", "COPY worker worker", "ADD worker worker", "DL3020"),
    Fault("dockerfiles", "Dockerfile", "FROM python:3.13-slim\n", "FROM python:latest\n", "DL3007"),
    Fault("dockerfiles", "deploy/lambda/Dockerfile", "WORKDIR /src", "RUN cd /src", "DL3003"),
    Fault("compose", "deploy/compose.yaml", "    environment:", "    enviroment:", "services.worker.enviroment"),
    Fault("compose", "deploy/compose.yaml", "depends_on: [redis]", "depends_on: [rediss]", "undefined service"),
    Fault("compose", "deploy/compose.yaml", "${AWS_REGION:-us-east-1}", "${AWS_REGION}", "variable is not set"),
    Fault("cloudformation", "deploy/lambda/template.yaml", "RetentionInDays:", "RetentionDays:", "E3002"),
    Fault("cloudformation", "deploy/lambda/template.yaml", "!GetAtt Url.FunctionUrl", "!GetAtt Url.Address", "E6101"),
    Fault("prometheus", f"{PROMETHEUS}/prometheus.yml", "names: [worker]", "name: [worker]", "field name not found"),
    Fault("prometheus", f"{PROMETHEUS}/rules/stream.yml", "expr: deriv(", "expr: derive(", "unknown function"),
    Fault(
        "prometheus",
        f"{PROMETHEUS}/rules/judging.yml",
        "ratio15m > 0.2 ",
        "ratio15m > 0.5 ",
        "EvalThrottled, time: 40m",
    ),
    Fault(
        "prometheus", f"{PROMETHEUS}/tests/api.yml", "3m, alertname: EvalApiErrors", "3m, alertname: Eval", "is silent"
    ),
    Fault("prometheus", f"{PROMETHEUS}/rules/stream.yml", "(eval_stream_pending)", "(eval_pending)", "nothing exposes"),
    Fault("grafana", DASHBOARD, "rate(eval_early_exits_total", "rate(eval_early_exit_total", "nothing exposes"),
    Fault("grafana", DASHBOARD, "time() - eval_loop_progress", "tme() - eval_loop_progress", "unknown function"),
    Fault("grafana", DASHBOARD, '"graphTooltip": 1', '"graphTooltips": 1', "Grafana does not know .graphTooltips"),
    Fault("grafana", DASHBOARD, '"name": "agent"', '"name": "agents"', "$agent is not declared"),
    Fault("links", "README.md", "(docs/guarantees.md)", "(docs/guarantee.md)", "File not found"),
    Fault("links", "README.md", "(docs/costs.md#a-limit)", "(docs/costs.md#the-limit)", "Cannot find fragment"),
)


def check(name: str, root: Path) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, "-m", "tests.deploy.checks", name, "--root", str(root))
    environment = {**os.environ, "PYTHONPATH": IMPORT_PATH}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False)
    if ": needs " in done.stdout:
        pytest.skip(done.stdout.strip())
    return done


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault, tmp_path: Path):
    plant(fault, tmp_path)

    done = check(fault.check, tmp_path)

    assert done.returncode == 1, done.stdout + done.stderr
    assert fault.finding in done.stdout


@pytest.mark.parametrize("name", sorted({fault.check for fault in FAULTS}))
def test_the_tree_itself_has_none(name: str):
    done = check(name, ROOT)

    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_a_check_without_its_files_has_not_passed(tmp_path: Path):
    assert check("links", tmp_path).stdout == "links: there is nothing to check\n"
