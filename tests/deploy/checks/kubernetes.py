"""The Kubernetes manifests: overlays and components rendered by kubectl, each resource held against its schema."""

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from tests.deploy.checks.programs import MissingProgramError, find_program, run
from tests.deploy.checks.report import Report

OVERLAYS = "deploy/kubernetes/overlays"
COMPONENTS = "deploy/kubernetes/components"
OLDEST = "1.31"  # and the newest whose schemas the checker knows
SCHEMAS = Path(__file__).resolve().parents[1] / "schemas"
OTHERS_KINDS = {"ScaledObject": "scaled-object.yaml", "PodMonitor": "pod-monitor.yaml"}


def check_kubernetes(root: Path) -> Report:
    kubectl = find_program("kubectl", "make check-deploy")
    folders = [
        path.relative_to(root) for parent in (OVERLAYS, COMPONENTS) for path in sorted((root / parent).glob("*/"))
    ]
    problems = tuple(problem for folder in folders for problem in _problems_of(folder, root, kubectl))
    return Report(tuple(map(str, folders)), problems)


def rendered(root: Path, name: str, parent: str = OVERLAYS) -> list[dict[str, Any]]:
    """The resources of an overlay as `kubectl apply` would get them, or of a component; for tests of what they say."""
    kubectl = find_program("kubectl", "make check-deploy")
    done = run(kubectl, "kustomize", f"{parent}/{name}", directory=root)
    assert done.code == 0, done.err
    return list(yaml.safe_load_all(done.out))


def _problems_of(folder: Path, root: Path, kubectl: str) -> Iterator[str]:
    done = run(kubectl, "kustomize", str(folder), directory=root)
    yield from done.err.splitlines()
    for resource in yaml.safe_load_all(done.out):
        name = f"{folder}: {resource.get('kind')} {resource.get('metadata', {}).get('name')}"
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
