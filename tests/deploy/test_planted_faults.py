"""Each check of what is deployed fails on a fault of its kind, the same way it runs in `make check-deploy`."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.deploy.checks.command import main
from tests.deploy.tree_with_a_fault import Fault, plant
from tests.processes import ROOT

PROMETHEUS = "deploy/prometheus"
DASHBOARD = "deploy/grafana/dashboards/eval-worker.json"

BASE = "deploy/kubernetes/base"
KEDA = "deploy/kubernetes/components/keda"
PODS = "deploy/kubernetes/components/pod-monitor"
COMPOSE = "deploy/compose.yaml"
GRAFANAS_NETWORK = "networks: [figures]\n    volumes:\n      - ./grafana"
SOURCES = "deploy/grafana/provisioning/datasources/prometheus.yml"
PROVIDERS = "deploy/grafana/provisioning/dashboards/eval-worker.yml"
UNIT = "deploy/systemd/eval-worker@.service"

FAULTS = (
    Fault("dockerfiles", "Dockerfile", "COPY worker worker", "ADD worker worker", "DL3020"),
    Fault("dockerfiles", "Dockerfile", "FROM ${PYTHON_IMAGE} AS build", "FROM python:latest AS build", "DL3007"),
    Fault("dockerfiles", "deploy/lambda/Dockerfile", "WORKDIR /src", "RUN cd /src", "DL3003"),
    Fault("compose", COMPOSE, "    scale: 2", "    scales: 2", "services.worker.scales"),
    Fault(
        "compose",
        COMPOSE,
        "depends_on:\n      prometheus:",
        "depends_on:\n      prom:",
        "undefined service",
    ),
    Fault("compose", COMPOSE, "${AWS_REGION:-us-east-1}", "${AWS_REGION}", "variable is not set"),
    Fault("compose", COMPOSE, "command: [api]", "command: [apis]", "has no command apis"),
    Fault("compose", COMPOSE, ":9090:9090", ":9090:9091", "health is asked for at port 9090, it publishes 9091"),
    Fault(
        "compose",
        COMPOSE,
        "/prometheus/prometheus.yml\n",
        "/prometheus/prom.yml\n",
        "is mounted at /etc/prometheus/prom",
    ),
    Fault(
        "compose", COMPOSE, "/prometheus/rules:ro", "/prometheus/rule:ro", "is mounted at /etc/prometheus/rules/*.yml"
    ),
    Fault("compose", COMPOSE, "dashboards/eval-worker.json", "dashboards/eval.json", "dashboards/eval.json"),
    Fault("compose", COMPOSE, "redis:6379\n", "rediss:6379\n", "talk to rediss, which is no service"),
    Fault("compose", SOURCES, "//prometheus:9090", "//prom:9090", "talk to prom, which is no service"),
    Fault("compose", PROVIDERS, "grafana/dashboards", "grafana/boards", "is mounted at /var/lib/grafana/boards"),
    Fault("compose", COMPOSE, GRAFANAS_NETWORK, GRAFANAS_NETWORK.replace("figures", "events"), "no network in common"),
    Fault("kubernetes", f"{BASE}/worker.yaml", "readinessProbe:", "readynessProbe:", "readynessProbe"),
    Fault("kubernetes", f"{BASE}/kustomization.yaml", "- api.yaml", "- apis.yaml", "no such file"),
    Fault(
        "kubernetes", f"{KEDA}/scaled-object.yaml", "streamLength: ", "streamlength: ", "'streamlength' was unexpected"
    ),
    Fault("kubernetes", f"{PODS}/pod-monitor.yaml", "- port: metrics", "- ports: metrics", "'ports' was unexpected"),
    Fault("kubernetes", f"{BASE}/worker.yaml", "name: metrics", "name: figures", "asks at the port metrics, which"),
    Fault(
        "systemd",
        UNIT,
        "WantedBy=multi-user.",
        "WantedBy=multi-users.",
        "names multi-users.target, which no system has",
    ),
    Fault("systemd", UNIT, "After=network-online.", "After=network-onlin.", "names network-onlin.target"),
    Fault("systemd", UNIT, "ProtectHome=yes", "ProtectHomes=yes", "Unknown key 'ProtectHomes'"),
    Fault("systemd", UNIT, "Restart=on-failure", "Restart=on-failures", "Failed to parse service restart specifier"),
    Fault("systemd", UNIT, "/opt/eval-worker/bin/eval-worker", "/opt/eval-worker/eval-worker", "is not executable"),
    Fault("systemd", UNIT, "CapabilityBoundingSet=", "#CapabilityBoundingSet=", "Overall exposure level"),
    Fault("cloudformation", "deploy/lambda/template.yaml", "RetentionInDays:", "RetentionDays:", "E3002"),
    Fault("cloudformation", "deploy/lambda/template.yaml", "!GetAtt Url.FunctionUrl", "!GetAtt Url.Address", "E6101"),
    Fault("prometheus", f"{PROMETHEUS}/prometheus.yml", "names: [worker]", "name: [worker]", "field name not found"),
    Fault(
        "prometheus",
        f"{PROMETHEUS}/rules/stream.yml",
        "deriv(job:eval_stream_lag:max[30m])",
        "derive(job:eval_stream_lag:max[30m])",
        "unknown function",
    ),
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
    Fault("prometheus", f"{PROMETHEUS}/prometheus.yml", "rules/*.yml", "rule/*.yml", "does not load"),
    Fault("prometheus", f"{PROMETHEUS}/rules/judging.yml", "$labels.stage }}", "$labels.step }}", "has the label step"),
    Fault("grafana", DASHBOARD, "by (verdict) (rate", "by (verdit) (rate", "has the label verdit"),
    Fault("grafana", DASHBOARD, "rate(eval_early_exits_total", "rate(eval_early_exit_total", "nothing exposes"),
    Fault("grafana", DASHBOARD, '"count(ALERTS{', '"cont(ALERTS{', "unknown function"),
    Fault("grafana", DASHBOARD, '"graphTooltip": 1', '"graphTooltips": 1', "Grafana does not know .graphTooltips"),
    Fault("grafana", DASHBOARD, '"name": "agent"', '"name": "agents"', "$agent is not declared"),
    Fault(
        "links", "README.md", "[guarantees](docs/guarantees.md)", "[guarantees](docs/guarantee.md)", "File not found"
    ),
    Fault(
        "links",
        "README.md",
        "[pauses](docs/costs.md#a-limit)",
        "[pauses](docs/costs.md#the-limit)",
        "Cannot find fragment",
    ),
)


def check(name: str, root: Path) -> Result:
    """What `make check-deploy CHECK=name` does; in this process, as most of a check's time is what it imports."""
    done = CliRunner().invoke(main, [name, "--root", str(root)])
    if ": needs " in done.stdout:
        pytest.skip(done.stdout.strip())
    return done


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_found(fault: Fault, tmp_path: Path):
    plant(fault, tmp_path)

    done = check(fault.check, tmp_path)

    assert done.exit_code == 1, done.output
    assert fault.finding in done.stdout


@pytest.mark.parametrize("name", sorted({fault.check for fault in FAULTS}))
def test_the_tree_itself_has_none(name: str):
    done = check(name, ROOT)

    assert done.exit_code == 0, done.output


def test_a_check_without_its_files_has_not_passed(tmp_path: Path):
    assert check("links", tmp_path).stdout == "links: there is nothing to check\n"
