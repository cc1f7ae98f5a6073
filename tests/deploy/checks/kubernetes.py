"""The Kubernetes manifests: overlays and components rendered by kubectl, each resource held against its schema, and
those of an overlay against each other."""

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from tests.deploy.checks.kubernetes_references import broken_references
from tests.deploy.checks.programs import MissingProgramError, find_program, run
from tests.deploy.checks.report import Report

OVERLAYS = "deploy/kubernetes/overlays"
COMPONENTS = "deploy/kubernetes/components"
PAGE = "docs/deploy.md"  # says which Secrets to make
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
    resources = list(yaml.safe_load_all(done.out))
    problems = [
        f"{resource.get('kind')} {resource.get('metadata', {}).get('name')}: {problem}"
        for resource in resources
        for problem in _problems_with(resource)
    ]
    if not problems and folder.is_relative_to(OVERLAYS):  # components are whole only within one
        problems += broken_references(resources, secrets_to_make((root / PAGE).read_text(encoding="utf-8")))
    yield from (f"{folder}: {problem}" for problem in problems)


def secrets_to_make(page: str) -> dict[str, frozenset[str]]:
    """Return which Secrets with which keys the page's commands make."""
    commands = re.findall(r"create secret generic (\S+)(.*)", page)
    return {name: frozenset(re.findall(r"--from-literal=(\w+)=", rest)) for name, rest in commands}


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
