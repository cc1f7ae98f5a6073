"""What resources name of each other, which no schema knows: ports, volumes, what variables come from, quantities."""

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from tests.deploy.checks.commands_of_the_image import unknown_command

Resource = Mapping[str, Any]
Secrets = Mapping[str, frozenset[str]]  # name -> keys

_QUANTITY = re.compile(r"(\d+(?:\.\d+)?)(m|k|Ki|M|Mi|G|Gi|T|Ti)?")
_THOUSANDS = {"": 1, "m": Decimal("0.001"), "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_UNITS = {**_THOUSANDS, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}


def broken_references(resources: Iterable[Resource], secrets: Secrets) -> Iterator[str]:
    """Yield what is named in a whole set of manifests and is not there. `secrets` are those that a person makes."""
    found = [resource for resource in resources if resource]
    workloads = [each for each in found if "containers" in _pod(each)]
    names = {(each["kind"], each["metadata"]["name"]) for each in found}
    for workload in workloads:
        title = f"{workload['kind']} {workload['metadata']['name']}"
        problems = (*_missing_beside(_pod(workload), names, secrets), *_missing_within(workload))
        yield from (f"{title}: {problem}" for problem in problems)
    for resource in found:
        title = f"{resource['kind']} {resource['metadata']['name']}"
        yield from (f"{title}: {problem}" for problem in _missing_in_pods(resource, workloads))


def _pod(resource: Resource) -> dict[str, Any]:
    return resource.get("spec", {}).get("template", {}).get("spec", {})


def _missing_beside(pod: dict[str, Any], names: set[tuple[str, str]], secrets: Secrets) -> Iterator[str]:
    account = pod.get("serviceAccountName", "default")
    if account != "default" and ("ServiceAccount", account) not in names:
        yield f"there is no ServiceAccount {account}"
    for container in pod["containers"]:
        for source in container.get("envFrom", ()):
            shared, secret = source.get("configMapRef"), source.get("secretRef")
            if shared and ("ConfigMap", shared["name"]) not in names:
                yield f"there is no ConfigMap {shared['name']}"
            if secret and secret["name"] not in secrets:
                yield f"nobody is told to make the Secret {secret['name']}"
        for variable in container.get("env", ()):
            key = variable.get("valueFrom", {}).get("secretKeyRef")
            if key and key["key"] not in secrets.get(key["name"], ()):
                yield f"nobody is told to make the Secret {key['name']} with {key['key']}"


def _missing_within(workload: Resource) -> Iterator[str]:
    pod = _pod(workload)
    claims = workload["spec"].get("volumeClaimTemplates", ())
    volumes = {volume["name"] for volume in pod.get("volumes", ())} | {claim["metadata"]["name"] for claim in claims}
    for container in pod["containers"]:
        yield from unknown_command(container["image"], container.get("args", ()))
        ports = _ports(container)
        for name in ("startupProbe", "livenessProbe", "readinessProbe"):
            asked = container.get(name, {}).get("httpGet", {}).get("port")
            if asked is not None and asked not in ports:
                yield f"{name} asks at the port {asked}, which {container['name']} does not have"
        for mount in container.get("volumeMounts", ()):
            if mount["name"] not in volumes:
                yield f"there is no volume {mount['name']}"
        yield from _resource_problems(container.get("resources", {}))


def _ports(container: dict[str, Any]) -> set[str | int]:
    return {port[key] for port in container.get("ports", ()) for key in ("name", "containerPort") if key in port}


def _resource_problems(resources: dict[str, dict[str, Any]]) -> Iterator[str]:
    amounts = {side: {name: _amount(value) for name, value in resources[side].items()} for side in resources}
    for side, named in amounts.items():
        yield from (f"{resources[side][name]} is no quantity" for name, amount in named.items() if amount is None)
    for name, limit in amounts.get("limits", {}).items():
        asked = amounts.get("requests", {}).get(name)
        if limit is not None and asked is not None and asked > limit:
            yield f"it asks for more {name} than its limit"


def _amount(value: object) -> Decimal | None:
    """As Kubernetes counts; what its API would refuse is None."""
    read = _QUANTITY.fullmatch(str(value))
    return Decimal(read[1]) * _UNITS[read[2] or ""] if read else None


def _missing_in_pods(resource: Resource, workloads: list[Resource]) -> Iterator[str]:
    """What a Service, a PodMonitor or a ScaledObject expects of pods elsewhere."""
    spec = resource.get("spec", {})
    match resource["kind"]:
        case "Service":
            selector, asked = spec["selector"], [port.get("targetPort", port["port"]) for port in spec["ports"]]
        case "PodMonitor":
            selector, asked = spec["selector"]["matchLabels"], [each["port"] for each in spec["podMetricsEndpoints"]]
        case "ScaledObject":
            target = spec["scaleTargetRef"]["name"]
            if target not in {each["metadata"]["name"] for each in workloads}:
                yield f"there is no {target} to be scaled"
            return
        case _:
            return
    ports: set[str | int] = set()
    for workload in workloads:
        if selector.items() <= workload["spec"]["template"]["metadata"]["labels"].items():
            ports |= {port for container in _pod(workload)["containers"] for port in _ports(container)}
    yield from (f"no pod that it selects has the port {port}" for port in asked if port not in ports)
