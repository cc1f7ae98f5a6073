"""What the resources of an overlay name of each other is there, and the check says of each kind when it is missing."""

from functools import cache

import pytest
import yaml
from tests.deploy.checks.kubernetes import PAGE, rendered, secrets_to_make
from tests.deploy.checks.kubernetes_references import broken_references
from tests.deploy.checks.programs import MissingProgramError
from tests.processes import ROOT

# What stands in an overlay, what stands there instead, and what the check says.
FAULTS = (
    (
        "path: /readyz\n            port: metrics",
        "path: /readyz\n            port: metric",
        "readinessProbe asks at the port metric, which worker does not have",
    ),
    ("64Mi\n        name: tmp", "64Mi\n        name: temp", "there is no volume tmp"),
    ("memory: 512Mi", "memory: 512MiB", "512MiB is no quantity"),
    ("memory: 128Mi", "memory: 1Gi", "it asks for more memory than its limit"),
    ("- run\n", "- runs\n", "eval-worker has no command runs"),
    ("serviceAccountName: eval-worker", "serviceAccountName: worker", "there is no ServiceAccount worker"),
    ("key: API_KEYS", "key: API_KEY", "nobody is told to make the Secret eval-worker with API_KEY"),
    ("targetPort: http", "targetPort: web", "no pod that it selects has the port web"),
    (
        "path: /metrics\n    port: metrics",
        "path: /metrics\n    port: metric",
        "selects has the port metric",
    ),
    ("scaleTargetRef:\n    name: eval-worker", "scaleTargetRef:\n    name: worker", "there is no worker to be scaled"),
    (
        "configMapRef:\n            name: ",
        "configMapRef:\n            name: other-",
        "no ConfigMap other-eval-worker",
    ),
    ("secretRef:\n            name: ", "secretRef:\n            name: other-", "to make the Secret other-eval-worker"),
)


@cache
def overlay() -> str:
    try:
        return yaml.safe_dump_all(rendered(ROOT, "bedrock-irsa"), sort_keys=False)
    except MissingProgramError as error:
        pytest.skip(str(error))


def problems_of(manifests: str) -> str:
    secrets = secrets_to_make((ROOT / PAGE).read_text(encoding="utf-8"))
    return "\n".join(broken_references(yaml.safe_load_all(manifests), secrets))


def test_nothing_is_missing():
    assert problems_of(overlay()) == ""


@pytest.mark.parametrize(("right", "wrong", "finding"), FAULTS)
def test_what_is_missing_is_named(right: str, wrong: str, finding: str):
    assert right in overlay()

    assert finding in problems_of(overlay().replace(right, wrong))
