"""What systemd's unit sets fits the worker: its settings, its drain, how it ends, and what it reads of the kernel."""

import configparser
import os
import re
import subprocess
import sys

import pytest
from tests.deploy.checks.systemd import UNIT
from tests.processes import ROOT

from eval_worker.settings import Settings

SPARE_SECONDS = 10  # to start the drain, and to leave
MONITORING = (*ROOT.glob("deploy/prometheus/rules/*.yml"), *ROOT.glob("deploy/grafana/dashboards/*.json"))
PRINT_PROCESS_FIGURES = """
from prometheus_client import PROCESS_COLLECTOR
print(*(sample.name for family in PROCESS_COLLECTOR.collect() for sample in family.samples))
"""


@pytest.fixture
def unit() -> configparser.ConfigParser:
    """The unit; of a key that stands there twice the last value."""
    unit = configparser.ConfigParser(strict=False, interpolation=None, delimiters=("=",))
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(ROOT / UNIT, encoding="utf-8")
    return unit


def test_systemd_sets_what_the_worker_knows_and_waits_for_its_drain(unit: configparser.ConfigParser):
    service = unit["Service"]

    assert service["ExecStart"].endswith("/eval-worker run")
    named = {variable.partition("=")[0] for variable in service["Environment"].split()}
    assert {name for name in named if not name.startswith("PYTHON")} <= set(map(str.upper, Settings.model_fields))
    assert float(service["TimeoutStopSec"]) >= Settings.model_fields["drain_seconds"].default + SPARE_SECONDS


def test_however_long_redis_is_away_systemd_starts_the_worker_again(unit: configparser.ConfigParser):
    """Without an interval there is no limit to the starts. What no start can mend ends with 2, and is left alone."""
    assert unit["Unit"]["StartLimitIntervalSec"] == "0"
    assert float(unit["Service"]["RestartSec"]) > 0
    assert unit["Service"]["Restart"] == "on-failure"
    assert unit["Service"]["RestartPreventExitStatus"] == "2"


def test_under_systemd_a_worker_sees_the_process_figures_that_rules_and_dashboard_read(unit: configparser.ConfigParser):
    if os.geteuid() != 0:
        pytest.skip("needs root, for a /proc of its own")
    read = {name for file in MONITORING for name in re.findall(r"\bprocess_\w+", file.read_text(encoding="utf-8"))}
    options = [f"hidepid={unit['Service']['ProtectProc']}"]
    if subset := unit["Service"].get("ProcSubset"):
        options.append(f"subset={subset}")

    script = f'mount -t proc -o {",".join(options)} proc /proc; exec "$0" -c "$1"'
    command = ["unshare", "--mount", "sh", "-ec", script, sys.executable, PRINT_PROCESS_FIGURES]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)

    assert "process_start_time_seconds" in read
    assert read <= set(done.stdout.split())
