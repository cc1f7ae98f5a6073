"""What Compose and Kubernetes set fits the worker's settings, and their limits fit its drain."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from tests.deploy.checks.kubernetes import OVERLAYS, rendered
from tests.deploy.checks.programs import MissingProgramError
from tests.processes import ROOT

from eval_worker.settings import Settings, load_settings
from eval_worker.settings.serving import DEFAULT_API_PORT, DEFAULT_METRICS_PORT

AWS = {"AWS_ACCESS_KEY_ID", "AWS_ROLE_ARN"}  # which boto3 alone reads
SETTINGS = {name.upper() for name in Settings.model_fields}
SPARE_SECONDS = 10  # to start the drain, and to leave
NOBODY = 10001
OVERLAY_NAMES = sorted(path.name for path in (ROOT / OVERLAYS).iterdir())


def settings_from(environment: dict[str, str | None], monkeypatch: pytest.MonkeyPatch) -> Settings:
    """The settings of a process with this environment alone; a value that the worker would refuse raises."""
    assert set(environment) <= SETTINGS | AWS
    for name, value in environment.items():
        monkeypatch.setenv(name, value or "")
    return load_settings()


def seconds(text: str) -> float:
    return float(text.removesuffix("s"))


@pytest.fixture(scope="module")
def compose() -> Any:
    """The Compose file, every `${NAME:-default}` at its default."""
    text = (ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8")
    return yaml.safe_load(re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text))


@pytest.mark.parametrize("service", ["worker", "api"])
def test_compose_sets_what_the_worker_knows_and_waits_for_its_drain(
    compose: Any, service: str, monkeypatch: pytest.MonkeyPatch
):
    described = compose["services"][service]

    settings = settings_from(described["environment"], monkeypatch)

    assert seconds(described["stop_grace_period"]) >= settings.drain_seconds + SPARE_SECONDS
    assert settings.redis_addr == "redis:6379"
    assert settings.metrics_port == DEFAULT_METRICS_PORT


def test_compose_publishes_the_api_where_it_listens(compose: Any, monkeypatch: pytest.MonkeyPatch):
    api = compose["services"]["api"]
    port = settings_from(api["environment"], monkeypatch).eval_agent_api_port

    assert api["ports"] == [f"127.0.0.1:{port}:{port}"]
    assert f"127.0.0.1:{port}/api/v1/health" in api["healthcheck"]["test"][-1]


def test_compose_confines_every_service(compose: Any):
    for name, service in compose["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", [])), name
        assert name == "worker" or service["healthcheck"], name  # the image brings the worker's


def test_what_compose_mounts_is_there(compose: Any):
    mounted = [volume for service in compose["services"].values() for volume in service.get("volumes", [])]
    files = [volume.split(":")[0] for volume in mounted if volume.startswith(".")]

    assert len(files) == 4
    assert [file for file in files if not (ROOT / "deploy" / file).exists()] == []
    assert {volume.split(":")[0] for volume in mounted if not volume.startswith(".")} == set(compose["volumes"])


def test_prometheus_scrapes_the_services_where_they_answer(compose: Any):
    document = yaml.safe_load((ROOT / "deploy/prometheus/prometheus.yml").read_text(encoding="utf-8"))
    scraped = {
        (name, config["port"])
        for job in document["scrape_configs"]
        for config in job["dns_sd_configs"]
        for name in config["names"]
    }

    assert scraped == {("worker", DEFAULT_METRICS_PORT), ("api", DEFAULT_API_PORT)}
    assert set(compose["services"]) >= {name for name, _ in scraped}


@pytest.fixture(params=OVERLAY_NAMES)
def manifests(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    try:
        return rendered(ROOT, request.param)
    except MissingProgramError as error:
        pytest.skip(str(error))


def of_kind(manifests: list[dict[str, Any]], *kinds: str) -> list[dict[str, Any]]:
    return [manifest for manifest in manifests if manifest["kind"] in kinds]


def pods(manifests: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Name, pod and only container of each of ours."""
    for deployment in of_kind(manifests, "Deployment"):
        pod = deployment["spec"]["template"]["spec"]
        (container,) = pod["containers"]
        yield deployment["metadata"]["name"], pod, container


def test_kubernetes_sets_what_the_worker_knows_and_waits_for_its_drain(
    manifests: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
):
    (shared,) = of_kind(manifests, "ConfigMap")
    assert {name for name, _, _ in pods(manifests)} == {"eval-worker", "eval-api"}
    for name, pod, container in pods(manifests):
        own = {
            variable["name"]: variable.get("value", "a-key-of-enough-characters")
            for variable in container.get("env", [])
        }
        settings = settings_from({**shared["data"], **own}, monkeypatch)
        port = settings.metrics_port if name == "eval-worker" else settings.eval_agent_api_port

        assert container["envFrom"][0]["configMapRef"]["name"] == shared["metadata"]["name"]
        assert [exposed["containerPort"] for exposed in container["ports"]] == [port]
        pause = 5 if "lifecycle" in container else 0
        assert pod["terminationGracePeriodSeconds"] >= settings.drain_seconds + pause + SPARE_SECONDS


def test_kubernetes_probes_liveness_apart_from_readiness(manifests: list[dict[str, Any]]):
    paths = {
        name: [container[f"{kind}Probe"]["httpGet"]["path"] for kind in ("startup", "liveness", "readiness")]
        for name, _, container in pods(manifests)
    }

    assert paths == {
        "eval-worker": ["/healthz", "/healthz", "/readyz"],
        "eval-api": ["/api/v1/health", "/api/v1/health", "/api/v1/ready"],
    }


def test_every_pod_fits_the_restricted_profile(manifests: list[dict[str, Any]]):
    for workload in of_kind(manifests, "Deployment", "StatefulSet"):
        pod = workload["spec"]["template"]["spec"]
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert pod["automountServiceAccountToken"] is False
        for container in pod["containers"]:
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
            assert container["resources"]["requests"].keys() == {"cpu", "memory"}


def test_the_user_is_the_images(manifests: list[dict[str, Any]]):
    assert f"USER {NOBODY}:{NOBODY}" in (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert {pod["securityContext"]["runAsUser"] for _, pod, _ in pods(manifests)} == {NOBODY}


def test_selectors_find_the_pods_they_are_for(manifests: list[dict[str, Any]]):
    labels = [
        workload["spec"]["template"]["metadata"]["labels"]
        for workload in of_kind(manifests, "Deployment", "StatefulSet")
    ]
    for manifest in of_kind(manifests, "PodDisruptionBudget", "NetworkPolicy", "Service", "PodMonitor"):
        selector = manifest["spec"].get("podSelector") or manifest["spec"]["selector"]
        wanted = selector.get("matchLabels", selector)
        assert any(wanted.items() <= found.items() for found in labels), manifest["metadata"]["name"]


def test_the_demo_asks_for_names_and_redis_alone(monkeypatch: pytest.MonkeyPatch):
    try:
        demo = rendered(ROOT, "offline-demo")
    except MissingProgramError as error:
        pytest.skip(str(error))

    ports = [
        port["port"]
        for policy in of_kind(demo, "NetworkPolicy")
        for rule in policy["spec"].get("egress", [])
        for port in rule["ports"]
    ]
    assert set(ports) == {53, 5353, 6379}
    (shared,) = of_kind(demo, "ConfigMap")
    assert settings_from(shared["data"], monkeypatch).judge_model == "offline"
