"""What KEDA looks at is the workers' backlog, on the Redis that the workers use."""

import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.deploy.checks.kubernetes import COMPONENTS, rendered
from tests.deploy.checks.metric_names import unknown_in
from tests.deploy.checks.programs import MissingProgramError
from tests.processes import ROOT
from tests.servers.prometheus import find_program

from eval_worker.settings import Settings

SETTINGS = {name.upper() for name in Settings.model_fields}
KUBERNETES = ROOT / "deploy" / "kubernetes"


def trigger_of(component: str) -> dict[str, str]:
    try:
        (manifest,) = rendered(ROOT, component, COMPONENTS)
    except MissingProgramError as error:
        pytest.skip(str(error))
    assert manifest["spec"]["scaleTargetRef"]["name"] == "eval-worker"
    (trigger,) = manifest["spec"]["triggers"]
    return trigger["metadata"]


def set_by(folder: str) -> dict[str, str]:
    """The ConfigMap's variables that this folder's kustomization names itself."""
    document = yaml.safe_load((KUBERNETES / folder / "kustomization.yaml").read_text(encoding="utf-8"))
    (generated,) = document["configMapGenerator"]
    return dict(literal.split("=", 1) for literal in generated["literals"])


def test_scaling_looks_at_the_stream_that_the_workers_read():
    trigger = trigger_of("keda")

    assert trigger["stream"] == Settings.model_fields["redis_stream_name"].default
    assert {value for name, value in trigger.items() if name.endswith("FromEnv")} <= SETTINGS


def test_scaling_never_looks_at_a_redis_that_the_workers_may_not_use():
    """Workers prefer REDIS_URL, which KEDA can't read: an address that nobody chose would be another Redis."""
    address = trigger_of("keda")["addressFromEnv"]

    assert address not in set_by("base")
    assert address in set_by("overlays/bedrock-irsa")


@pytest.mark.parametrize(
    ("lag", "pending", "waiting"),
    [("300", "180", [480]), ("0", "0", [0]), ("NaN", "180", [])],
    ids=["a backlog", "nothing waits", "unknown: as many workers as there are"],
)
def test_where_settled_entries_are_kept_scaling_looks_at_what_the_workers_tell(
    lag: str, pending: str, waiting: list[int], tmp_path: Path
):
    trigger = trigger_of("keda-prometheus")
    samples = [{"labels": "{}", "value": value} for value in waiting]
    series: list[Any] = [
        {"series": f'{metric}{{job="{job}",instance="{instance}"}}', "values": f"{value} {value}"}
        for job, instance in (("eval-worker", "a"), ("eval-worker", "b"))
        for metric, value in (("eval_stream_lag", lag), ("eval_stream_pending", pending))
    ]
    case = {"expr": trigger["query"], "eval_time": "1m", "exp_samples": samples}
    cases = tmp_path / "scaling.yml"
    cases.write_text(yaml.safe_dump({"tests": [{"input_series": series, "promql_expr_test": [case]}]}))

    done = subprocess.run(
        [find_program("promtool"), "test", "rules", cases], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert list(unknown_in(trigger["query"], ())) == []
    assert trigger["ignoreNullValues"] == "false"
