"""The Kubernetes manifests: overlays rendered by kubectl, each resource held against the schema of its kind."""

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from tests.deploy.checks.programs import MissingProgramError, find_program, run
from tests.deploy.checks.report import Report

OVERLAYS = "deploy/kubernetes/overlays"
OLDEST = "1.31"  # and the newest whose schemas the checker knows
SCHEMAS = Path(__file__).resolve().parents[1] / "schemas"
OTHERS_KINDS = {"ScaledObject": "scaled-object.yaml", "PodMonitor": "pod-monitor.yaml"}


def check_kubernetes(root: Path) -> Report:
    kubectl = find_program("kubectl", "make check-deploy")
    overlays = sorted(path.relative_to(root) for path in (root / OVERLAYS).glob("*/"))
    problems = tuple(problem for overlay in overlays for problem in _problems_of(overlay, root, kubectl))
    return Report(tuple(map(str, overlays)), problems)


def rendered(root: Path, overlay: str) -> list[dict[str, Any]]:
    """The resources of an overlay as `kubectl apply` would get them; for tests of what they say."""
    kubectl = find_program("kubectl", "make check-deploy")
    done = run(kubectl, "kustomize", f"{OVERLAYS}/{overlay}", directory=root)
    assert done.code == 0, done.err
    return list(yaml.safe_load_all(done.out))


def _problems_of(overlay: Path, root: Path, kubectl: str) -> Iterator[str]:
    done = run(kubectl, "kustomize", str(overlay), directory=root)
    yield from done.err.splitlines()
    for resource in yaml.safe_load_all(done.out):
        name = f"{overlay}: {resource.get('kind')} {resource.get('metadata', {}).get('name')}"
        for problem in _problems_with(resource):
            yield f"{name}: {problem}"


def _problems_with(resource: dict[str, Any]) -> Iterator[str]:
    if resource.get("kind") in OTHERS_KINDS:
        schema = yaml.safe_load((SCHEMAS / OTHERS_KINDS[resource["kind"]]).read_text(encoding="utf-8"))
        for error in _imported("jsonschema").Draft202012Validator(schema).iter_errors(resource):
            yield f"{error.json_path}: {error.message}"
        return
    validate = _imported("kubernetes_validate")
    for version in (OLDEST, validate.latest_version()):
        try:
            validate.validate(resource, version, strict=True)
        except validate.ValidationError as error:
            yield f"Kubernetes {version}: {error.json_path}: {error.message}"
        except validate.SchemaNotFoundError as error:
            yield error.message


def _imported(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingProgramError(f"needs {module}: make check-deploy") from error
